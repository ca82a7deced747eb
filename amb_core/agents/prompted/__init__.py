"""The five agents driven by a chat model: prompts in `amb_core.prompts`, answers checked before they count.

asking.py          one question of a role to a model, in the language of the task
shapes.py          the answers as bounded shapes
paragraphs.py      numbers of paragraphs → clusters; the text itself is copied by the program
judging.py         decomposed yes/no questions → relationship
digest.py          a whole tool result in one question: topics, summaries and relationships
classification.py  text → topics
structure.py       content → summary that names nothing new
analysis.py        new note and candidates → relationships
integration.py     verification → merged node
opening.py         llm_agents: all five on one model, or a model for each role
planning.py        state → next step; what comes first is the program's to say

Whatever goes wrong here is raised: the bank lets the local twin do the step.
"""

from amb_core.agents.prompted.analysis import PromptedAnalysis
from amb_core.agents.prompted.asking import Asker
from amb_core.agents.prompted.classification import PromptedClassification
from amb_core.agents.prompted.digest import PromptedDigest
from amb_core.agents.prompted.integration import PromptedIntegration
from amb_core.agents.prompted.opening import llm_agents
from amb_core.agents.prompted.planning import PromptedPlanning
from amb_core.agents.prompted.structure import PromptedStructure

__all__ = [
    "Asker",
    "PromptedAnalysis",
    "PromptedClassification",
    "PromptedDigest",
    "PromptedIntegration",
    "PromptedPlanning",
    "PromptedStructure",
    "llm_agents",
]
