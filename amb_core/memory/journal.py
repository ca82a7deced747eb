"""A bank in a record store: change sets are written there, and read back as the records they are stored as."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar, cast, runtime_checkable

from pydantic import JsonValue, ValidationError

from amb_core.clock import SteadyClock
from amb_core.errors import StoreCorrupt, StoreGone, StoreLocked
from amb_core.memory.change_set import KINDS, ChangeSet
from amb_core.memory.ids import Counters, highest
from amb_core.models import Digestion, EntryState, Frozen, InteractionEntry, Link
from amb_core.protocols import Changed, Clock, Record, RecordQuery, RecordStore, SharedStore
from amb_core.stores.record_codec import decode

__all__ = ["PREFIX", "Journal", "RowStore"]

PREFIX = "task/"
"""What the namespaces of a bank's records begin with; the kind follows."""

_STAYS = frozenset({"insight", "counters", "entry", "digestion"})
"""Kinds whose records go only with the whole task."""


def _data(record: Frozen) -> dict[str, JsonValue]:
    data = cast("dict[str, JsonValue]", record.model_dump(mode="json"))
    if isinstance(record, InteractionEntry):
        data["text"] = record.text  # the same object, so that a store in memory holds no second copy of raw text
    return data


class Journal:
    """One bank's records in a store, a namespace per kind."""

    def __init__(self, store: RecordStore, *, clock: Clock, digests_here: bool = True) -> None:
        self.store = store
        self._shared = store if isinstance(store, SharedStore) else None
        self.digests_here = digests_here
        """Whether this process digests what it takes in; else a worker does."""
        self._clock = clock if isinstance(clock, SteadyClock) else SteadyClock(clock)
        self._counters: Counters | None = None
        """The counters as this journal wrote or read them last; another writer's differ."""
        self._written_at: float | None = None
        """When they were written."""

    def write(self, changes: ChangeSet, *, claims: bool = True) -> None:
        """Write all of it in one transaction, or nothing (StoreError; StoreLocked when another bank has written).

        Without `claims` any process may digest what is new in it.
        """
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
            self._queue(changes.records(Digestion), claims=claims)
        counters = changes.puts.get(("counters", "-"))
        if isinstance(counters, Counters):
            self._counters = counters
        self._written_at = now if self._counters is not None else None

    @property
    def is_current(self) -> bool:
        """Whether nobody else has written since this journal wrote or read last."""
        stored = self.store.get(PREFIX + "counters", "-")
        expected = None if self._counters is None else {"last": self._counters.last}
        found = None if stored is None else stored.data
        return found == expected and (stored is None or stored.updated_at == self._written_at)

    @property
    def shared(self) -> SharedStore | None:
        """The store, where several processes write to it."""
        return self._shared

    def claim(self, entry_id: str) -> bool:
        """Whether an entry is this process's to digest, which it is from now on; other processes leave it alone."""
        return self._shared is None or self._shared.claim(entry_id)

    def _queue(self, digestions: list[Digestion], *, claims: bool) -> None:
        """Tell other processes what waits to be digested; what it `claims` this one begins with at once."""
        if self._shared is not None and digestions:
            waiting = [each.entry_id for each in digestions if each.state is not EntryState.DONE]
            done = [each.entry_id for each in digestions if each.state is EntryState.DONE]
            self._shared.queue(waiting, done, claimed=claims and self.digests_here)

    def _refuse_second_writer(self) -> None:
        stored = self.store.get(PREFIX + "counters", "-")
        expected = None if self._counters is None else {"last": self._counters.last}
        if (None if stored is None else stored.data) != expected:
            raise StoreLocked("another process has written to this bank; close it there and resume it again")

    def read(self) -> ChangeSet:
        """All that is stored, as one change set; an unreadable record is a StoreCorrupt that names it."""
        changes = _from_rows(self.store) if isinstance(self.store, RowStore) else self._searched()
        self._know(changes)
        if changes.puts:
            changes.last = dict(self._counters.last) if self._counters else {}
            _drop_leftover_links(changes)
            changes.last = _checked(changes)
        return changes

    def _know(self, changes: ChangeSet) -> None:
        """Take the counters among these stored records for the newest, so that another writer's are noticed.

        They are written with every change, so their time is that of the newest record, and none will be before it.
        """
        counters = changes.puts.get(("counters", "-"))
        stored = self.store.get(PREFIX + "counters", "-")
        if stored is not None:
            self._clock.not_before(stored.updated_at)
        self._written_at = None if stored is None else stored.updated_at
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
            self._written_at = stored.updated_at if kind == "counters" else self._written_at
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
    from amb_core.memory.snapshots import damage  # here, for a new task reads nothing back

    snapshot = changes.as_snapshot()
    broken = "its Insight Doc is missing" if snapshot is None else damage(snapshot)
    if snapshot is None or broken is not None:
        raise StoreCorrupt(f"the stored task is damaged: {broken}; restore the file from a backup")
    return highest(snapshot)


# --- records as they are stored ---------------------------------------------------------------------------------------


@runtime_checkable
class RowStore(Protocol):
    """A store in a file that can also give out its records as they are stored."""

    @property
    def path(self) -> Path: ...

    def rows(self, prefix: str) -> Sequence[tuple[bytes, bytes, bytes]]:
        """Namespace, id and data of every record whose namespace begins so, in insertion order, as they are stored."""
        ...


def _from_rows(store: RowStore) -> ChangeSet:
    """The records of a bank, kind by kind; an unreadable one is a StoreCorrupt that names it."""
    raw: dict[str, dict[str, bytes]] = {kind: {} for kind in KINDS}
    of_kind = {(PREFIX + kind).encode(): rows for kind, rows in raw.items()}
    for namespace, name, data in store.rows(PREFIX):
        if namespace in of_kind:
            of_kind[namespace][_text(name)] = data
    changes = ChangeSet(last={})
    for kind, stored in raw.items():
        for identifier, row in stored.items():
            try:
                changes.put(_parsed(KINDS[kind].model, row))
            except ValidationError as error:
                raise StoreCorrupt(f"stored {kind} {identifier!r} is not valid: {error.errors()[0]['msg']}") from None
            except ValueError:
                raise StoreCorrupt(
                    f"stored {kind} {identifier!r} cannot be read; restore the file from a backup"
                ) from None
    return changes


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise StoreCorrupt(f"the id {raw[:40]!r} cannot be read; restore the file from a backup") from None


Kind = TypeVar("Kind", bound=Frozen)


def _parsed(model: type[Kind], raw: bytes) -> Kind:
    """The record that was stored as these bytes; ValueError when there is no such record in them."""
    try:
        return model.model_validate_json(raw)
    except ValidationError:  # a lone surrogate, or a record that is really broken
        return model.model_validate(decode(raw), strict=False)
