"""Team memory: what one agent notes, what a team shares for a task, and what every later task learns from it.

team_memory.py       TeamMemory: inject, observe, promote, finish; team_settings.py: how it works
member.py            TeamMember, one agent's part in it, for integrations; and a bank for each agent
team_records.py      every kind of record; record_scope.py: how those of one scope are kept and found
shared_memory.py     the scope of the team, that of one agent, and what may pass between
curator.py           what a curator is asked and answers, and observations that found nothing
prompted_curator.py  a curator with a model; local_curator.py: without;
role_contract.py     what a member is there for, and its own plan and hypotheses in its messages
question_kind.py     what a question asks for
hop_record.py        what an observation leaves in the memories; agents that repeat themselves
actions.py           actions and their queries in normal form
team_block.py        the block of one agent, and its words
ground_truth_agent.py an agent that knows circles and the form of answers, and no answer
meta_memory.py       what a task taught, and what outlives it
team_export.py       what is exported, with the figures of a task
"""

from amb_core.deferred import deferred
from amb_team.curator import CuratedFact, CuratedObservation, CuratedRelation, Curator, CuratorRequest
from amb_team.ground_truth_agent import AnswerCheck, GroundTruthAgent
from amb_team.hop_record import HopReport
from amb_team.local_curator import LocalCurator
from amb_team.member import TeamMember
from amb_team.meta_memory import MetaMemory, Reflection
from amb_team.prompted_curator import PromptedCurator
from amb_team.role_contract import RoleContract
from amb_team.team_export import TeamStatistics
from amb_team.team_memory import TeamMemory
from amb_team.team_settings import TeamSettings

__getattr__ = deferred(__name__, {}, renamed={"Observed": "HopReport"})

__all__ = [
    "AnswerCheck",
    "CuratedFact",
    "CuratedObservation",
    "CuratedRelation",
    "Curator",
    "CuratorRequest",
    "GroundTruthAgent",
    "HopReport",
    "LocalCurator",
    "MetaMemory",
    "PromptedCurator",
    "Reflection",
    "RoleContract",
    "TeamMember",
    "TeamMemory",
    "TeamSettings",
    "TeamStatistics",
]
