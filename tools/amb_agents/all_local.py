"""The five agents without a model, together."""

from __future__ import annotations

from amb_agents.local_analysis import LocalAnalysis
from amb_agents.local_integration import LocalIntegration
from amb_agents.local_notes import LocalClassification, LocalStructure
from amb_agents.local_planning import LocalPlanning
from amb_core.protocols import Agents
from amb_core.settings import Settings

__all__ = ["local_agents"]


def local_agents(settings: Settings | None = None) -> Agents:
    """The five local agents; `settings` give windows and language (defaults without)."""
    return Agents(
        classification=LocalClassification(),
        structure=LocalStructure(),
        analysis=LocalAnalysis(settings),
        integration=LocalIntegration(settings),
        planning=LocalPlanning(settings),
    )
