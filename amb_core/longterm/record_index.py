"""The records of one namespace, found by what is asked, and by what else says the same."""

from __future__ import annotations

import logging
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.longterm.nearness import nearness_of
from amb_core.longterm.similarity import Question, falling, further_terms
from amb_core.protocols import Embedder, Query
from amb_core.retrieval import DenseIndex, HybridIndex, IndexedText, Packed
from amb_core.text import detect_language, index_tokens

__all__ = ["Found", "RecordIndex"]

_log = logging.getLogger("amb.embedder")
FloatArray = NDArray[np.float32]

_POOL = 16
"""How many of the best records by rank, and as many by related words, are looked at more closely."""
_BETTER = 0.75
"""The weight of the better one of words and meaning in a likeness; the other one has the rest."""
_MISSING = 0.5
"""From which likeness of the best record by the query's very words on, related words no longer decide the order."""
_FLOOR = 0.5
"""The share of its own likeness that a record ranks by at least, however low the hybrid index has it."""
_READ = 20_000
"""Characters of a text that its likeness to records is found by."""


@dataclass(frozen=True, slots=True)
class Found:
    """A record that was found: its absolute `similarity` in [0, 1], and `rank_score` in [0, 1] (1 = best found)."""

    id: str
    similarity: float
    rank_score: float


