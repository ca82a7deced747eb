"""Team memory: what one agent notes, what a team shares for a task, and what every later task learns from it.

team_memory.py       TeamMemory: inject, observe, promote, finish
member.py            TeamMember, one agent's part, for integrations; actions.py: tool calls as actions
own_banks.py         a bank for each agent of a framework's team
records.py           every kind of record; record_kinds.py: all of them
scope.py             the records of one scope on the core's store and index
shared_memory.py     what the team shares; private_memory.py: what one agent notes
curating.py          what a curator is asked; local_curator.py, prompted_curator.py: without and with a model
reading.py           an observation read with a question in mind: question_types.py, question_names.py, answering.py,
                     comparing.py, bridging.py, dead_ends.py; taking_in.py: what is kept of it
observed.py          what became of an observation; once.py: what was told of before
injecting.py         the block of one agent, block_lines.py: its lines; queries.py: when two searches are one
circles.py           agents that go in circles (loop_breaker.py notices them)
firewall.py          what may be shared; leaving.py: what goes to long-term memory; exporting.py: what is exported
ground_truth.py      an agent that knows circles and the form of answers (answer_forms.py), and no answer
meta_memory.py       what outlives a task; reflection.py: what it was
"""

from amb_core.team.curator import CuratedFact, CuratedObservation, CuratedRelation, Curator, CuratorRequest
from amb_core.team.ground_truth_agent import AnswerCheck, GroundTruthAgent
from amb_core.team.hop_record import Observed
from amb_core.team.local_curator import LocalCurator
from amb_core.team.member import TeamMember
from amb_core.team.meta_memory import MetaMemory
from amb_core.team.prompted_curator import PromptedCurator
from amb_core.team.reflection import Reflection
from amb_core.team.team_memory import TeamMemory
from amb_core.team.team_settings import TeamSettings
from amb_core.team.team_statistics import TeamStatistics

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
