"""The records of one scope of a team: what all see, or what one agent notes for itself."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from pydantic import TypeAdapter

from amb_core.errors import UnknownId
from amb_core.protocols import Clock, Embedder, Query, Record, RecordQuery, RecordStore
from amb_core.retrieval import HybridIndex, IndexedText
from amb_core.team.actions import normalised
from amb_core.team.team_records import AnyRecord, Noted
from amb_core.team.team_settings import TeamSettings

__all__ = ["Keeping", "Ranked", "RecordScope"]

_Kept = TypeVar("_Kept", bound=Noted)
_READ: TypeAdapter[Noted] = TypeAdapter(AnyRecord)


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where the records of a team are kept, and how they are dated, found and weighed."""

    team_id: str
    store: RecordStore
    clock: Clock
    settings: TeamSettings
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record with its score for a query."""

    record: Noted
    score: float


class RecordScope:
    """Typed records on a RecordStore with one index; thread-safe.

    `name` is part of every id (`shared.h3`), so that a record is known by its id in the whole team.
    """

    def __init__(self, name: str, keeping: Keeping) -> None:
        self.name, self.settings = name, keeping.settings
        self._keeping = keeping
        self._within = f"team:{keeping.team_id}:{name}"
        self._index = HybridIndex(embedder=keeping.embedder)
        self._records: dict[str, Noted] = {}
        self._lock = threading.RLock()
        for stored in keeping.store.search(RecordQuery(self._within)):
            self._know(_READ.validate_python(dict(stored.data)))
        self._counted = max(map(_number, self._records), default=0)

    def add(self, record: _Kept, *, most: int | None = None) -> _Kept:
        """Keep a new record, which is given its id and time.

        Of its kind no more than `most` stay: the least useful are forgotten first, of equals the oldest.
        """
        with self._lock:
            self._counted += 1
            given = {"id": f"{self.name}.{record.letter}{self._counted}", "at": self._keeping.clock.now()}
            record = record.model_copy(update=given)
            self._put(record)
            if most is not None:
                there = self.of(type(record))
                worst = sorted(there, key=lambda each: (each.succeeded, each.turn))
                self._remove(each.id for each in worst[: max(0, len(there) - most)])
            return record

    def change(self, record: _Kept, **fields: Any) -> _Kept:
        """Keep a record with other values."""
        with self._lock:
            changed = type(record).model_validate(record.model_dump() | fields)
            if changed != record:
                self._put(changed)
            return changed

    def get(self, record_id: str) -> Noted:
        """A record by id; UnknownId when it is not in this scope."""
        with self._lock:
            if record_id not in self._records:
                raise UnknownId("record", record_id)
            return self._records[record_id]

    def of(self, kind: type[_Kept]) -> list[_Kept]:
        """All records of one kind, oldest first."""
        with self._lock:
            return [record for record in self._records.values() if isinstance(record, kind)]

    def said(self, kind: type[_Kept], text: str) -> _Kept | None:
        """The first record of a kind that says a text, in these words or the same in normal form."""
        words = normalised(text)
        return next((each for each in self.of(kind) if normalised(each.told) == words), None)

    def records(self) -> list[Noted]:
        """All records, oldest first."""
        with self._lock:
            return list(self._records.values())

    def best(self, kind: type[_Kept], query: str, *, k: int) -> list[_Kept]:
        """The best records of one kind for a query."""
        return [each.record for each in self.search(query, kinds=(kind,), k=k) if isinstance(each.record, kind)]

    def search(self, query: str, *, kinds: Collection[type[Noted]], k: int) -> list[Ranked]:
        """The best records of some kinds for a query: 0.6 · relevance + 0.2 · recency + 0.2 · success, as set.

        Recency falls with the number of records made since; without a query relevance is 0 for all.
        """
        with self._lock:
            wanted = {name: record for name, record in self._records.items() if isinstance(record, tuple(kinds))}
            relevance = self._relevance(query, wanted)
        found = [
            Ranked(record, self._score(relevance.get(name, 0.0), (place + 1) / len(wanted), record.succeeded))
            for place, (name, record) in enumerate(wanted.items())
            if not query.strip() or relevance.get(name, 0.0) > 0
        ]
        return sorted(found, key=lambda each: (-each.score, -_number(each.record.id)))[:k]

    def _relevance(self, query: str, wanted: Collection[str]) -> dict[str, float]:
        if not query.strip() or not wanted:
            return {}
        others = [name for name in self._records if name not in wanted]
        hits = self._index.search(Query(query, k=len(wanted), exclude=others, exact=True))
        return {hit.id: hit.score for hit in hits}

    def _score(self, relevance: float, recency: float, success: float) -> float:
        of = self.settings
        whole = of.relevance_weight + of.recency_weight + of.success_weight
        sums = of.relevance_weight * relevance + of.recency_weight * recency + of.success_weight * success
        return sums / (whole or 1.0)

    def _put(self, record: Noted) -> None:
        data = record.model_dump(mode="json")
        self._keeping.store.put([Record(self._within, record.id, data, record.at, record.at)])
        self._know(record)

    def _know(self, record: Noted) -> None:
        before = self._records.get(record.id)
        self._records[record.id] = record
        text, embedder = record.told, self._keeping.embedder
        if text.strip() and (before is None or before.told != text):
            vector = None if embedder is None else np.asarray(embedder.embed([text])[0], dtype=np.float32)
            self._index.put(IndexedText.of(record.id, text=text, timestamp=record.at, vector=vector))

    def _remove(self, ids: Iterable[str]) -> None:
        gone = list(ids)
        self._keeping.store.delete(self._within, gone)
        for name in gone:
            del self._records[name]
            self._index.remove(name)


def _number(record_id: str) -> int:
    return int(record_id.rpartition(".")[2][1:])