class RecordIndex:
    """An index of the records of one namespace; not thread-safe, its owner holds a lock.

    Two indexes into which the same records were put in the same order find the same, wherever the records are stored.
    What ranks equal is ordered by age (the record put first comes first; one put again keeps its age). Vectors come
    from `put`; `embedder` embeds queries that bring none, unless `embeds` is false: then they go by words alone.
    """

    def __init__(
        self, *, embedder: Embedder | None = None, vectors: DenseIndex | None = None, embeds: bool = True
    ) -> None:
        self._embedder = embedder
        self._embeds = embeds
        self._index = HybridIndex(embedder=embedder, dense=vectors)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, id: str) -> bool:
        return id in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def put(self, id: str, *, text: str, timestamp: float = 0.0, vector: FloatArray | None = None) -> None:
        """Insert a record or replace the one with its id; InvalidParameter when its vector does not fit the others."""
        self._index.put(IndexedText.of(id, text=text, timestamp=timestamp, vector=vector, also=further_terms(text)))

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
        """At most `k` records, the most similar first; nothing for a blank query, or one that no record has to do with.

        `vector` is the query's, where it is known already; `allowed` limits what may be found. While the embedder
        fails, records are found by their words alone. Similarities never rise along the list: a record that only a
        link or a name leads to shares that of its neighbours in it.
        """
        _check(k)
        query = query[:_READ]
        if not query.strip() or not len(self._index):
            return []
        vector = self._embedded(query, "query") if vector is None else vector
        left_out = self._left_out(exclude, allowed)
        mode: Literal["hybrid", "lexical"] = "lexical" if vector is None else "hybrid"
        hits = self._index.search(Query(query, k=max(_POOL, 2 * k), mode=mode, exclude=left_out), vector=vector)
        rank = {hit.id: hit.score for hit in hits}
        question = Question(query)
        ids = list(rank)
        exact, words = question.covered(self._index.holding(question.terms, ids), rarity=self._rarity)
        if len(ids) < k or exact.max(initial=0.0) < _MISSING:
            for name in self._index.best(question.related, k=max(_POOL, k), exclude=left_out):
                rank.setdefault(name, 0.0)
            ids = list(rank)
            exact, words = question.covered(self._index.holding(question.terms, ids), rarity=self._rarity)
        similar = self._joined(words, self._meant(query, vector, ids))
        said = float(exact.max(initial=0.0))
        top = said if vector is None else float(similar.max(initial=0.0))
        related = np.float32(max(0.0, 1.0 - said / _MISSING)) * (words - exact)
        by = np.float32(top) * np.array(list(rank.values()), dtype=np.float32) + related
        by = np.maximum(by, np.float32(_FLOOR) * similar)
        return _in_order(ids, similar, by=by.astype(np.float32, copy=False))[:k]

    def alike(
        self, text: str, *, k: int, vector: FloatArray | None = None, exclude: Collection[str] = ()
    ) -> list[Found]:
        """At most `k` records most likely to say the same as `text`, the most alike first.

        The similarity is symmetric: what only one of the two says lowers it. `vector` is the text's as a document.
        """
        _check(k)
        read = text[:_READ]
        if not read.strip() or not len(self._index):
            return []
        vector = self._embedded(text, "document") if vector is None else vector
        question, left_out = Question(read), set(exclude)
        ids = dict.fromkeys(self._index.candidates(read, k=max(_POOL, 2 * k), exclude=left_out))
        ids |= dict.fromkeys(self._index.best(question.related, k=max(_POOL, k), exclude=left_out))
        if vector is not None:
            ids |= dict.fromkeys(self._index.nearest(vector, k=max(_POOL, k), exclude=left_out))
        names = list(ids)
        _, there = question.covered(self._index.holding(question.terms, names), rarity=self._rarity)
        own = list(dict.fromkeys((*index_tokens(read), *further_terms(read))))
        shared = self._index.holding(own, names).sum(axis=0, dtype=np.float32)
        back = shared / np.maximum(self._index.distinct_terms(names), 1).astype(np.float32)
        words = 2.0 * there * back / np.maximum(there + back, np.float32(1e-9))
        likeness = self._joined(words.astype(np.float32), self._meant(read, vector, names, role="document"))
        return _in_order(names, likeness, by=likeness)[:k]

    def packed(self) -> dict[str, Packed]:
        """The whole index as arrays and JSON values by part, without a trace of removed records."""
        return self._index.packed()

    def restore(self, packed: Mapping[str, Packed]) -> None:
        """Become what `packed` was made of; ValueError when it is none, and the index is of no use then."""
        self._index.restore(packed)

    def _left_out(self, exclude: Collection[str], allowed: Collection[str] | None) -> set[str]:
        if allowed is None:
            return set(exclude)
        wanted = set(allowed).difference(exclude)
        return {name for name in self._index if name not in wanted}

    def _rarity(self, term: str) -> float:
        """How telling an index term is here, in [0.3, 1]: 1 for one that no record holds."""
        many = math.log1p(len(self._index) + 40.0)
        return max(0.3, 1.0 - math.log1p(self._index.document_frequency(term)) / many)

    def _meant(
        self,
        text: str,
        vector: FloatArray | None,
        ids: Sequence[str],
        *,
        role: Literal["query", "document"] = "query",
    ) -> FloatArray | None:
        """What the vectors say of likeness, in [0, 1]; NaN for a record without one; None where they say nothing."""
        if vector is None or self._embedder is None:
            return None
        try:
            near = nearness_of(self._embedder, language=detect_language(text), role=role)
        except Exception as error:  # noqa: BLE001 - an embedder that fails now says nothing of what it said before
            _log.warning("the embedder failed (%s); likeness is found by words alone", type(error).__name__)
            return None
        return near.of(self._index.cosines(vector, ids))

    @staticmethod
    def _joined(words: FloatArray, meant: FloatArray | None) -> FloatArray:
        if meant is None:
            return words
        meaning = np.where(np.isnan(meant), words, meant)
        higher, lower = np.maximum(words, meaning), np.minimum(words, meaning)
        joined = np.float32(_BETTER) * higher + np.float32(1.0 - _BETTER) * lower
        return joined.astype(np.float32, copy=False)

    def _embedded(self, text: str, role: Literal["query", "document"]) -> FloatArray | None:
        """The vector of a text, or None without an embedder and while it fails."""
        if self._embedder is None or not self._embeds:
            return None
        try:
            row: FloatArray = self._embedder.embed([text], role=role)[0]
            return row
        except InvalidParameter:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an embedder raises, words can be searched
            _log.warning("the embedder failed (%s); searching by words alone", type(error).__name__)
            return None


def _check(k: int) -> None:
    if k < 1:
        raise InvalidParameter(f"k must be at least 1, not {k}.")


def _in_order(ids: Sequence[str], similar: FloatArray, *, by: FloatArray) -> list[Found]:
    """The records, highest `by` first, with similarities made to fall in that order."""
    order: list[int] = np.argsort(-by, kind="stable").tolist()
    best = max(float(by.max(initial=0.0)), 1e-9)
    near = np.clip(falling(similar[order]), 0.0, 1.0).tolist()
    return [
        Found(ids[number], similarity, min(max(float(by[number]) / best, 0.0), 1.0))
        for number, similarity in zip(order, near, strict=True)
    ]
