"""What can be seen of a long-term memory: records, versions, audit, counts, and files of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amb_core.clock import CheckedClock
from amb_core.errors import BankClosed, InvalidInput
from amb_core.longterm.collection import Collection
from amb_core.longterm.exports import Exports
from amb_core.longterm.metrics import Metrics, Stats
from amb_core.longterm.namespaces import checked_namespace
from amb_core.longterm.places import Places
from amb_core.longterm.records import AuditEntry, MemoryRecord

__all__ = ["MemoryView", "checked_id"]


def checked_id(id: object) -> str:
    """The id of a record as a model may repeat it; InvalidInput when it is no text."""
    if not isinstance(id, str) or not id.strip():
        raise InvalidInput("a memory is named by its id, such as 'r7k2m9c3xq'.")
    return id.strip().strip("[]").strip()


class MemoryView:
    """Reads from the store, and while it is down from what stands in for it; `closed` once its memory was closed."""

    def __init__(self, places: Places, *, metrics: Metrics, clock: CheckedClock) -> None:
        self._places, self._metrics, self._clock = places, metrics, clock
        self._latest = 0.0
        self.closed = False

    def get(self, id: str, *, namespace: str) -> MemoryRecord | None:
        """One record, or None when it is not there or its time has passed."""
        self.check_open()
        within, name, now = checked_namespace(namespace), checked_id(id), self.now()

        def found(place: Collection) -> MemoryRecord | None:
            return place.get(place.current_id(name, namespace=within), namespace=within)

        standby = self._places.standby
        record = self._places.attempt("read", lambda primary: found(primary) or found(standby), lambda: found(standby))
        over = record is not None and record.expires_at is not None and record.expires_at <= now
        return None if over else record

    def records(
        self, namespace: str, *, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> list[MemoryRecord]:
        """The records of a namespace in the order they were made, without the expired."""
        self.check_open()
        within, now = checked_namespace(namespace), self.now()

        def listed(place: Collection) -> list[MemoryRecord]:
            return place.records(within, now=now, filters=filters, limit=limit)

        return self._places.attempt("read", listed, lambda: listed(self._places.standby))

    def namespaces(self) -> list[str]:
        """The namespaces that hold records."""
        self.check_open()
        return self._places.attempt("read", Collection.namespaces, self._places.standby.namespaces)

    def history(self, id: str, *, namespace: str) -> list[MemoryRecord]:
        """All versions of a record, oldest first, the current one last."""
        self.check_open()
        within, name = checked_namespace(namespace), checked_id(id)

        def versions(place: Collection) -> list[MemoryRecord]:
            return place.history(place.current_id(name, namespace=within), namespace=within)

        return self._places.attempt("read", versions, lambda: versions(self._places.standby))

    def audit(self, *, namespace: str | None = None, limit: int | None = None) -> list[AuditEntry]:
        """The newest lines of the audit log, newest first."""
        self.check_open()
        within = None if namespace is None else checked_namespace(namespace)
        standby = self._places.standby.audit
        return self._places.attempt(
            "read",
            lambda primary: primary.audit.entries(namespace=within, limit=limit),
            lambda: standby.entries(namespace=within, limit=limit),
        )

    def stats(self) -> Stats:
        """What memory holds now, and what was asked of it and came of it since it was made."""
        self.check_open()

        def counted(place: Collection) -> Stats:
            records = {name: place.count(name) for name in place.namespaces()}
            return self._metrics.stats(place.store, records=records)

        return self._places.attempt("read", counted, lambda: counted(self._places.standby))

    def export(self, path: str | Path, *, namespace: str) -> Path:
        """Write a namespace to a file, one record a line with its history; what is deleted later leaves that file."""
        self.check_open()
        within = checked_namespace(namespace)
        records = self.records(within)
        versions = (self.history(record.id, namespace=within) for record in records)
        place = self._places.primary or self._places.standby
        return Exports(place.store).write(path, versions, namespace=within)

    def check_open(self) -> None:
        """Raise BankClosed once the memory was closed."""
        if self.closed:
            raise BankClosed("this memory was closed; open it again.")

    def now(self) -> float:
        """The time of a call: that of the clock, and never before what the records already know."""
        places = (self._places.primary, self._places.standby)
        known = max((place.latest_time for place in places if place is not None), default=0.0)
        self._latest = max(self._latest, known, self._clock.now())
        return self._latest
