"""The five agents without a model: deterministic, English and Chinese, dependency-free."""

import sys

from amb_core.agents.contradiction import Contradiction, contradictions
from amb_core.agents.local_analysis import LocalAnalysis
from amb_core.agents.local_classification import LocalClassification
from amb_core.agents.local_integration import LocalIntegration
from amb_core.agents.local_planning import LocalPlanning
from amb_core.agents.local_structure import LocalStructure
from amb_core.protocols import Agents
from amb_core.settings import Settings
from amb_core.text.remembering import clears

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


def _forget_texts() -> None:
    """Empty every cache of these modules: they are keyed by texts and words of texts."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{__name__}."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


clears(_forget_texts)
