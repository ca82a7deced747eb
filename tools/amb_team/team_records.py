"""The records of team memory: what one agent notes for itself, what the team shares, and what outlives the task.

Every record has an `id` that is unique in its team (`shared.h3` a hop, `solver.v7` evidence), the `agent` it came from,
and the `turn` it was made in. Confidence, relevance and importance are in [0, 1].
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from amb_core.frozen import Frozen
from amb_core.text import index_tokens
from amb_core.text.language import HAN

__all__ = [
    "AnyRecord",
    "Challenge",
    "Collaboration",
    "Evidence",
    "Fact",
    "Hop",
    "Hypothesis",
    "Insight",
    "Interaction",
    "MessageType",
    "Noted",
    "Observation",
    "OutputNote",
    "PeerProfile",
    "PlanItem",
    "PlanStatus",
    "PromotionNote",
    "Quarantined",
    "ReasoningStep",
    "SearchResult",
    "Skill",
    "Trajectory",
]


Share = Annotated[float, Field(ge=0, le=1)]
MessageType = Literal["request", "response", "suggestion"]


class Noted(Frozen):
    """What every record of a team has: its id, the agent it came from, the turn, and the time (seconds since 1970).

    A scope gives id and time to a record that is added to it. Each kind says by a `letter` what its numbers begin with,
    by which of its fields it is found, which field says how useful it has proved, whether an agent notes the same words
    once, and which setting says how many of it an agent keeps.
    """

    letter: ClassVar[str] = ""
    found_by: ClassVar[tuple[str, ...]] = ()
    proved_by: ClassVar[str] = ""
    is_once: ClassVar[bool] = False
    most: ClassVar[str] = ""

    id: str = ""
    agent: str
    turn: int = 0
    at: float = 0.0

    def __init_subclass__(
        cls, *, letter: str, found_by: tuple[str, ...] = (), proved_by: str = "", is_once: bool = False, most: str = ""
    ) -> None:
        """Take what a kind says of itself behind the name of its class."""
        super().__init_subclass__()
        cls.letter, cls.found_by, cls.proved_by, cls.is_once, cls.most = letter, found_by, proved_by, is_once, most

    def once_more(self, new: Noted) -> dict[str, Any]:
        """What changes when it is noted again as `new`: the higher share or rank counts, and lists are joined."""
        changes: dict[str, Any] = {}
        for name in type(self).model_fields.keys() - Noted.model_fields.keys():
            before, after = getattr(self, name), getattr(new, name)
            if isinstance(before, tuple):
                changes[name] = tuple(dict.fromkeys((*before, *after)))
            elif before is None or isinstance(before, int | float):
                changes[name] = after if before is None else max(before, after)
        return changes

    @property
    def told(self) -> str:
        """Everything the record can be found by, as one text; "" for what is not to be found."""
        return " ".join(filter(None, (getattr(self, name) for name in self.found_by)))

    @property
    def succeeded(self) -> float:
        """How far it has proved useful, in [0, 1]; 0.5 where nobody knows."""
        return float(getattr(self, self.proved_by)) if self.proved_by else 0.5


# --- shared: seen by the team, for one task --------------------------------------------------------------------------


class Hop(Noted, letter="h", found_by=("sub_question", "action", "extracted_answer"), proved_by="success"):
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


class Fact(Noted, letter="f", found_by=("text", "subject", "relation", "value"), proved_by="confidence"):
    """One statement taken from an observation, word for word, with what it is about and the hop it came from.

    What an agent made of an observation, and shared, has the words it rests on as its `quote`.
    """

    kind: Literal["fact"] = "fact"
    text: str
    subject: str = ""
    relation: str = ""
    value: str = ""
    source: str = ""
    confidence: Share = 0.5
    disputed: bool = False
    quote: str = ""

    @property
    def statement(self) -> str:
        """The text, with what it is about where it only says "it" or "the company"."""
        known = self.subject in self.text or not {*index_tokens(self.subject)}.isdisjoint(index_tokens(self.text))
        if known:  # as it is with no subject at all
            return self.text
        return f"{self.subject}{'：' if HAN.search(self.text) else ': '}{self.text}"


class SearchResult(Noted, letter="q", found_by=("query",)):
    """What a search brought, under its query in normal form; `source` is the hop it was made in."""

    kind: Literal["search"] = "search"
    query: str
    normalised: str
    result: str
    source: str = ""
    uses: int = 0


class Interaction(Noted, letter="i", found_by=("message",), most="max_interactions"):
    """A message from one agent to another."""

    kind: Literal["interaction"] = "interaction"
    to: str
    message: str
    type: MessageType = "response"


class Collaboration(Noted, letter="b", found_by=("type",)):
    """How something two agents did together ended."""

    kind: Literal["collaboration"] = "collaboration"
    other: str
    type: str
    success: bool


# --- private: seen by one agent, for one task ------------------------------------------------------------------------


class PlanStatus(StrEnum):
    """How far an item of a plan has come."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BLOCKED = "blocked"


