"""The records of team memory: what one agent notes for itself, what the team shares, and what outlives the task.

Every record has an `id` that is unique in its team (`shared.h3` a hop, `solver.v7` evidence), the `agent` it came from,
and the `turn` it was made in. Confidence, relevance and importance are in [0, 1].
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from amb_core.frozen import Frozen
from amb_core.text import index_tokens

__all__ = [
    "Challenge",
    "Collaboration",
    "Evidence",
    "Fact",
    "Hop",
    "Hypothesis",
    "Insight",
    "Interaction",
    "Noted",
    "Observation",
    "OutputNote",
    "PeerProfile",
    "PlanItem",
    "PlanStatus",
    "PrivateRecord",
    "Promotion",
    "Quarantined",
    "ReasoningStep",
    "RoleContract",
    "SearchResult",
    "SharedRecord",
    "Skill",
    "Trajectory",
]

_HAN = re.compile(r"[\u3400-\u9fff]")

Share = Annotated[float, Field(ge=0, le=1)]


def _words(text: str) -> set[str]:
    return set(index_tokens(text))


class Noted(Frozen):
    """What every record of a team has: its id, the agent it came from, the turn, and the time (seconds since 1970)."""

    id: str
    agent: str
    turn: int = 0
    at: float = 0.0

    @property
    def told(self) -> str:
        """Everything the record can be found by, as one text; "" for what is not to be found."""
        return ""

    @property
    def succeeded(self) -> float:
        """How far it has proved useful, in [0, 1]; 0.5 where nobody knows."""
        return 0.5


# --- shared: seen by the team, for one task --------------------------------------------------------------------------


class Hop(Noted):
    """One action and what it brought: the sub-question it was to answer, and the answer that was read off.

    `answers_task` says that the answer, as sure as `confidence`, is one to the whole task; `next_queries` are what the
    observation suggests to ask next, best first.
    """

    kind: Literal["hop"] = "hop"
    sub_question: str
    action: str
    observation: str
    extracted_answer: str | None = None
    bridge_entity: str | None = None
    success: bool = True
    answers_task: bool = False
    confidence: Share = 0.0
    next_queries: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The sub-question, the action and the answer; the observation is found through its facts."""
        return " ".join(part for part in (self.sub_question, self.action, self.extracted_answer) if part)

    @property
    def succeeded(self) -> float:
        """1 for a hop that brought something."""
        return float(self.success)


class Fact(Noted):
    """One statement taken from an observation, word for word, with what it is about and the hop it came from."""

    kind: Literal["fact"] = "fact"
    text: str
    subject: str = ""
    relation: str = ""
    value: str = ""
    source: str = ""
    confidence: Share = 0.5
    disputed: bool = False

    @property
    def statement(self) -> str:
        """The text, with what it is about where it only says "it" or "the company"."""
        if not self.subject or self.subject in self.text or _words(self.subject) & _words(self.text):
            return self.text
        return f"{self.subject}{'：' if _HAN.search(self.text) else ': '}{self.text}"

    @property
    def told(self) -> str:
        """The statement with its parts."""
        return " ".join(part for part in (self.text, self.subject, self.relation, self.value) if part)

    @property
    def succeeded(self) -> float:
        """Its confidence."""
        return self.confidence


class SearchResult(Noted):
    """What a search brought, under its query in normal form; `source` is the hop it was made in."""

    kind: Literal["search"] = "search"
    query: str
    normalised: str
    result: str
    source: str = ""
    uses: int = 0

    @property
    def told(self) -> str:
        """The query."""
        return self.query


class Interaction(Noted):
    """A message from one agent to another."""

    kind: Literal["interaction"] = "interaction"
    to: str
    message: str
    type: Literal["request", "response", "suggestion"] = "response"

    @property
    def told(self) -> str:
        """The message."""
        return self.message


class Collaboration(Noted):
    """How something two agents did together ended."""

    kind: Literal["collaboration"] = "collaboration"
    other: str
    type: str
    success: bool

    @property
    def told(self) -> str:
        """What was done together."""
        return self.type


# --- private: seen by one agent, for one task ------------------------------------------------------------------------


