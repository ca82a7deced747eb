"""Records of the book that are found by their words and meaning."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from pydantic import JsonValue

from amb_book.revisions import Revision
from amb_core.protocols import Clock, Embedder, Hit, Query, Record, RecordQuery, RecordStore
from amb_retrieval import HybridIndex, IndexedText

__all__ = ["Found", "IndexedRecords"]

Data = Mapping[str, JsonValue]
Found = tuple[Record, Hit]


class IndexedRecords:
    """The records of one namespace with an index that is made at the first search; thread-safe.

    `told` gives the text a record is found by. What another opening of the store wrote is noticed before each search.
    """

    def __init__(
        self,
        store: RecordStore,
        namespace: str,
        *,
        told: Callable[[Data], str],
        clock: Clock,
        embedder: Embedder | None = None,
    ) -> None:
        self._store, self._namespace, self._told = store, namespace, told
        self._clock, self._embedder = clock, embedder
        self._lock = threading.RLock()
        self._index: HybridIndex | None = None
        self._records: dict[str, Record] = {}
        self._indexed: dict[str, float] = {}
        self._seen: str | None = None
        self._revision = Revision(store, "book:revisions", namespace)

    def put(self, records: Mapping[str, Data]) -> None:
        """Write records by id, all or none."""
        now = self._clock.now()
        with self._store.transaction():
            rows = [Record(self._namespace, name, data, now, now) for name, data in records.items()]
            self._store.put(rows)
            self._revision.advance(json.dumps([now, records], sort_keys=True).encode())

    def delete(self, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many there were."""
        with self._store.transaction():
            gone = self._store.delete(self._namespace, ids)
            self._revision.advance(json.dumps([self._clock.now(), *ids]).encode())
            return gone

    def get(self, id: str) -> Record | None:
        """One record."""
        return self._store.get(self._namespace, id)

    def where(self, **fields: JsonValue) -> list[Record]:
        """Records whose fields equal these, in the order in which they were first written."""
        return self._store.search(RecordQuery(self._namespace, where=fields))

    def all(self) -> list[Record]:
        """Every record, in the order in which they were first written."""
        return list(self._current().values())

    def current(self) -> Mapping[str, Record]:
        """Every record by its id; the same object until somebody writes."""
        return self._current()

    def search(self, query: str, *, k: int, allowed: Callable[[Record], bool]) -> list[Found]:
        """The best of the allowed records for a query, best first."""
        records = self._current()
        with self._lock:
            index = self._current_index(records)
            barred = [name for name, record in records.items() if not allowed(record)]
            hits = index.search(Query(query, k=k, exclude=barred))
            return [(records[hit.id], hit) for hit in hits if hit.id in records]

    def _current(self) -> Mapping[str, Record]:
        """The records, read again when somebody wrote since."""
        revision = self._revision.current()
        with self._lock:
            if revision == self._seen:
                return self._records
        # Never the store under our lock: who writes holds the store and may ask us for records.
        records = {record.id: record for record in self.where()}
        with self._lock:
            self._records, self._seen = records, revision
        return records

    def _current_index(self, records: Mapping[str, Record]) -> HybridIndex:
        """The index of these records; under the lock."""
        if self._index is None:
            self._index = HybridIndex(embedder=self._embedder, exact=True)
        for name in [known for known in self._indexed if known not in records]:
            self._index.remove(name)
            del self._indexed[name]
        self._put_all([each for each in records.values() if self._indexed.get(each.id) != each.updated_at])
        return self._index

    def _put_all(self, records: Sequence[Record]) -> None:
        if self._index is None or not records:
            return
        texts = [self._told(record.data) for record in records]
        vectors = self._vectors(texts)
        for record, text, vector in zip(records, texts, vectors, strict=True):
            self._index.put(IndexedText(record.id, text, record.created_at, vector))
            self._indexed[record.id] = record.updated_at

    def _vectors(self, texts: Sequence[str]) -> Iterable[np.ndarray | None]:
        if self._embedder is None or not texts:
            return [None] * len(texts)
        return list(np.asarray(self._embedder.embed(texts), dtype=np.float32))
