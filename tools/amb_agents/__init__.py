"""The five agents without a model: deterministic, English and Chinese, dependency-free.

local_notes.py           text → topics and content → summary: stretches of passages by their first words
local_analysis.py        how a new note stands to those there are: by names, or in contradiction
contradiction.py         two sentences that differ in one value, with slots.py and swaps.py; what every conflict must
                         pass, whoever found it
shown_disputes.py        what two results of a block contradict each other in
local_integration.py     conflicting notes → one; verification.py: what a text says of a matter
local_planning.py        the next step, with goal_clauses.py and planning_phrases.py
all_local.py             all five; judges.py: agents by name
key_terms.py             the rarest words of a text
chunking.py              what is over a model's window in pieces
prompted/                the same five roles with a chat model
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_agents.all_local import local_agents
    from amb_agents.contradiction import Contradiction, contradictions
    from amb_agents.local_analysis import LocalAnalysis
    from amb_agents.local_integration import LocalIntegration
    from amb_agents.local_notes import LocalClassification, LocalStructure
    from amb_agents.local_planning import LocalPlanning

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

_HOMES = {
    "contradiction": "Contradiction contradictions",
    "all_local": "local_agents",
    "local_analysis": "LocalAnalysis",
    "local_integration": "LocalIntegration",
    "local_notes": "LocalClassification LocalStructure",
    "local_planning": "LocalPlanning",
}
__getattr__ = deferred(__name__, {name: home for home, names in _HOMES.items() for name in names.split()})
