"""What is to be done in a store once it is back: kept in another store, in order, and carried out once each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import JsonValue

from amb_core.longterm.deciding import Draft
from amb_core.longterm.records import Provenance
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["Outbox", "Waiting"]

_QUEUE = "memory-outbox"


@dataclass(frozen=True, slots=True)
class Waiting:
    """One call that waits: `write` and `update` of a record, or `delete` of one."""

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
    number: str = ""

    @classmethod
    def of(cls, draft: Draft) -> Waiting:
        """A write that waits."""
        return cls(
            "write", draft.namespace, draft.id, draft.at, content=draft.content, metadata=draft.metadata,
            provenance=draft.provenance, expires_at=draft.expires_at, why=draft.why,
        )  # fmt: skip

    @property
    def draft(self) -> Draft:
        """The draft of a write that waits."""
        return Draft(
            id=self.record_id, namespace=self.namespace, content=self.content or "", at=self.at,
            metadata=self.metadata or {}, provenance=self.provenance, why=self.why, expires_at=self.expires_at,
        )  # fmt: skip


class Outbox:
    """The queue of calls, oldest first."""

    def __init__(self, store: RecordStore) -> None:
        self._store = store
        last = store.search(RecordQuery(_QUEUE, limit=1, newest_first=True))
        self._number = int(last[0].id) if last else 0

    def add(self, call: Waiting) -> None:
        """Put a call at the end; the deletion of a record takes the text out of the calls before it."""
        if call.kind == "delete":
            self._store.delete(_QUEUE, [each.number for each in self.calls() if each.record_id == call.record_id])
        self._number += 1
        self._store.put([Record(_QUEUE, f"{self._number:012d}", _data(call), call.at, call.at)])

    def calls(self, *, limit: int | None = None) -> list[Waiting]:
        """What waits, oldest first."""
        return [_call(record) for record in self._store.search(RecordQuery(_QUEUE, limit=limit))]

    def done(self, call: Waiting) -> None:
        """Take a call off the queue."""
        self._store.delete(_QUEUE, [call.number])

    def __len__(self) -> int:
        return self._store.count(_QUEUE)


def _data(call: Waiting) -> dict[str, JsonValue]:
    return {
        "kind": call.kind,
        "namespace": call.namespace,
        "record_id": call.record_id,
        "at": call.at,
        "content": call.content,
        "metadata": call.metadata,
        "provenance": None if call.provenance is None else call.provenance.model_dump(mode="json"),
        "expires_at": call.expires_at,
        "merge": call.merge,
        "why": call.why,
    }


def _call(record: Record) -> Waiting:
    data: dict[str, Any] = dict(record.data)
    origin = data.pop("provenance")
    provenance = None if origin is None else Provenance.model_validate(origin)
    return Waiting(**data, provenance=provenance, number=record.id)
