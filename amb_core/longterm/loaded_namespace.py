"""One namespace in memory: its index, and of each record just what ranking, expiry and eviction need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.longterm.record_index import Found, RecordIndex
from amb_core.longterm.records import MemoryRecord
from amb_core.protocols import Embedder

__all__ = ["LoadedNamespace", "Traits"]

_FloatVector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Traits:
    """What is kept of a record beside its index entry; times in seconds since the epoch."""

    type: str
    topic: str
    source: str
    importance: float
    updated_at: float
    expires_at: float | None

    def is_over(self, now: float) -> bool:
        """Whether its time has passed, the moment itself included."""
        return self.expires_at is not None and self.expires_at <= now


class LoadedNamespace:
    """The records of one namespace as searches see them; `version` changes with every change. Not thread-safe."""

    def __init__(self, *, embedder: Embedder | None) -> None:
        self._index = RecordIndex(embedder=embedder)
        self._traits: dict[str, Traits] = {}
        self._mortal: set[str] = set()
        self.version = 0

    def __len__(self) -> int:
        return len(self._traits)

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._traits

    def __iter__(self) -> Iterator[str]:
        return iter(self._traits)

    def put(self, record: MemoryRecord) -> None:
        """Insert or replace a record."""
        vector = None if record.embedding is None else np.frombuffer(record.embedding, dtype="<f4")
        self._index.put(record.id, text=record.content, timestamp=record.updated_at, vector=vector)
        self._traits[record.id] = _traits(record)
        (self._mortal.discard if record.expires_at is None else self._mortal.add)(record.id)
        self.version += 1

    def remove(self, record_ids: Iterable[str]) -> None:
        """Forget records with their words; unknown ones are no error."""
        gone = [name for name in record_ids if self._traits.pop(name, None) is not None]
        for name in gone:
            self._mortal.discard(name)
            self._index.remove(name)
        if gone:
            self._index.forget_removed()
            self.version += 1

    def traits(self, record_id: str) -> Traits:
        """What is kept of a record that is here."""
        return self._traits[record_id]

    def expired(self, now: float) -> list[str]:
        """Records whose time has passed."""
        return sorted(name for name in self._mortal if self._traits[name].is_over(now))

    def of_topic(self, type: str, topic: str) -> list[str]:
        """Records of one type and (not blank) topic, the caller's own name for what they are about."""
        if not topic:
            return []
        return [name for name, traits in self._traits.items() if traits.topic == topic and traits.type == type]

    def find(
        self, query: str, *, k: int, vector: _FloatVector | None, now: float, allowed: Collection[str] | None = None
    ) -> list[Found]:
        """The records most like a query, best first, without the expired."""
        return self._index.find(query, k=k, vector=vector, exclude=self.expired(now), allowed=allowed)

    def alike(self, text: str, *, k: int, vector: _FloatVector | None, now: float) -> list[Found]:
        """The records that may say the same as a text, without the expired."""
        over = set(self.expired(now))
        return [found for found in self._index.alike(text, k=k + len(over), vector=vector) if found.id not in over][:k]


def _traits(record: MemoryRecord) -> Traits:
    return Traits(
        type=record.type.value,
        topic=record.topic,
        source=record.source,
        importance=record.importance,
        updated_at=record.updated_at,
        expires_at=record.expires_at,
    )
