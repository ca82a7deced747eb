"""What one step changes in a bank, as one value: journalled in one transaction, then applied in one go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from amb_core.models import (
    ArchivedNode,
    Attachment,
    BankSnapshot,
    Conflict,
    Digestion,
    EmbedderIdentity,
    Frozen,
    Injection,
    InsightDoc,
    InteractionEntry,
    Link,
    MergeEvent,
    QueryNode,
)

__all__ = ["KINDS", "ChangeSet", "Counters", "id_number", "link_id", "record_id"]


class Counters(Frozen):
    """The last number given out per id letter; numbers are never given out twice."""

    last: dict[str, int] = {}


KINDS: Mapping[str, type[Frozen]] = {
    "insight": InsightDoc,
    "counters": Counters,
    "embedder": EmbedderIdentity,
    "entry": InteractionEntry,
    "digestion": Digestion,
    "node": QueryNode,
    "link": Link,
    "conflict": Conflict,
    "merge": MergeEvent,
    "archive": ArchivedNode,
    "injection": Injection,
    "waiting": Attachment,
}
"""Every kind of record a bank keeps, by the name it is journalled under."""


def id_number(identifier: str) -> int:
    """The number in an id: 12 for `n12`."""
    return int(identifier[1:])


def link_id(a: str, b: str) -> str:
    """The identity of an undirected link."""
    return f"{a}-{b}" if a <= b else f"{b}-{a}"


def record_id(record: Frozen) -> str:
    """The id a record is kept under within its kind."""
    match record:
        case InsightDoc() | Counters() | EmbedderIdentity():
            return "-"
        case InteractionEntry() | Digestion():
            return record.entry_id
        case Link():
            return link_id(record.a, record.b)
        case MergeEvent():
            return record.event_id
        case ArchivedNode():
            return record.node.id
        case Injection():
            return str(record.turn)
        case QueryNode() | Conflict() | Attachment():
            return record.id
    raise TypeError(f"no id is known for {type(record).__name__}")


_KIND_OF = {model: kind for kind, model in KINDS.items()}


@dataclass(slots=True)
class ChangeSet:
    """Puts and deletes by (kind, id), in order; the last word on an id counts.

    `last` is a copy of the bank's counters: ids are drawn from it, and it is put with the rest, so that a change set
    that is never committed uses up no number.
    """

    last: dict[str, int]
    puts: dict[tuple[str, str], Frozen] = field(default_factory=dict)
    deletes: dict[tuple[str, str], None] = field(default_factory=dict)

    def new_id(self, letter: str) -> str:
        """The next id of that letter (`n`, `e`, `c`, `m`, `a`)."""
        self.last[letter] = self.last.get(letter, 0) + 1
        self.puts["counters", "-"] = Counters(last=dict(self.last))
        return f"{letter}{self.last[letter]}"

    def put(self, *records: Frozen) -> None:
        """Insert or replace records."""
        for record in records:
            key = (_KIND_OF[type(record)], record_id(record))
            self.deletes.pop(key, None)
            self.puts[key] = record

    def delete(self, kind: str, identifiers: Iterable[str]) -> None:
        """Remove records of a kind."""
        for identifier in identifiers:
            self.puts.pop((kind, identifier), None)
            self.deletes[kind, identifier] = None

    def of(self, kind: str) -> list[Frozen]:
        """The records of a kind this change set puts, in order."""
        return [record for (its_kind, _), record in self.puts.items() if its_kind == kind]

    @classmethod
    def of_snapshot(cls, snapshot: BankSnapshot) -> ChangeSet:
        """Everything in a snapshot, as the change that brings an empty bank there."""
        changes = cls(last=dict(snapshot.counters))
        changes.put(Counters(last=dict(snapshot.counters)), snapshot.insight)
        if snapshot.embedder is not None:
            changes.put(snapshot.embedder)
        for group in (
            snapshot.entries,
            snapshot.digestions,
            snapshot.nodes,
            snapshot.links,
            snapshot.conflicts,
            snapshot.merges,
            snapshot.archive,
            snapshot.injections,
            snapshot.waiting,
        ):
            changes.put(*group)
        return changes
