"""One namespace in memory: its index, and of each record just what ranking, expiry and eviction need."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.longterm.kept_record_index import KeptRecordIndex, KeptRecords
from amb_core.longterm.record_index import Found, RecordIndex
from amb_core.longterm.records import MemoryRecord
from amb_core.protocols import Embedder
from amb_core.retrieval import Packed
from amb_core.retrieval.packing import strings

__all__ = ["LoadedNamespace", "Traits"]

_FloatVector = NDArray[np.float32]
_TRAITS = "traits"


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
        self._embedder = embedder
        self._index = RecordIndex(embedder=embedder, embeds=False)
        self._traits: dict[str, Traits] = {}
        self._mortal: set[str] = set()
        self.version = 0
        self._kept_version = 0

    @property
    def has_changed(self) -> bool:
        """Whether it differs from what was kept last."""
        return self.version != self._kept_version

    def keep(self, file: KeptRecordIndex, sums: Mapping[str, int]) -> None:
        """Keep everything in a file, for exactly the records these are the checksums of."""
        if file.write(self._index, sums=sums, also={_TRAITS: _packed([*self._traits.values()])}):
            self._kept_version = self.version

    def take_up(self, kept: KeptRecords, record: Callable[[str], MemoryRecord | None]) -> bool:
        """Become what a file holds, with the records that have changed since; False when that is of no use."""
        index = RecordIndex(embedder=self._embedder, embeds=False)
        try:
            names = [name for name in kept.ids if name not in kept.gone]
            traits = dict(zip(kept.ids, _unpacked(kept.also[_TRAITS]), strict=True))
        except (KeyError, ValueError, TypeError):
            return False
        if not kept.taken_up(index):
            return False
        self._index, self._traits = index, {name: traits[name] for name in names}
        self._mortal = {name for name, each in self._traits.items() if each.expires_at is not None}
        for name in kept.changed:
            if (changed := record(name)) is None:
                self.remove([name])
            else:
                self.put(changed)
        return True

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

    def remove(self, record_ids: Iterable[str], *, words: bool = False) -> None:
        """Forget records; unknown ones are no error. `words` clears at once what only they said, which takes longer."""
        gone = [name for name in record_ids if self._traits.pop(name, None) is not None]
        for name in gone:
            self._mortal.discard(name)
            self._index.remove(name)
        if gone:
            self.version += 1
        if gone and words:
            self._index.forget_removed()

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


def _packed(traits: Sequence[Traits]) -> Packed:
    """Traits as columns; a record that lives for good has no end (NaN)."""
    ends = [math.nan if each.expires_at is None else each.expires_at for each in traits]
    return {
        "types": [each.type for each in traits],
        "topics": [each.topic for each in traits],
        "sources": [each.source for each in traits],
        "importance": np.array([each.importance for each in traits], dtype=np.float64),
        "updated_at": np.array([each.updated_at for each in traits], dtype=np.float64),
        "expires_at": np.array(ends, dtype=np.float64),
    }


def _unpacked(columns: Packed) -> list[Traits]:
    """The traits that were packed; ValueError when the columns do not belong together."""
    texts = (strings(columns, name) for name in ("types", "topics", "sources"))
    numbers = (columns[name].tolist() for name in ("importance", "updated_at", "expires_at"))
    return [
        Traits(kind, topic, source, importance, updated, None if math.isnan(end) else end)
        for kind, topic, source, importance, updated, end in zip(*texts, *numbers, strict=True)
    ]


def _traits(record: MemoryRecord) -> Traits:
    return Traits(
        type=record.type.value,
        topic=record.topic,
        source=record.source,
        importance=record.importance,
        updated_at=record.updated_at,
        expires_at=record.expires_at,
    )
