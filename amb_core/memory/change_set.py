"""What one step changes in a bank, as one value: journalled in one transaction, then applied in one go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
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
from amb_core.scope import Scope
from amb_core.usage import Bill, Usage

__all__ = [
    "BOOKKEEPING",
    "KINDS",
    "LETTERS",
    "ChangeSet",
    "Counters",
    "highest",
    "id_number",
    "is_id",
    "link_id",
    "record_id",
]

LETTERS = "aecmnt"
"""The letters of ids: attachment, entry, conflict, merge, node, and the turn of an injection."""

_ID = re.compile(r"[a-z][1-9][0-9]{0,17}")


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
    "usage": Usage,
    "bill": Bill,
    "scope": Scope,
}
"""Every kind of record a bank keeps, by the name it is journalled under."""

BOOKKEEPING = frozenset({"counters", "injection", "usage", "bill", "scope"})
"""Kinds that say what was done and spent; nothing is judged or planned by them."""

_GROUPS = {
    "entry": "entries",
    "digestion": "digestions",
    "node": "nodes",
    "link": "links",
    "conflict": "conflicts",
    "merge": "merges",
    "archive": "archive",
    "injection": "injections",
    "waiting": "waiting",
    "bill": "bills",
}
"""Where a snapshot holds the records of a kind of which there are many."""


def is_id(identifier: str, letter: str) -> bool:
    """Whether this is an id of that letter: the letter and a number from 1 on."""
    return identifier.startswith(letter) and _ID.fullmatch(identifier) is not None


def id_number(identifier: str) -> int:
    """The number in an id: 12 for `n12`."""
    return int(identifier[1:])


def link_id(a: str, b: str) -> str:
    """The identity of an undirected link."""
    return f"{a}-{b}" if a <= b else f"{b}-{a}"


def record_id(record: Frozen) -> str:
    """The id a record is kept under within its kind."""
    match record:
        case InsightDoc() | Counters() | EmbedderIdentity() | Usage() | Scope():
            return "-"
        case InteractionEntry() | Digestion() | Bill():
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


_KIND_OF: dict[type[Frozen], str] = {model: kind for kind, model in KINDS.items()}


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

    def entries(self) -> list[InteractionEntry]:
        """The entries this change set puts, in order."""
        return [record for record in self.puts.values() if isinstance(record, InteractionEntry)]

    @classmethod
    def of_snapshot(cls, snapshot: BankSnapshot) -> ChangeSet:
        """Everything in a snapshot, as the change that brings an empty bank there."""
        last = highest(snapshot)
        changes = cls(last=last)
        changes.put(Counters(last=dict(last)), snapshot.insight)
        for single in (snapshot.embedder, snapshot.usage, snapshot.scope):
            if single is not None:
                changes.put(single)
        for name in _GROUPS.values():
            changes.put(*getattr(snapshot, name))
        return changes

    def as_snapshot(self) -> BankSnapshot | None:
        """What an empty bank is after this change, in the order of the puts; None when no task is among them."""
        single = {kind: self.puts.get((kind, "-")) for kind in ("insight", "embedder", "usage", "scope")}
        if not isinstance(single["insight"], InsightDoc):
            return None
        kept: dict[str, list[Frozen]] = {kind: [] for kind in KINDS}
        for (kind, _), record in self.puts.items():
            kept[kind].append(record)
        groups = {name: tuple(kept[kind]) for kind, name in _GROUPS.items()}
        return BankSnapshot.model_validate({**single, "counters": dict(self.last), **groups})


def highest(snapshot: BankSnapshot) -> dict[str, int]:
    """The counters of a snapshot, each at least as high as the highest number of its letter in use."""
    last = dict(snapshot.counters)
    for identifier in _identifiers(snapshot):
        if identifier[:1] in LETTERS and _ID.fullmatch(identifier):
            last[identifier[0]] = max(last.get(identifier[0], 0), id_number(identifier))
    return last


def _identifiers(snapshot: BankSnapshot) -> Iterator[str]:
    """Every id that occurs in a snapshot, as a thing that is there or as one that was."""
    for entry in snapshot.entries:
        yield entry.entry_id
        yield from (attachment.id for attachment in entry.attachments)
    for digestion in snapshot.digestions:
        yield digestion.entry_id
        yield from digestion.node_ids
    yield from (node.id for node in snapshot.nodes)
    for link in (*snapshot.links, *(link for kept in snapshot.archive for link in kept.links)):
        yield from (link.a, link.b)
    for conflict in snapshot.conflicts:
        yield from (conflict.id, *conflict.node_ids)
    for event in snapshot.merges:
        yield from (event.event_id, event.new_node_id, *event.merged_node_ids, *event.conflict_ids)
    for kept in snapshot.archive:
        yield from (kept.node.id, kept.event_id)
    yield from (f"t{injection.turn}" for injection in snapshot.injections)
    yield from (attachment.id for attachment in snapshot.waiting)
