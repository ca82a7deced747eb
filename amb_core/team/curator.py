"""What a curator is asked about an observation, and what it answers."""

from __future__ import annotations

from typing import Annotated, Protocol

from pydantic import Field

from amb_core.agent_io import Statement
from amb_core.frozen import Frozen

__all__ = ["CuratedFact", "CuratedObservation", "CuratedRelation", "Curator", "CuratorRequest"]


class CuratorRequest(Frozen):
    """One action with what it brought.

    `task` is the question of the team, `sub_question` what the action was to find out (derived from the action when
    the agent did not say), `known` the facts and answers of earlier hops, `asked` the queries that were made.
    """

    task: str
    action: str
    observation: str
    sub_question: str = ""
    known: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


class CuratedFact(Frozen):
    """A statement of the observation, word for word from `start` to `end` of it."""

    text: str
    start: int
    end: int
    subject: str = ""
    relation: str = ""
    value: str = ""
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5


class CuratedRelation(Frozen):
    """`subject` stands in `relation` to `value`."""

    subject: str
    relation: str
    value: str

    @classmethod
    def of(cls, statement: Statement) -> CuratedRelation:
        """The relation that a statement states."""
        return cls(subject=statement.subject, relation=statement.attribute, value=statement.value)


class CuratedObservation(Frozen):
    """What is in an observation for the task; empty where there is nothing.

    `answer` is the candidate answer to the sub-question, `bridge_entity` the entity over which the next hop goes,
    `answers_task` whether `answer` answers the whole task; `next_queries` are what to ask next, best first.
    `dropped` are the statements of a model that the observation does not bear out.
    """

    entities: tuple[str, ...] = ()
    facts: tuple[CuratedFact, ...] = ()
    relations: tuple[CuratedRelation, ...] = ()
    answer: str | None = None
    answers_task: bool = False
    bridge_entity: str | None = None
    next_queries: tuple[str, ...] = ()
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.0
    is_dead_end: bool = False
    dropped: int = 0


class Curator(Protocol):
    """Reads off an observation what the team needs; never invents: every name and value stands in the observation.

    Yes and no do not, nor need the two things that the task itself has one compare.
    """

    def curate(self, request: CuratorRequest) -> CuratedObservation: ...