class PlanStatus(StrEnum):
    """How far an item of a plan has come."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BLOCKED = "blocked"


class RoleContract(Frozen):
    """What an agent is there for; data for those who want it, never shown unless asked for."""

    role: str
    responsibilities: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


class PlanItem(Noted):
    """Something an agent means to do, such as the next query."""

    kind: Literal["plan"] = "plan"
    description: str
    status: PlanStatus = PlanStatus.PENDING
    priority: int = 0

    @property
    def told(self) -> str:
        """What is to be done."""
        return self.description


class Hypothesis(Noted):
    """What may be the answer, with how sure the agent is and why."""

    kind: Literal["hypothesis"] = "hypothesis"
    content: str
    confidence: Share = 0.5
    verified: bool = False
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The hypothesis."""
        return self.content

    @property
    def succeeded(self) -> float:
        """1 when verified, else its confidence."""
        return 1.0 if self.verified else self.confidence


class Evidence(Noted):
    """A statement an agent saw, where, and which hypothesis it supports."""

    kind: Literal["evidence"] = "evidence"
    content: str
    source: str
    relevance: Share = 0.5
    supports: str | None = None

    @property
    def told(self) -> str:
        """The statement."""
        return self.content

    @property
    def succeeded(self) -> float:
        """Its relevance."""
        return self.relevance


class ReasoningStep(Noted):
    """From a premise to a conclusion."""

    kind: Literal["reasoning"] = "reasoning"
    premise: str
    conclusion: str
    type: Literal["deduction", "induction", "abduction"] = "deduction"
    confidence: Share = 0.5

    @property
    def told(self) -> str:
        """Premise and conclusion."""
        return f"{self.premise} {self.conclusion}"

    @property
    def succeeded(self) -> float:
        """Its confidence."""
        return self.confidence


class Challenge(Noted):
    """A doubt: about a shared fact, or about the way the agent goes."""

    kind: Literal["challenge"] = "challenge"
    content: str
    about: str | None = None

    @property
    def told(self) -> str:
        """The doubt."""
        return self.content


class Observation(Noted):
    """A key observation in few words."""

    kind: Literal["observation"] = "observation"
    content: str

    @property
    def told(self) -> str:
        """The observation."""
        return self.content


class OutputNote(Noted):
    """What a model really answered, before anything was read off it."""

    kind: Literal["output"] = "output"
    content: str


class PeerProfile(Noted):
    """What an agent thinks of another: `success_rate` is an exponential moving average over what came of its help."""

    kind: Literal["peer"] = "peer"
    peer: str
    expertise: tuple[str, ...] = ()
    status: Literal["", "working", "stuck", "done"] = ""
    interactions: int = 0
    success_rate: Share = 0.5

    @property
    def told(self) -> str:
        """The peer and what it is good at."""
        return " ".join((self.peer, *self.expertise))


# --- between the scopes ----------------------------------------------------------------------------------------------


class Promotion(Noted):
    """That a record went up a level: which, from where to where, as what, on which evidence."""

    kind: Literal["promotion"] = "promotion"
    record_id: str
    new_id: str
    from_scope: str
    to_scope: str
    evidence: tuple[str, ...] = ()


class Quarantined(Noted):
    """A record that was to go up a level and was held back, and why."""

    kind: Literal["quarantine"] = "quarantine"
    record_id: str
    to_scope: str
    reason: Literal["type", "confidence", "duplicate", "conflict", "no evidence", "outcome"]


# --- meta: seen by every task, for ever (on long-term memory) --------------------------------------------------------


class Trajectory(Frozen):
    """How a task went: its question, the actions with what they brought, and how it ended."""

    task: str
    steps: tuple[str, ...] = ()
    answer: str = ""
    success: bool = False
    reason: str = ""


class Insight(Frozen):
    """A rule learnt from a task, for which type of question, and how it has proved itself since."""

    text: str
    question_type: str = ""
    success: bool = True
    importance: Share = 0.5


class Skill(Frozen):
    """A pattern of actions that led to the answer for a type of question, such as `Search[{work} director]`."""

    pattern: tuple[str, ...]
    question_type: str = ""
    uses: int = 0
    successes: int = 0


SharedRecord = Hop | Fact | SearchResult | Interaction | Collaboration
PrivateRecord = (
    PlanItem
    | Hypothesis
    | Evidence
    | ReasoningStep
    | Challenge
    | PeerProfile
    | Interaction
    | SearchResult
    | Observation
    | OutputNote
)
