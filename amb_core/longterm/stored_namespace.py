"""A namespace that stays in its store: what a new text may repeat or change is asked for, and nothing is loaded."""

from __future__ import annotations

from collections.abc import Callable, Collection
from heapq import nsmallest
from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np

from amb_core.longterm.memory_codec import (
    filters_of,
    namespace_in_store,
    pages_of,
    read_memories,
    read_memory,
    readable_memory,
)
from amb_core.longterm.memory_records import MemoryRecord
from amb_core.longterm.record_index import FloatArray, Found, RecordIndex
from amb_core.protocols import Embedder, NativeSearch, PagedStore, RecordQuery, RecordStore

__all__ = ["StoreOfLarge", "StoredNamespace"]

_WIDER = 4
"""How many times the wanted number of records the store is asked for; they are ranked here."""
_MOST_OVER = 1_000
"""Records that are taken out at once because their time has passed."""
_SPARE = 1_000
"""Records of least worth that are remembered, so that a full namespace is read through for one in so many writes."""


@runtime_checkable
class StoreOfLarge(RecordStore, NativeSearch, PagedStore, Protocol):
    """A store whose namespaces need not be loaded."""


class StoredNamespace:
    """One namespace as a write sees it; `version` changes with every change. Not thread-safe."""

    def __init__(self, store: StoreOfLarge, namespace: str, *, embedder: Embedder | None) -> None:
        self.store = store
        self._namespace, self._within = namespace, namespace_in_store(namespace)
        self._embedder = embedder
        self._least: list[tuple[str, float]] = []
        self.version = 0

    def __contains__(self, id: str) -> bool:
        return read_memory(self.store, id, namespace=self._namespace) is not None

    def near(self, text: str, *, k: int, now: float, vector: FloatArray | None) -> list[Found]:
        """At most `k` records that are most likely to speak of the same and are not over, the most alike first."""
        index = RecordIndex(embedder=self._embedder)
        wanted = RecordQuery(self._within, limit=_WIDER * k, now=now)
        for found, _ in self.store.search_natively(wanted, text=text, vector=vector):
            if (record := readable_memory(found)) is None:
                continue
            own = None if record.embedding is None else np.frombuffer(record.embedding, dtype="<f4")
            index.put(record.id, text=record.content, vector=own, earlier=record.earlier)
        return index.alike(text, k=k, vector=vector)

    def of_topic(self, type: str, topic: str) -> list[str]:
        """Records of one type and (not blank) topic, the caller's own name for what they are about."""
        wanted = RecordQuery(self._within, where=filters_of({"topic": topic}))
        return [each.id for each in read_memories(self.store, wanted) if each.type.value == type] if topic else []

    def newest(self, k: int, *, now: float) -> list[str]:
        """At most `k` records that are not over, the newest first."""
        return [found.id for found in self.store.search(RecordQuery(self._within, limit=k, newest_first=True, now=now))]

    def expired(self, now: float) -> list[str]:
        """Records whose time has passed, at most 1,000."""
        return self.store.expired(self._within, now=now, limit=_MOST_OVER)

    def beyond(self, most: int, *, without: Collection[str], worth: Callable[[MemoryRecord], float]) -> list[str]:
        """The records of least worth, as many as there are more than `most`; those `without` do not count.

        All are read, a page at a time, for the least of one moment, and again when these are gone.
        """
        many = self.store.count(self._within) - sum(name in self for name in without) - most
        if many <= 0:
            return []
        if len(chosen := self._still_least(many, without=without)) < many:
            records = (record for page in pages_of(self.store, RecordQuery(self._within)) for record in page)
            self._least = [(each.id, each.updated_at) for each in nsmallest(many + _SPARE, records, key=worth)]
            chosen = self._still_least(many, without=without)
        return chosen

    def _still_least(self, many: int, *, without: Collection[str]) -> list[str]:
        """The first ones remembered that are there as they were."""
        there = ((read_memory(self.store, name, namespace=self._namespace), at) for name, at in self._least)
        same = (each.id for each, at in there if each is not None and each.updated_at == at and each.id not in without)
        return [*islice(same, many)]
