"""The five agents driven by a chat model: prompts in `amb_core.prompts`, answers checked before they count.

asking.py          one question of a role to a model, in the language of the task
shapes.py          the answers as bounded shapes
classification.py  paragraphs by number → topics; the text itself is copied by the program
structure.py       content → summary that names nothing new
analysis.py        decomposed yes/no questions → relation
integration.py     verification → merged node
opening.py         llm_agents: all five on one model, or a model for each role
planning.py        state → next step; what comes first is the program's to say

Whatever goes wrong here is raised: the bank tries once more and then lets the local twin do the step.
"""

from amb_core.agents.prompted.analysis import PromptedAnalysis
from amb_core.agents.prompted.asking import Asker
from amb_core.agents.prompted.classification import PromptedClassification
from amb_core.agents.prompted.integration import PromptedIntegration
from amb_core.agents.prompted.opening import llm_agents
from amb_core.agents.prompted.planning import PromptedPlanning
from amb_core.agents.prompted.structure import PromptedStructure

__all__ = [
    "Asker",
    "PromptedAnalysis",
    "PromptedClassification",
    "PromptedIntegration",
    "PromptedPlanning",
    "PromptedStructure",
    "llm_agents",
]
