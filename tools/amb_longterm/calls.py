"""A call that changes a record, what it did, and the queue in which calls wait while the store is down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from amb_core.frozen import Frozen
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_longterm.memory_records import MemoryRecord, Provenance, WriteResult

__all__ = ["Call", "Change", "Outbox"]

_QUEUE = "memory-outbox"


class Call(Frozen):
    """To `write` or `update` a record, or to `delete` one: clean and checked, as it is carried out now or later.

    `record_id` of a write is the id that its text gets if it becomes a record of its own; one with a `key` has the
    same at each write. It takes the place of the records that it `supersedes`. Without `history` what a record said
    before is not kept.
    """

    kind: Literal["write", "update", "delete"]
    namespace: str
    record_id: str
    at: float
    content: str | None = None
    metadata: dict[str, JsonValue] | None = None
    provenance: Provenance | None = None
    expires_at: float | None = None
    merge: bool = True
    why: str = ""
    key: str = ""
    supersedes: tuple[str, ...] = ()
    history: bool = True

    def record(self) -> MemoryRecord:
        """What a write says, as a record of its own."""
        return MemoryRecord(
            id=self.record_id,
            namespace=self.namespace,
            content=self.content or "",
            metadata=self.metadata or {},
            created_at=self.at,
            updated_at=self.at,
            valid_from=self.at,
            expires_at=self.expires_at,
            provenance=() if self.provenance is None else (self.provenance,),
            key=self.key,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """What a call did: its result, the records as they are now, and the ids that are gone."""

    written: WriteResult
    records: tuple[MemoryRecord, ...] = ()
    removed: tuple[str, ...] = ()


class Outbox:
    """The calls that wait in a store, by number, oldest first; each is carried out once."""

    def __init__(self, store: RecordStore) -> None:
        self._store = store
        last = store.search(RecordQuery(_QUEUE, limit=1, newest_first=True))
        self._number = int(last[0].id) if last else 0

    def add(self, call: Call) -> None:
        """Put a call at the end; the deletion of a record takes the text out of the calls before it."""
        if call.kind == "delete":
            self.done(*(number for number, each in self.calls().items() if each.record_id == call.record_id))
        self._number += 1
        self._store.put([Record(_QUEUE, f"{self._number:012d}", call.model_dump(mode="json"), call.at, call.at)])

    def calls(self, *, limit: int | None = None) -> dict[str, Call]:
        """What waits, by number."""
        return {found.id: Call(**found.data) for found in self._store.search(RecordQuery(_QUEUE, limit=limit))}  # type: ignore[arg-type]

    def done(self, *numbers: str) -> None:
        """Take calls off the queue."""
        self._store.delete(_QUEUE, numbers)

    def __len__(self) -> int:
        return self._store.count(_QUEUE)
