"""The five agents without a model: deterministic, English and Chinese, dependency-free.

local_notes.py           text → topics and content → summary: stretches of passages by their first words
local_analysis.py        how a new note stands to those there are: by names, or in contradiction
contradiction.py         two sentences that differ in one value, with slots.py and swaps.py; what every conflict must
                         pass, whoever found it
shown_disputes.py        what two results of a block contradict each other in
local_integration.py     conflicting notes → one
local_planning.py        the next step, with goal_clauses.py and planning_phrases.py
judges.py                agents by name
chunking.py              what is over a model's window in pieces
prompted/                the same five roles with a chat model
"""

from amb_agents.contradiction import Contradiction, contradictions
from amb_agents.local_analysis import LocalAnalysis
from amb_agents.local_integration import LocalIntegration
from amb_agents.local_notes import LocalClassification, LocalStructure
from amb_agents.local_planning import LocalPlanning
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
        classification=LocalClassification(),
        structure=LocalStructure(),
        analysis=LocalAnalysis(settings),
        integration=LocalIntegration(settings),
        planning=LocalPlanning(settings),
    )
