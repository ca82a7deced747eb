"""The audit log of one store: who did what to which record, when and why, and never what the record said.

It only grows, and every change of a record is a line of it in the same transaction. So it also tells an index what
others, in other processes, have changed since it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from amb_core.errors import StoreCorrupt
from amb_core.longterm.memory_records import AuditEntry
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["Act", "AuditLog"]

_LOG, _STATE, _LAST = "memory-audit", "memory-state", "audit"


class Act(NamedTuple):
    """What is to be written down: an action on a record of a namespace, and how it ended."""

    action: str
    namespace: str
    record_id: str = ""
    outcome: str = ""
    why: str = ""


class AuditLog:
    """Appends to the log in a store and reads it; its numbers count all changes of the store."""

    def __init__(self, store: RecordStore) -> None:
        self._store = store

    @property
    def last(self) -> int:
        """The number of the newest entry, 0 for none."""
        found = self._store.get(_STATE, _LAST)
        number = 0 if found is None else found.data.get("last", 0)
        if not isinstance(number, int):
            raise StoreCorrupt("the number of the last audit entry cannot be read; restore the memory from a backup.")
        return number

    def append(self, acts: Sequence[Act], *, at: float, actor: str) -> int:
        """Add entries inside the caller's transaction; returns the number of the last one."""
        number = self.last
        if not acts:
            return number
        lines: list[Record] = []
        for act in acts:
            number += 1
            entry = AuditEntry(number=number, at=at, actor=actor, **act._asdict())
            lines.append(Record(_LOG, _key(number), entry.model_dump(mode="json"), at, at))
        self._store.put([*lines, Record(_STATE, _LAST, {"last": number, "at": at}, at, at)])
        return number

    def since(self, number: int, *, last: int) -> list[AuditEntry]:
        """The entries after one, up to `last`, oldest first."""
        found = (self._store.get(_LOG, _key(each)) for each in range(number + 1, last + 1))
        return [AuditEntry.model_validate(record.data) for record in found if record is not None]

    def entries(self, *, namespace: str | None = None, limit: int | None = None) -> list[AuditEntry]:
        """The newest entries, newest first, of one namespace or all."""
        where = {} if namespace is None else {"namespace": namespace}
        found = self._store.search(RecordQuery(_LOG, where=where, limit=limit, newest_first=True))
        return [AuditEntry.model_validate(record.data) for record in found]

    def latest_time(self) -> float:
        """When the newest entry was written, 0.0 for none."""
        found = self._store.get(_STATE, _LAST)
        at = 0.0 if found is None else found.data.get("at", 0.0)
        return float(at) if isinstance(at, int | float) else 0.0


def _key(number: int) -> str:
    return f"{number:012d}"
