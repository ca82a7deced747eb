"""The five agents driven by a chat model: prompts in `amb_agents.prompts`, answers checked before they count.

asker.py                    one question of a role to a model, in the language of the task
shapes.py                   the answers as bounded shapes
prompted_digest.py          a whole tool result in one question: topics, summaries and relationships
prompted_classification.py  text → topics by numbers of paragraphs, whose text the program copies
prompted_structure.py       content → summary that names nothing new
prompted_analysis.py        new note and candidates → relationships by decomposed yes/no questions
prompted_integration.py     verification → merged node
agent_opener.py             llm_agents: all five on one model, or a model for each role
prompted_planning.py        state → next step; what comes first is the program's to say

Whatever goes wrong here is raised: the bank lets the local twin do the step.
"""

from amb_agents.prompted.agent_opener import llm_agents
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.prompted_analysis import PromptedAnalysis
from amb_agents.prompted.prompted_classification import PromptedClassification
from amb_agents.prompted.prompted_digest import PromptedDigest
from amb_agents.prompted.prompted_integration import PromptedIntegration
from amb_agents.prompted.prompted_planning import PromptedPlanning
from amb_agents.prompted.prompted_structure import PromptedStructure
from amb_core.deferred import deferred

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

__getattr__ = deferred(__name__, {"PromptedJudge": "/amb_readers", "PromptedReader": "/amb_readers"})
