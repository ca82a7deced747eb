"""Team memory: what one agent notes, what a team shares for a task, and what every later task learns from it.

team_memory.py       TeamMemory: inject, observe, promote, finish; team_settings.py, team_arguments.py: its input
member.py            TeamMember, one agent's part, for integrations; agent_banks.py: a bank for each agent
curator.py           what a curator is asked and answers; prompted_curator.py: with a model; local_curator.py: without,
                     by entity_extractor.py (stated relations) and question_kind.py; dead_ends.py: nothing found
hop_record.py        what an observation leaves in the memories
actions.py           actions and their queries in normal form; circles.py: agents that repeat themselves
shared_memory.py     what the team shares; private_memory.py: what one agent notes; firewall.py: what may pass
team_records.py      every kind of record; record_scope.py: those of one scope on the core's store and index
team_block.py        the block of one agent; team_words.py: its words
ground_truth_agent.py an agent that knows circles and the form of answers, and no answer
meta_memory.py       what outlives a task; reflection.py: what it taught
team_export.py       what is exported; team_statistics.py: the figures of a task
hotpotqa/            HotpotQA's environment, questions and scores
"""

from amb_core.team.curator import CuratedFact, CuratedObservation, CuratedRelation, Curator, CuratorRequest
from amb_core.team.ground_truth_agent import AnswerCheck, GroundTruthAgent
from amb_core.team.hop_record import Observed
from amb_core.team.local_curator import LocalCurator
from amb_core.team.member import TeamMember
from amb_core.team.meta_memory import MetaMemory
from amb_core.team.prompted_curator import PromptedCurator
from amb_core.team.reflection import Reflection
from amb_core.team.team_export import TeamStatistics
from amb_core.team.team_memory import TeamMemory
from amb_core.team.team_settings import TeamSettings

__all__ = [
    "AnswerCheck",
    "CuratedFact",
    "CuratedObservation",
    "CuratedRelation",
    "Curator",
    "CuratorRequest",
    "GroundTruthAgent",
    "LocalCurator",
    "MetaMemory",
    "Observed",
    "PromptedCurator",
    "Reflection",
    "TeamMember",
    "TeamMemory",
    "TeamSettings",
    "TeamStatistics",
]
