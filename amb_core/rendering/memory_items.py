"""A block, and one note as it shows it; with two banks shown together, its id says by a letter in which it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from amb_core.models import Opinion, QueryNode, Receipt, Span
from amb_core.protocols import Hit

__all__ = [
    "OWN",
    "SHARED",
    "Claim",
    "Dispute",
    "MemoryBlock",
    "MemoryItem",
    "State",
    "ValueChange",
    "lettered",
    "of_own_bank",
    "with_letter",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """A value, a document that says so, and how many independent sources it has ("" and 0 where nobody can tell)."""

    value: str
    document: str = ""
    witnesses: int = 0


@dataclass(frozen=True, slots=True)
class Dispute:
    """What a note is disputed with: the other notes, what this one says and what they say, None where nobody knows.

    `opinion` is what the agent itself says of the dispute of that id; it counts where the evidence says so too.
    """

    others: tuple[str, ...]
    mine: Claim | None = None
    theirs: Claim | None = None
    id: str = ""
    opinion: Opinion | None = None
    opinion_counts: bool = False


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One value of a record (or of a whole result: no name) as it is now, and as it was.

    `record` names one of several.
    """

    name: str
    now: str
    before: str
    record: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """How a note stands to other states of the same call or record.

    With `newer`, the id of the note of the newest state ("" while there is none yet), it is as of `step`; without
    (None) it is the newest itself, and `changes` is what was otherwise at `step`.
    """

    step: int
    newer: str | None = None
    changes: tuple[ValueChange, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One candidate node: how well it matched, and the raw text under its spans, in order.

    A node without passages is shown by its summary. `heading` is the first line of the dialogue it is a part of, such
    as the date of the session; "" for everything else.
    """

    node: QueryNode
    hit: Hit
    passages: tuple[tuple[Span, str], ...] = ()
    disputes: tuple[Dispute, ...] = ()
    source: str = ""
    heading: str = ""
    refuted: tuple[Claim, ...] = ()
    state: State | None = None


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A rendered block; `tokens` is its estimate, tags included, and `receipts` say what is in it, best first."""

    text: str
    receipts: tuple[Receipt, ...]
    tokens: int
    query: str


OWN, SHARED = "p", "s"
"""`p12` is a note of the agent's own (private) bank, `s12` one of the shared bank."""


def with_letter(node_id: str, letter: str) -> str:
    """The id with another letter: `n12` → `s12`."""
    return f"{letter}{node_id[1:]}"


def lettered(items: Iterable[MemoryItem], letter: str) -> list[MemoryItem]:
    """Notes whose ids, and those of what they are disputed with, carry the letter of their bank."""
    return [_lettered(item, letter) for item in items]


def _lettered(item: MemoryItem, letter: str) -> MemoryItem:
    disputes = tuple(
        replace(one, others=tuple(with_letter(other, letter) for other in one.others)) for one in item.disputes
    )
    node = item.node.model_copy(update={"id": with_letter(item.node.id, letter)})
    state = item.state
    if state is not None and state.newer:
        state = replace(state, newer=with_letter(state.newer, letter))
    return replace(item, node=node, hit=replace(item.hit, id=node.id), disputes=disputes, state=state)


def of_own_bank(receipts: Iterable[Receipt]) -> tuple[Receipt, ...]:
    """Receipts by the ids of the agent's own bank; those of shared notes keep their letter."""
    return tuple(
        one.model_copy(update={"node_id": with_letter(one.node_id, "n")}) if one.node_id.startswith(OWN) else one
        for one in receipts
    )
