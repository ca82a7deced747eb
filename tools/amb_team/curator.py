"""What a curator is asked about an observation, and what it answers; and observations that found nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Protocol

from pydantic import Field

from amb_core.agent_io import Statement
from amb_core.frozen import Frozen
from amb_core.text import index_tokens
from amb_team.actions import argument_of

__all__ = [
    "CuratedFact",
    "CuratedObservation",
    "CuratedRelation",
    "Curator",
    "CuratorRequest",
    "is_dead_end",
    "nothing_found",
    "suggestions",
]

_DEAD_END = re.compile(
    r"^\s*(?:could not find|no (?:more )?results?|not found|nothing found|invalid action|error\b|\(?no results|no page)"
    r"|^\s*(?:未找到|没有找到|找不到|无结果|没有结果|无效)",
    re.IGNORECASE,
)
_SUGGESTED = re.compile(
    r"(?:\b(?:similar|did you mean|suggest(?:ions|ed)|related|see also)(?: (?:pages|titles|results))?"
    r"|(?:相似|类似|相关)(?:条目|页面|结果|词条)?|(?:您|你)?(?:是不是要找|是否要找|要找的是不是))\s*[:：]\s*(?P<names>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(
    r"'((?:[^'\n]|'(?![,\]\n]|$)){1,120})'(?=[,\]]|\s*$)|\"([^\"\n]{1,120})\"|“([^“”\n]{1,120})”|《([^《》\n]{1,60})》"
)
_BETWEEN = re.compile(r"[,;、，；\n]")
_MOST, _MOST_READ = 3, 12
_LONGEST = 2_000


class CuratorRequest(Frozen):
    """One action with what it brought.

    `task` is the question of the team, `sub_question` what the action was to find out (derived from the action when
    the agent did not say), `known` the facts and answers of earlier hops, `asked` the queries that were made, `refuted`
    answers to the task that did not hold when it was tried before.
    """

    task: str
    action: str
    observation: str
    sub_question: str = ""
    known: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()


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


def is_dead_end(observation: str) -> bool:
    """Whether an observation only says that nothing was found."""
    return not observation.strip() or _DEAD_END.search(observation) is not None


def nothing_found(request: CuratorRequest) -> CuratedObservation:
    """What a curator makes of such an observation: there is nothing in it but what may be asked instead."""
    asked = (*request.asked, argument_of(request.action))
    queries = suggestions(request.observation, task=request.task, known=request.known, asked=asked)
    return CuratedObservation(is_dead_end=True, next_queries=tuple(queries))


def suggestions(observation: str, *, task: str, known: Sequence[str] = (), asked: Sequence[str] = ()) -> list[str]:
    """Pages that an observation without a find names instead; none asked before.

    Those come first that have most of their words in common with the task and with facts that are `known`.
    """
    found = _SUGGESTED.search(observation[:_LONGEST])
    if found is None:
        return []
    names = [name for match in _QUOTED.finditer(found["names"]) for name in match.groups() if name]
    names = names or [name.strip(" []().。?？") for name in _BETWEEN.split(found["names"])]
    done = {query.strip().casefold() for query in asked}
    fresh = [name for name in dict.fromkeys(names[:_MOST_READ]) if name and name.casefold() not in done]
    wanted = set(index_tokens(" ".join((task, *known))))
    return sorted(fresh, key=lambda name: -_share(set(index_tokens(name)), wanted))[:_MOST]


def _share(terms: set[str], wanted: set[str]) -> float:
    return len(terms & wanted) / max(len(terms), 1)
