"""Writes change sets to a record store and reads a bank back from one."""

from __future__ import annotations

from collections import defaultdict
from typing import cast

from pydantic import JsonValue, ValidationError

from amb_core.clock import SteadyClock
from amb_core.errors import StoreCorrupt, StoreGone, StoreLocked
from amb_core.memory.change_set import KINDS, ChangeSet, Counters, highest
from amb_core.memory.row_store import PREFIX, RowStore, StoredRows
from amb_core.memory.snapshots import damage
from amb_core.models import Digestion, EntryState, Frozen, InteractionEntry, Link
from amb_core.protocols import Changed, Clock, Record, RecordQuery, RecordStore, SharedStore

__all__ = ["Journal"]

_STAYS = frozenset({"insight", "counters", "entry", "digestion"})
"""Kinds whose records go only with the whole task."""


def _data(record: Frozen) -> dict[str, JsonValue]:
    data = cast("dict[str, JsonValue]", record.model_dump(mode="json"))
    if isinstance(record, InteractionEntry):
        data["text"] = record.text  # the same object, so that a store in memory holds no second copy of raw text
    return data


class Journal:
    """One bank's records in a store, a namespace per kind."""

    def __init__(self, store: RecordStore, *, clock: Clock, digests: bool = True) -> None:
        self.store = store
        self._shared = store if isinstance(store, SharedStore) else None
        self.digests = digests
        """Whether this process digests what it takes in; else a worker does."""
        self._clock = clock if isinstance(clock, SteadyClock) else SteadyClock(clock)
        self._counters: Counters | None = None
        """The counters as this journal wrote or read them last; another writer's differ."""

    def write(self, changes: ChangeSet) -> None:
        """Write all of it in one transaction, or nothing (StoreError; StoreLocked when another bank has written)."""
        now = self._clock.now()
        deletes: defaultdict[str, list[str]] = defaultdict(list)
        for kind, identifier in changes.deletes:
            deletes[kind].append(identifier)
        records = [
            Record(namespace=PREFIX + kind, id=identifier, data=_data(record), created_at=now, updated_at=now)
            for (kind, identifier), record in ({("counters", "-"): self._counters} | changes.puts).items()
            if record is not None
        ]
        with self.store.transaction():
            self._refuse_second_writer()
            for kind, identifiers in deletes.items():
                self.store.delete(PREFIX + kind, identifiers)
            if records:
                self.store.put(records)
            self._queue(changes.records(Digestion))
        counters = changes.puts.get(("counters", "-"))
        if isinstance(counters, Counters):
            self._counters = counters

    @property
    def shared(self) -> SharedStore | None:
        """The store, where several processes write to it."""
        return self._shared

    def claim(self, entry_id: str) -> bool:
        """Whether an entry is this process's to digest, which it is from now on; other processes leave it alone."""
        return self._shared is None or self._shared.claim(entry_id)

    def _queue(self, digestions: list[Digestion]) -> None:
        """Tell other processes what waits to be digested; this one begins with it at once, unless it never digests."""
        if self._shared is not None and digestions:
            waiting = [each.entry_id for each in digestions if each.state is not EntryState.DONE]
            done = [each.entry_id for each in digestions if each.state is EntryState.DONE]
            self._shared.queue(waiting, done, claimed=self.digests)

    def _refuse_second_writer(self) -> None:
        stored = self.store.get(PREFIX + "counters", "-")
        expected = None if self._counters is None else {"last": self._counters.last}
        if (None if stored is None else stored.data) != expected:
            raise StoreLocked("another process has written to this bank; close it there and resume it again")

    def read(self, rows: StoredRows | None = None) -> ChangeSet:
        """All that is stored, as one change set; an unreadable record is a StoreCorrupt that names it.

        `rows` are the stored rows, when they were read before.
        """
        if rows is None and isinstance(self.store, RowStore):
            rows = StoredRows.of(self.store)
        changes = self._searched() if rows is None else rows.parsed(KINDS)
        self.know(changes)
        if changes.puts:
            changes.last = dict(self._counters.last) if self._counters else {}
            _drop_leftover_links(changes)
            changes.last = _checked(changes)
        return changes

    def know(self, changes: ChangeSet) -> None:
        """Take the counters among these stored records for the newest, so that another writer's are noticed.

        They are written with every change, so their time is that of the newest record, and none will be before it.
        """
        counters = changes.puts.get(("counters", "-"))
        stored = self.store.get(PREFIX + "counters", "-")
        if stored is not None:
            self._clock.not_before(stored.updated_at)
        self._counters = counters if isinstance(counters, Counters) else None

    def changed(self, changed: Changed) -> ChangeSet:
        """What other processes have written, as one change set; StoreGone when they deleted the task."""
        changes = ChangeSet(last=dict(self._counters.last) if self._counters else {})
        for namespace, identifier in changed.deleted:
            kind = namespace.removeprefix(PREFIX)
            if kind in _STAYS:
                raise StoreGone("the task was deleted by another process; begin a new one in this store")
            if kind in KINDS:
                changes.delete(kind, [identifier])
        for stored in changed.records:
            kind = stored.namespace.removeprefix(PREFIX)
            if kind in KINDS:
                changes.put(KINDS[kind].model.model_validate(stored.data, strict=False))
            self._clock.not_before(stored.updated_at)
        counters = changes.puts.get(("counters", "-"))
        if isinstance(counters, Counters):
            self._counters, changes.last = counters, dict(counters.last)
        return changes

    def _searched(self) -> ChangeSet:
        changes = ChangeSet(last={})
        for kind, of in KINDS.items():
            damaged = self.store.damaged(PREFIX + kind)
            if damaged:
                raise StoreCorrupt(f"stored {kind} {damaged[0]!r} cannot be read; restore the file from a backup")
            for stored in self.store.search(RecordQuery(namespace=PREFIX + kind)):
                try:
                    changes.put(of.model.model_validate(stored.data, strict=False))
                except ValidationError as error:
                    raise StoreCorrupt(
                        f"stored {kind} {stored.id!r} is not valid: {error.errors()[0]['msg']}"
                    ) from None
        return changes

    def clear(self) -> None:
        """Remove everything this bank stored."""
        with self.store.transaction():
            for kind in KINDS:
                found = self.store.search(RecordQuery(namespace=PREFIX + kind))
                self.store.delete(PREFIX + kind, [record.id for record in found])
                if self._shared is not None and kind == "digestion":
                    self._shared.queue([], [record.id for record in found], claimed=False)
        self._counters = None


def _drop_leftover_links(changes: ChangeSet) -> None:
    """A link ends with either of its nodes, but its record may outlive them."""
    for key, record in list(changes.puts.items()):
        if isinstance(record, Link) and not {("node", record.a), ("node", record.b)} <= changes.puts.keys():
            del changes.puts[key]


def _checked(changes: ChangeSet) -> dict[str, int]:
    """The counters of a bank that is whole; StoreCorrupt says what is wrong with any other."""
    snapshot = changes.as_snapshot()
    broken = "its Insight Doc is missing" if snapshot is None else damage(snapshot)
    if snapshot is None or broken is not None:
        raise StoreCorrupt(f"the stored task is damaged: {broken}; restore the file from a backup")
    return highest(snapshot)
