"""The numbered log of what was changed in a store: who did what to which record, when and why, never what it said.

Every change of a record is a line of it, in the same transaction. So it is an audit, and it also tells whoever holds
records in memory what others, in this or another process, have changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from amb_core.errors import StoreCorrupt
from amb_core.frozen import Frozen
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["Act", "AuditEntry", "ChangeLog", "Follower"]

_MOST_FOLLOWED = 5_000
"""Changes that are followed one by one; after more of them everything is read anew."""


class Act(NamedTuple):
    """What is to be written down: an action on a record of a namespace, and how it ended; no record is all of them."""

    action: str
    namespace: str
    record_id: str = ""
    outcome: str = ""
    why: str = ""


class AuditEntry(Frozen):
    """One line of the audit log: who did what to which record, when and why; never what the record said."""

    number: int
    at: float
    actor: str
    action: str
    namespace: str
    record_id: str = ""
    outcome: str = ""
    why: str = ""


class ChangeLog:
    """Appends to a log and reads it; the lines are `PREFIX-audit`, and `PREFIX-state` holds the number of the last."""

    def __init__(self, store: RecordStore, prefix: str) -> None:
        self._store = store
        self._lines, self._state = f"{prefix}-audit", f"{prefix}-state"

    @property
    def namespaces(self) -> list[str]:
        """The store's names for what the log is made of."""
        return [self._lines, self._state]

    @property
    def last(self) -> int:
        """The number of the newest line, 0 for none."""
        found = self._store.get(self._state, "audit")
        number = 0 if found is None else found.data.get("last", 0)
        if not isinstance(number, int):
            raise StoreCorrupt("the number of the last audit entry cannot be read; restore the memory from a backup.")
        return number

    def append(self, acts: Sequence[Act], *, at: float, actor: str) -> int:
        """Add lines inside the caller's transaction; returns the number of the last one."""
        before = self.last
        last = before + len(acts)
        lines: list[Record] = []
        for number, act in enumerate(acts, before + 1):
            data = {"number": number, "at": at, "actor": actor, **act._asdict()}
            lines.append(Record(self._lines, _key(number), data, at, at))
        if lines:
            self._store.put([*lines, Record(self._state, "audit", {"last": last, "at": at}, at, at)])
        return last

    def between(self, number: int, last: int) -> list[AuditEntry] | None:
        """The lines after one, up to `last`, oldest first; None when they are too many, or not all there."""
        if not 0 <= number <= last <= number + _MOST_FOLLOWED:
            return None
        try:
            found = [self._store.get(self._lines, _key(each)) for each in range(number + 1, last + 1)]
        except StoreCorrupt:
            return None
        lines = [AuditEntry.model_validate(record.data) for record in found if record is not None]
        return lines if len(lines) == len(found) else None

    def mark(self, number: int) -> str:
        """What tells a line from that of another log with its number; "" when it is not there."""
        line = self._store.get(self._lines, _key(number))
        return "" if line is None else f"{line.data.get('at')} {line.data.get('record_id')}"

    def entries(self, *, namespace: str | None = None, limit: int | None = None) -> list[AuditEntry]:
        """The newest lines, newest first, of one namespace or all."""
        where = {} if namespace is None else {"namespace": namespace}
        found = self._store.search(RecordQuery(self._lines, where=where, limit=limit, newest_first=True))
        return [AuditEntry.model_validate(record.data) for record in found]

    def latest_time(self) -> float:
        """When the newest line was written, 0.0 for none."""
        found = self._store.get(self._state, "audit")
        at = 0.0 if found is None else found.data.get("at", 0.0)
        return float(at) if isinstance(at, int | float) else 0.0


class Follower:
    """How far somebody who holds records in memory has read a log; not thread-safe, its owner holds a lock."""

    def __init__(self, log: ChangeLog) -> None:
        self._log = log
        self.seen = log.last
        """The number of the last change that is known; -1 for none, so that everything is read anew."""

    def follow(self, change: Callable[[AuditEntry], None], *, anew: Callable[[], None]) -> None:
        """Hand over what has changed since the last look, oldest first; `anew` when that is not to be had."""
        last = self._log.last
        if last == self.seen:
            return
        lines = self._log.between(self.seen, last)
        if lines is None:
            anew()
        for line in lines or ():
            change(line)
        self.seen = last


def _key(number: int) -> str:
    return f"{number:012d}"
