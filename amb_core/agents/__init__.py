"""The five agents without a model: deterministic, English and Chinese, dependency-free."""

from amb_core.agents.contradiction import Contradiction, contradictions
from amb_core.agents.local_analysis import LocalAnalysis
from amb_core.agents.local_classification import LocalClassification
from amb_core.agents.local_integration import LocalIntegration
from amb_core.agents.local_planning import LocalPlanning
from amb_core.agents.local_structure import LocalStructure
from amb_core.protocols import Agents
from amb_core.settings import Settings

__all__ = [
    "Contradiction",
    "LocalAnalysis",
    "LocalClassification",
    "LocalIntegration",
    "LocalPlanning",
    "LocalStructure",
    "contradictions",
    "local_agents",
]


def local_agents(settings: Settings | None = None) -> Agents:
    """The five local agents; `settings` give windows and language (defaults without)."""
    return Agents(
        classification=LocalClassification(settings),
        structure=LocalStructure(settings),
        analysis=LocalAnalysis(settings),
        integration=LocalIntegration(settings),
        planning=LocalPlanning(settings),
    )
