"""The queue in which calls wait while the store is down."""

from __future__ import annotations

from amb_core.longterm.calls import Call
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["Outbox"]

_QUEUE = "memory-outbox"


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