class PlanItem(Noted, letter="p", found_by=("description",), is_once=True, most="max_plan"):
    """Something an agent says that it means to do, such as the next query."""

    kind: Literal["plan"] = "plan"
    description: str
    status: PlanStatus = PlanStatus.PENDING
    priority: int = 0

    @property
    def succeeded(self) -> float:
        """0 for what is done, which is forgotten first."""
        return 0.0 if self.status is PlanStatus.COMPLETED else 0.5


class Hypothesis(Noted, letter="y", found_by=("content",), is_once=True, most="max_hypotheses"):
    """What may be the answer, with how sure the agent is and why."""

    kind: Literal["hypothesis"] = "hypothesis"
    content: str
    confidence: Share = 0.5
    verified: bool = False
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()

    @property
    def succeeded(self) -> float:
        """1 when verified, else its confidence."""
        return 1.0 if self.verified else self.confidence


class Evidence(Noted, letter="v", found_by=("content",), proved_by="relevance", is_once=True, most="max_evidence"):
    """A statement an agent saw, where, and which hypothesis it supports."""

    kind: Literal["evidence"] = "evidence"
    content: str
    source: str
    relevance: Share = 0.5
    supports: str | None = None


class ReasoningStep(Noted, letter="r", found_by=("premise", "conclusion"), proved_by="confidence"):
    """From a premise to a conclusion."""

    kind: Literal["reasoning"] = "reasoning"
    premise: str
    conclusion: str
    type: Literal["deduction", "induction", "abduction"] = "deduction"
    confidence: Share = 0.5


class Challenge(Noted, letter="d", found_by=("content",)):
    """A doubt: about a shared fact, or about the way the agent goes."""

    kind: Literal["challenge"] = "challenge"
    content: str
    about: str | None = None


class Observation(Noted, letter="o", found_by=("content",), most="max_observations"):
    """A key observation in few words."""

    kind: Literal["observation"] = "observation"
    content: str


class OutputNote(Noted, letter="u", most="max_outputs"):
    """What a model really answered, before anything was read off it."""

    kind: Literal["output"] = "output"
    content: str


class PeerProfile(Noted, letter="a", found_by=("peer",)):
    """What an agent thinks of another: `success_rate` is an exponential moving average over what came of its help."""

    kind: Literal["peer"] = "peer"
    peer: str
    expertise: tuple[str, ...] = ()
    status: Literal["", "working", "stuck", "done"] = ""
    interactions: int = 0
    success_rate: Share = 0.5


# --- between the scopes ----------------------------------------------------------------------------------------------


class PromotionNote(Noted, letter="m"):
    """That a record went up a level: which, from where to where, as what, on which evidence."""

    kind: Literal["promotion"] = "promotion"
    record_id: str
    new_id: str
    from_scope: str
    to_scope: str
    evidence: tuple[str, ...] = ()


class Quarantined(Noted, letter="x"):
    """A record that was to go up a level and was held back, and why."""

    kind: Literal["quarantine"] = "quarantine"
    record_id: str
    to_scope: str
    reason: Literal["type", "confidence", "duplicate", "conflict", "no evidence", "outcome"]


# --- meta: seen by every task, for ever (on long-term memory) --------------------------------------------------------


class Trajectory(Frozen):
    """How a task went: its question, the actions with what they brought, and how it ended.

    `used` are the records of the insights and skills that it was shown, or found itself, in this `run`; `refuted` are
    answers to it that did not hold in earlier runs.
    """

    task: str
    steps: tuple[str, ...] = ()
    answer: str = ""
    success: bool = False
    reason: str = ""
    run: str = ""
    used: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[str, ...]:
        """All answers that did not hold."""
        return tuple(dict.fromkeys((*self.refuted, *((self.answer,) if self.answer and not self.success else ()))))


class Insight(Frozen):
    """A rule learnt from a task, for which type of question, and how many tasks used it since and ended well."""

    text: str
    question_type: str = ""
    success: bool = True
    importance: Share = 0.5
    uses: int = 0
    successes: int = 0


class Skill(Frozen):
    """A pattern of actions that led to the answer for a type of question, such as `Search[{work} director]`."""

    pattern: tuple[str, ...]
    question_type: str = ""
    uses: int = 0
    successes: int = 0


AnyRecord = Annotated[
    Hop | Fact | SearchResult | Interaction | Collaboration | PlanItem | Hypothesis | Evidence | ReasoningStep
    | Challenge | Observation | OutputNote | PeerProfile | PromotionNote | Quarantined,
    Field(discriminator="kind"),
]  # fmt: skip
"""A record of any kind; its field `kind` says which."""
