"""What one step changes in a bank, as one value: journalled in one transaction, then applied in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar

from amb_core.attachments import Attachment
from amb_core.memory.ids import Counters, highest, link_id
from amb_core.models import (
    ArchivedNode,
    BankSnapshot,
    ClosedInsight,
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

__all__ = ["BOOKKEEPING", "KINDS", "ChangeSet", "Kind"]

Model = TypeVar("Model", bound=Frozen)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of record a bank keeps: `group` is where a snapshot holds it, `id_of` what it is kept under.

    There is one record of a kind without `id_of`.
    """

    model: type[Frozen]
    group: str
    id_of: Callable[[Any], str] | None = None


KINDS: Mapping[str, Kind] = {
    "insight": Kind(InsightDoc, "insight"),
    "earlier": Kind(ClosedInsight, "earlier", attrgetter("id")),
    "counters": Kind(Counters, "counters"),
    "embedder": Kind(EmbedderIdentity, "embedder"),
    "entry": Kind(InteractionEntry, "entries", attrgetter("entry_id")),
    "digestion": Kind(Digestion, "digestions", attrgetter("entry_id")),
    "node": Kind(QueryNode, "nodes", attrgetter("id")),
    "link": Kind(Link, "links", lambda link: link_id(link.a, link.b)),
    "conflict": Kind(Conflict, "conflicts", attrgetter("id")),
    "merge": Kind(MergeEvent, "merges", attrgetter("event_id")),
    "archive": Kind(ArchivedNode, "archive", attrgetter("node.id")),
    "injection": Kind(Injection, "injections", lambda injection: str(injection.turn)),
    "waiting": Kind(Attachment, "waiting", attrgetter("id")),
    "usage": Kind(Usage, "usage"),
    "bill": Kind(Bill, "bills", attrgetter("entry_id")),
    "scope": Kind(Scope, "scope"),
}
"""Every kind of record a bank keeps, by the name it is journalled under."""

BOOKKEEPING = frozenset({"counters", "injection", "usage", "bill", "scope"})
"""Kinds that say what was done and spent; nothing is judged or planned by them."""


_KIND_OF: dict[type[Frozen], str] = {kind.model: name for name, kind in KINDS.items()}


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
            name = _KIND_OF[type(record)]
            id_of = KINDS[name].id_of
            key = (name, "-" if id_of is None else id_of(record))
            self.deletes.pop(key, None)
            self.puts[key] = record

    def delete(self, kind: str, identifiers: Iterable[str]) -> None:
        """Remove records of a kind."""
        for identifier in identifiers:
            self.puts.pop((kind, identifier), None)
            self.deletes[kind, identifier] = None

    def records(self, model: type[Model]) -> list[Model]:
        """The records of a model this change set puts, in order."""
        return [record for record in self.puts.values() if isinstance(record, model)]

    @classmethod
    def of_snapshot(cls, snapshot: BankSnapshot) -> ChangeSet:
        """Everything in a snapshot, as the change that brings an empty bank there."""
        last = highest(snapshot)
        changes = cls(last=last)
        changes.put(Counters(last=dict(last)))
        for kind in KINDS.values():
            held = getattr(snapshot, kind.group)
            if kind.id_of is not None:
                changes.put(*held)
            elif held is not None and kind.model is not Counters:
                changes.put(held)
        return changes

    def as_snapshot(self) -> BankSnapshot | None:
        """What an empty bank is after this change, in the order of the puts; None when no task is among them."""
        if ("insight", "-") not in self.puts:
            return None
        groups: dict[str, list[Frozen]] = {kind.group: [] for kind in KINDS.values()}
        for (name, _), record in self.puts.items():
            groups[KINDS[name].group].append(record)
        single = {kind.group: next(iter(groups[kind.group]), None) for kind in KINDS.values() if kind.id_of is None}
        return BankSnapshot.model_validate({**groups, **single, "counters": dict(self.last)})
