"""A call that changes a record, and what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from amb_core.frozen import Frozen
from amb_core.longterm.memory_records import MemoryRecord, Provenance, WriteResult

__all__ = ["Call", "Change"]


class Call(Frozen):
    """To `write` or `update` a record, or to `delete` one: clean and checked, as it is carried out now or later.

    `record_id` of a write is the id that its text gets if it becomes a record of its own.
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
        )


@dataclass(frozen=True, slots=True)
class Change:
    """What a call did: its result, the records as they are now, and the ids that are gone."""

    written: WriteResult
    records: tuple[MemoryRecord, ...] = ()
    removed: tuple[str, ...] = ()
