"""The records of one namespace, found by what is asked, and by what else says the same."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.longterm.similarity import covered, query_parts, record_senses
from amb_core.protocols import Embedder, Query
from amb_core.retrieval import DenseIndex, HybridIndex, IndexedText, Packed

__all__ = ["Found", "RecordIndex"]

_log = logging.getLogger("amb.embedder")
FloatArray = NDArray[np.float32]

_POOL = 24
"""How many of the best records by rank, and as many by their fields, are looked at more closely."""


@dataclass(frozen=True, slots=True)
class Found:
    """A record that was found: its absolute `similarity` in [0, 1], and `rank_score` in [0, 1] (1 = best found)."""

    id: str
    similarity: float
    rank_score: float


class RecordIndex:
    """An index of the records of one namespace; not thread-safe, its owner holds a lock.

    Two indexes into which the same records were put in the same order find the same, wherever the records are stored.
    Equal similarities are ordered by rank score, then by age (the record put first comes first; one put again keeps
    its age). Vectors come from `put`; `embedder` embeds queries that bring none.
    """

    def __init__(self, *, embedder: Embedder | None = None, vectors: DenseIndex | None = None) -> None:
        self._embedder = embedder
        self._index = HybridIndex(embedder=embedder, dense=vectors)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, id: str) -> bool:
        return id in self._index

    def put(self, id: str, *, text: str, timestamp: float = 0.0, vector: FloatArray | None = None) -> None:
        """Insert a record or replace the one with its id; InvalidParameter when its vector does not fit the others."""
        self._index.put(IndexedText.of(id, text=text, timestamp=timestamp, vector=vector, also=record_senses(text)))

    def remove(self, id: str) -> None:
        """Forget a record; an unknown id is no error."""
        self._index.remove(id)

    def forget_removed(self) -> None:
        """Drop the words that only removed or replaced records had."""
        self._index.forget_removed()

    def vector(self, id: str) -> FloatArray | None:
        """A copy of the record's vector, or None."""
        return self._index.vector(id)

    def find(
        self,
        query: str,
        *,
        k: int,
        vector: FloatArray | None = None,
        exclude: Collection[str] = (),
        allowed: Collection[str] | None = None,
    ) -> list[Found]:
        """At most `k` records, the most similar first; nothing for a query without a word that says anything.

        `vector` is the query's, where it is known already; `allowed` limits what may be found. While the embedder
        fails, records are found by their words alone.
        """
        if k < 1:
            raise InvalidParameter(f"k must be at least 1, not {k}.")
        if not query.strip() or not len(self._index):
            return []
        vector = self._embedded(query, "query") if vector is None else vector
        left_out = set(exclude)
        if allowed is not None:
            wanted = set(allowed)
            left_out |= {name for name in self._index if name not in wanted}
        mode: Literal["hybrid", "lexical"] = "lexical" if vector is None else "hybrid"
        hits = self._index.search(Query(query, k=max(_POOL, 2 * k), mode=mode, exclude=left_out), vector=vector)
        rank = {hit.id: hit.score for hit in hits}
        parts = query_parts(query)
        weights: dict[str, float] = {}
        for part in parts:
            for term, credit in part.ways.items():
                if credit < 1.0:
                    weights[term] = max(weights.get(term, 0.0), credit * part.weight)
        for name in self._index.best(weights, k=max(_POOL, k), exclude=left_out):
            rank.setdefault(name, 0.0)
        ids = list(rank)
        terms = list(dict.fromkeys(term for part in parts for term in part.ways))
        similar = covered(parts, terms, self._index.holding(terms, ids))
        found = [
            Found(name, float(near), score) for (name, score), near in zip(rank.items(), similar.tolist(), strict=True)
        ]
        return sorted(found, key=lambda each: (-each.similarity, -each.rank_score))[:k]

    def alike(
        self, text: str, *, k: int, vector: FloatArray | None = None, exclude: Collection[str] = ()
    ) -> list[Found]:
        """At most `k` records most likely to say the same as `text`, the most alike first.

        The similarity is symmetric: what only one of the two says lowers it. `vector` is the text's as a document.
        """
        if k < 1:
            raise InvalidParameter(f"k must be at least 1, not {k}.")
        return self.find(text, k=k, vector=vector, exclude=exclude)

    def packed(self) -> dict[str, Packed]:
        """The whole index as arrays and JSON values by part, without a trace of removed records."""
        return self._index.packed()

    def restore(self, packed: Mapping[str, Packed]) -> None:
        """Become what `packed` was made of; ValueError when it is none, and the index is of no use then."""
        self._index.restore(packed)

    def _embedded(self, text: str, role: Literal["query", "document"]) -> FloatArray | None:
        """The vector of a text, or None without an embedder and while it fails."""
        if self._embedder is None:
            return None
        try:
            row: FloatArray = self._embedder.embed([text], role=role)[0]
            return row
        except InvalidParameter:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an embedder raises, words can be searched
            _log.warning("the embedder failed (%s); searching by words alone", type(error).__name__)
            return None
