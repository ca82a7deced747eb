"""Writes change sets to a record store and reads a bank back from one."""

from __future__ import annotations

from collections import defaultdict
from typing import cast

from pydantic import JsonValue, ValidationError

from amb_core.errors import StoreCorrupt
from amb_core.memory.changes import KINDS, ChangeSet, Counters
from amb_core.models import Frozen, InteractionEntry
from amb_core.protocols import Clock, Record, RecordQuery, RecordStore

__all__ = ["Journal"]

_PREFIX = "task/"


def _data(record: Frozen) -> dict[str, JsonValue]:
    data = cast("dict[str, JsonValue]", record.model_dump(mode="json"))
    if isinstance(record, InteractionEntry):
        data["text"] = record.text  # the same object, so that a store in memory holds no second copy of raw text
    return data


class Journal:
    """One bank's records in a store, a namespace per kind."""

    def __init__(self, store: RecordStore, *, clock: Clock) -> None:
        self.store = store
        self._clock = clock

    def write(self, changes: ChangeSet) -> None:
        """Write all of it in one transaction, or nothing (StoreError)."""
        now = self._clock.now()
        deletes: defaultdict[str, list[str]] = defaultdict(list)
        for kind, identifier in changes.deletes:
            deletes[kind].append(identifier)
        records = [
            Record(namespace=_PREFIX + kind, id=identifier, data=_data(record), created_at=now, updated_at=now)
            for (kind, identifier), record in changes.puts.items()
        ]
        with self.store.transaction():
            for kind, identifiers in deletes.items():
                self.store.delete(_PREFIX + kind, identifiers)
            if records:
                self.store.put(records)

    def read(self) -> ChangeSet:
        """All that is stored, as one change set; an unreadable record is a StoreCorrupt that names it."""
        changes = ChangeSet(last={})
        for kind, model in KINDS.items():
            damaged = self.store.damaged(_PREFIX + kind)
            if damaged:
                raise StoreCorrupt(f"stored {kind} {damaged[0]!r} cannot be read; restore the file from a backup")
            for stored in self.store.search(RecordQuery(namespace=_PREFIX + kind)):
                try:
                    changes.put(model.model_validate(stored.data, strict=False))
                except ValidationError as error:
                    raise StoreCorrupt(
                        f"stored {kind} {stored.id!r} is not valid: {error.errors()[0]['msg']}"
                    ) from None
        counters = changes.puts.get(("counters", "-"))
        if isinstance(counters, Counters):
            changes.last = dict(counters.last)
        return changes

    def clear(self) -> None:
        """Remove everything this bank stored."""
        with self.store.transaction():
            for kind in KINDS:
                found = self.store.search(RecordQuery(namespace=_PREFIX + kind))
                self.store.delete(_PREFIX + kind, [record.id for record in found])
