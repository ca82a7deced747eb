"""A record store in this process's memory: nothing outlives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count, islice
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Literal

from pydantic import JsonValue

from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError
from amb_core.protocols import Capabilities, Record, RecordQuery
from amb_core.stores.record_codec import checked_query, checked_record, json_copy, matches
from amb_core.stores.transaction_block import TransactionBlock

__all__ = ["UNREADABLE", "InMemoryStore", "opener"]

UNREADABLE: Mapping[str, JsonValue] = MappingProxyType({})
"""Stands for the data of a record that a store with a file behind it could not read back."""

_ABSENT: Any = object()


@dataclass(frozen=True, slots=True)
class _Row:
    """A record with its place in the order; its data belongs to the store and is copied on the way out."""

    place: int
    record: Record


def _hand_out(record: Record) -> Record:
    return Record(
        record.namespace,
        record.id,
        {key: json_copy(value) for key, value in record.data.items()},
        record.created_at,
        record.updated_at,
        record.expires_at,
    )


class InMemoryStore:
    """Records in dictionaries, with a log of overwritten values that undoes a failed transaction exactly.

    Strings are shared with the caller, containers are copied. Usable from several threads: a transaction holds one
    lock, so other threads see all of it or nothing.
    """

    def __init__(self) -> None:
        self.lock = CallLock(repair=self._renew)
        self._closed = False
        self._places = count()
        self._records: dict[str, dict[str, _Row]] = {}
        self._versions: dict[tuple[str, str], tuple[Record, ...]] = {}
        self._depth = 0
        self._overwritten: list[tuple[dict[Any, Any], object, object]] = []

    @property
    def capabilities(self) -> Capabilities:
        """Not durable; several threads may share one store."""
        return Capabilities(durable=False, concurrent=True)

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; InvalidParameter when one is not JSON."""
        private = [(record, checked_record(record)) for record in records]
        with self.transaction():
            for record, data in private:
                table = self._records.setdefault(record.namespace, {})
                old = table.get(record.id)
                if old is not None and keep_history and old.record.data is not UNREADABLE:
                    key = (record.namespace, record.id)
                    self._set(self._versions, key, (*self._versions.get(key, ()), old.record))
                stored = Record(
                    record.namespace, record.id, data, record.created_at, record.updated_at, record.expires_at
                )
                self._set(table, record.id, _Row(next(self._places) if old is None else old.place, stored))

    def get(self, namespace: str, id: str) -> Record | None:
        """The record, or None; StoreCorrupt when it is there but cannot be read back."""
        with self.lock:
            self._check_open()
            row = self._records.get(namespace, {}).get(id)
            if row is not None and row.record.data is UNREADABLE:
                raise StoreCorrupt(f"record {id!r} in {namespace!r} cannot be read back; put it again or delete it.")
            return None if row is None else _hand_out(row.record)

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many records there were."""
        with self.transaction():
            table = self._records.get(namespace, {})
            deleted = 0
            for gone in ids:
                deleted += gone in table
                self._drop(table, gone)
                self._drop(self._versions, (namespace, gone))
            return deleted

    def search(self, query: RecordQuery) -> list[Record]:
        """The matching readable records in insertion order, or newest first."""
        checked_query(query)
        with self.lock:
            self._check_open()
            rows = self._records.get(query.namespace, {}).values()
            ordered = (row.record for row in sorted(rows, key=attrgetter("place"), reverse=query.newest_first))
            found = (it for it in ordered if _alive(it, query.now) and matches(it.data, query))
            return [_hand_out(record) for record in islice(found, query.limit)]

    def history(self, namespace: str, id: str) -> list[Record]:
        """The replaced versions that were kept, oldest first."""
        with self.lock:
            self._check_open()
            return [_hand_out(record) for record in self._versions.get((namespace, id), ())]

    def damaged(self, namespace: str) -> list[str]:
        """Ids of records that could not be read back; none as long as nothing is read from outside."""
        with self.lock:
            self._check_open()
            rows = sorted(self._records.get(namespace, {}).values(), key=attrgetter("place"))
            return [row.record.id for row in rows if row.record.data is UNREADABLE]

    def namespaces(self, prefix: str = "") -> list[str]:
        """The namespaces that hold records and begin with `prefix`."""
        with self.lock:
            self._check_open()
            return sorted(name for name, table in self._records.items() if table and name.startswith(prefix))

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """How many records there are, damaged ones included; `now` leaves out the expired."""
        with self.lock:
            self._check_open()
            table = self._records.get(namespace, {})
            return len(table) if now is None else sum(not _expired(row.record, now) for row in table.values())

    def transaction(self) -> AbstractContextManager[None]:
        """All writes of the block or, when it raises, none; an inner block commits with the outermost one."""
        return TransactionBlock(self)

    def close(self) -> None:
        """Forget everything; calling twice is no error."""
        with self.lock:
            self._closed = True
            self._records.clear()
            self._versions.clear()
            self._overwritten.clear()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("this store was closed; open a new one")

    def _set(self, table: dict[Any, Any], key: object, value: object) -> None:
        self._overwritten.append((table, key, table.get(key, _ABSENT)))
        table[key] = value

    def _drop(self, table: dict[Any, Any], key: object) -> None:
        if key in table:
            self._overwritten.append((table, key, table[key]))
            del table[key]

    def _put_unreadable(self, namespace: str, id: str) -> None:
        """Keep the place of a record that could not be read back."""
        with self.transaction():
            table = self._records.setdefault(namespace, {})
            old = table.get(id)
            place = next(self._places) if old is None else old.place
            self._set(table, id, _Row(place, Record(namespace, id, UNREADABLE)))

    def _undo(self, start: int) -> None:
        while len(self._overwritten) > start:
            table, key, value = self._overwritten[-1]
            if value is _ABSENT:
                table.pop(key, None)
            else:
                table[key] = value
            self._overwritten.pop()

    def begin_block(self) -> Any:
        """Begin a block of a transaction; returns how many values were overwritten before it (the lock held)."""
        self._check_open()
        self._depth += 1
        return len(self._overwritten)

    def keep_block(self, begun: Any) -> None:
        """End a block, the outermost one by a commit."""
        self._check_open()
        if self._depth == 1:
            self._commit()
            self._overwritten = []  # what is not in there cannot be undone: the one step that commits
        self._depth -= 1

    def undo_block(self, begun: Any) -> None:
        """End a block, and put back what it has overwritten."""
        self._undo(begun)
        self._depth -= 1

    def _commit(self) -> None:
        """Have what a transaction did outlive this process, where anything does."""

    def _renew(self) -> None:
        """Undo what a call that was stopped has left."""
        self._undo(0)
        self._depth = 0


def _alive(record: Record, now: float | None) -> bool:
    return record.data is not UNREADABLE and (now is None or not _expired(record, now))


def _expired(record: Record, now: float) -> bool:
    return record.expires_at is not None and record.expires_at <= now


class _MemoryOpener:
    """Opens memory://, a new store each time."""

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> InMemoryStore:
        if url != "memory://":
            raise InvalidParameter(f"{url!r} names no store: memory:// has no place; write it without one.")
        return InMemoryStore()

    def folder(self, url: str) -> None:
        return None

    def holds_something(self, url: str) -> bool:
        return True


opener = _MemoryOpener()
