"""The records of one scope of a team: what all see, or what one agent notes for itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import Field, TypeAdapter

from amb_core.errors import UnknownId
from amb_core.protocols import Clock, Embedder, Query, Record, RecordQuery, RecordStore
from amb_core.retrieval import HybridIndex, IndexedText
from amb_core.team.team_records import (
    Challenge,
    Collaboration,
    Evidence,
    Fact,
    Hop,
    Hypothesis,
    Interaction,
    Noted,
    Observation,
    OutputNote,
    PeerProfile,
    PlanItem,
    Promotion,
    Quarantined,
    ReasoningStep,
    SearchResult,
)
from amb_core.team.team_settings import TeamSettings

__all__ = ["LETTERS", "AnyRecord", "Ranked", "RecordScope"]

LETTERS: dict[type[Noted], str] = {
    Hop: "h",
    Fact: "f",
    SearchResult: "q",
    Interaction: "i",
    Collaboration: "b",
    PlanItem: "p",
    Hypothesis: "y",
    Evidence: "v",
    ReasoningStep: "r",
    Challenge: "d",
    Observation: "o",
    OutputNote: "u",
    PeerProfile: "a",
    Promotion: "m",
    Quarantined: "x",
}
"""What the number of a record begins with in its id."""

AnyRecord = Annotated[
    Hop
    | Fact
    | SearchResult
    | Interaction
    | Collaboration
    | PlanItem
    | Hypothesis
    | Evidence
    | ReasoningStep
    | Challenge
    | Observation
    | OutputNote
    | PeerProfile
    | Promotion
    | Quarantined,
    Field(discriminator="kind"),
]
"""A record of any kind; its field `kind` says which."""


_Kept = TypeVar("_Kept", bound=Noted)

_READ: TypeAdapter[Noted] = TypeAdapter(AnyRecord)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record found: `score` and its three parts in [0, 1]."""

    record: Noted
    score: float
    relevance: float
    recency: float
    success: float


class RecordScope:
    """Typed records on a RecordStore with one index; thread-safe.

    `name` is part of every id (`solver.v3`), so that a record is known by its id in the whole team.
    """

    def __init__(
        self,
        store: RecordStore,
        *,
        team_id: str,
        name: str,
        clock: Clock,
        settings: TeamSettings,
        embedder: Embedder | None = None,
    ) -> None:
        self.name = name
        self._store = store
        self._within = f"team:{team_id}:{name}"
        self._clock = clock
        self._settings = settings
        self._embedder = embedder
        self._index = HybridIndex(embedder=embedder)
        self._records: dict[str, Noted] = {}
        self._lock = threading.RLock()
        self._counted = 0
        for stored in store.search(RecordQuery(self._within)):
            record = _READ.validate_python(dict(stored.data))
            self._know(record)
            self._counted = max(self._counted, _number(record.id))

    @property
    def lock(self) -> threading.RLock:
        """Held while several records change together."""
        return self._lock

    def add(self, kind: type[_Kept], *, agent: str, turn: int = 0, **fields: Any) -> _Kept:
        """Keep a new record; its id and time are given to it."""
        with self._lock:
            self._counted += 1
            name = f"{self.name}.{LETTERS[kind]}{self._counted}"
            record = kind(id=name, agent=agent, turn=turn, at=self._clock.now(), **fields)
            self._put(record)
            return record

    def change(self, record: _Kept, **fields: Any) -> _Kept:
        """Keep a record with other values."""
        with self._lock:
            changed = type(record).model_validate(record.model_dump() | fields)
            self._put(changed)
            return changed

    def remove(self, ids: Iterable[str]) -> None:
        """Forget records; unknown ids are no error."""
        with self._lock:
            gone = [name for name in ids if self._records.pop(name, None) is not None]
            self._store.delete(self._within, gone)
            for name in gone:
                self._index.remove(name)

    def get(self, record_id: str) -> Noted:
        """A record by id; UnknownId when it is not in this scope."""
        with self._lock:
            if record_id not in self._records:
                raise UnknownId("record", record_id)
            return self._records[record_id]

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._records

    def of(self, kind: type[_Kept]) -> list[_Kept]:
        """All records of one kind, oldest first."""
        with self._lock:
            return [record for record in self._records.values() if isinstance(record, kind)]

    def all(self) -> list[Noted]:
        """All records, oldest first."""
        with self._lock:
            return list(self._records.values())

    def keep_best(self, kind: type[_Kept], most: int, value: Callable[[_Kept], float]) -> None:
        """Forget the least valuable records of a kind over `most`, of equals the oldest."""
        with self._lock:
            there = self.of(kind)
            worst = sorted(there, key=value)[: max(0, len(there) - most)]
            self.remove(record.id for record in worst)

    def search(self, query: str, *, kinds: Collection[type[Noted]], k: int) -> list[Ranked]:
        """The best records of some kinds for a query: 0.6 · relevance + 0.2 · recency + 0.2 · success, as set.

        Recency falls with the number of records made since; without a query relevance is 0 for all.
        """
        with self._lock:
            wanted = {name: record for name, record in self._records.items() if isinstance(record, tuple(kinds))}
            relevance = self._relevance(query, wanted)
            newest = list(reversed(wanted))
            recency = {name: 1.0 - place / len(newest) for place, name in enumerate(newest)}
        found = [
            self._ranked(record, relevance.get(name, 0.0), recency[name])
            for name, record in wanted.items()
            if not query.strip() or relevance.get(name, 0.0) > 0
        ]
        return sorted(found, key=lambda each: (-each.score, -_number(each.record.id)))[:k]

    def _relevance(self, query: str, wanted: dict[str, Noted]) -> dict[str, float]:
        if not query.strip() or not wanted:
            return {}
        others = [name for name in self._records if name not in wanted]
        hits = self._index.search(Query(query, k=len(wanted), exclude=others, exact=True))
        return {hit.id: hit.score for hit in hits}

    def _ranked(self, record: Noted, relevance: float, recency: float) -> Ranked:
        settings = self._settings
        whole = settings.relevance_weight + settings.recency_weight + settings.success_weight
        score = (
            settings.relevance_weight * relevance
            + settings.recency_weight * recency
            + settings.success_weight * record.succeeded
        ) / (whole or 1.0)
        return Ranked(record, score, relevance, recency, record.succeeded)

    def _put(self, record: Noted) -> None:
        self._store.put([Record(self._within, record.id, record.model_dump(mode="json"), record.at, record.at)])
        self._know(record)

    def _know(self, record: Noted) -> None:
        self._records[record.id] = record
        text = record.told
        if not text.strip():
            return
        vector = None
        if self._embedder is not None:
            vector = np.asarray(self._embedder.embed([text])[0], dtype=np.float32)
        self._index.put(IndexedText.of(record.id, text=text, timestamp=record.at, vector=vector))


def _number(record_id: str) -> int:
    return int(record_id.rpartition(".")[2][1:])
