"""What long-term memory counts: how often it was asked, found something, was used, and what became of writes."""

from __future__ import annotations

from collections import Counter

from amb_core.call_lock import CallLock
from amb_core.frozen import Frozen
from amb_core.protocols import Record, RecordStore

__all__ = ["Metrics", "Stats"]

_STATE, _KEY = "memory-state", "metrics"


class Stats(Frozen):
    """Counts since the store was made: of calls, and of what they came to; `records` are those there now.

    `injected` are memories that were put before a supervisor or worker, `used` those of them that its answer drew on.
    """

    records: dict[str, int] = {}
    searches: int = 0
    found: int = 0
    hits: int = 0
    injected: int = 0
    used: int = 0
    inserted: int = 0
    skipped: int = 0
    merged: int = 0
    conflict: int = 0
    updated: int = 0
    queued: int = 0
    carried_over: int = 0
    refused: int = 0
    deleted: int = 0
    evicted: int = 0
    redacted: int = 0
    failures: dict[str, int] = {}

    @property
    def hit_rate(self) -> float:
        """Share of searches that found something; 0.0 before the first."""
        return self.found / self.searches if self.searches else 0.0

    @property
    def context_use(self) -> float:
        """Share of injected memories that the answers drew on; 0.0 before the first."""
        return self.used / self.injected if self.injected else 0.0

    @property
    def duplicate_rate(self) -> float:
        """Share of writes that said nothing new or were joined to a record that was there."""
        joined = self.skipped + self.merged + self.conflict
        writes = joined + self.inserted
        return joined / writes if writes else 0.0


class Metrics:
    """Counters that can be added to those kept in a store. Thread-safe."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = CallLock()

    def count(self, **steps: int) -> None:
        """Add to counters; a failure is named `failed_<what>`."""
        with self._lock:
            self._counts.update(steps)

    def keep(self, store: RecordStore) -> None:
        """Add what was counted since the last time to the counters in the store."""
        with self._lock:
            if self._counts:
                with store.transaction():
                    store.put([Record(_STATE, _KEY, dict(_kept(store) + self._counts))])
                self._counts.clear()

    def stats(self, store: RecordStore, *, records: dict[str, int]) -> Stats:
        """The counters in the store with those not kept yet."""
        with self._lock:
            total = _kept(store) + self._counts
        failures = {name.removeprefix("failed_"): total[name] for name in sorted(total) if name.startswith("failed_")}
        known = {name: total[name] for name in total if name in Stats.model_fields}
        return Stats(records=records, failures=failures, **known)


def _kept(store: RecordStore) -> Counter[str]:
    found = store.get(_STATE, _KEY)
    data = {} if found is None else found.data
    return Counter({name: count for name, count in data.items() if isinstance(count, int)})
