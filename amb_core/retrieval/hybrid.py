"""One ranked list from lexical and dense scores, with the neighbours that mentions, links and adjacency lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder, Hit, Query
from amb_core.retrieval.dense import DenseIndex
from amb_core.retrieval.items import IndexedText
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.retrieval.mentions import MentionIndex
from amb_core.text import detect_language, index_tokens

__all__ = ["HybridIndex"]

FloatVector = NDArray[np.float32]
_SEEDS = 3
_CANDIDATE_TERMS = 12
_FOREIGN_DENSE = 0.25
_RRF = 60.0


def _scaled(values: FloatVector, *, floor: float | None = None) -> FloatVector:
    """Min-max scaled to [0, 1]; equal positive values become 1 and a maximum of 0 stays 0."""
    if not len(values):
        return values
    low = float(values.min()) if floor is None else floor
    high = float(values.max())
    if high <= low:
        return np.full_like(values, 1.0 if high > 0 else 0.0)
    return ((values - low) / (high - low)).astype(np.float32)


class HybridIndex:
    """A Retriever over notes: `put` inserts or replaces one, `remove` forgets it, `search` ranks them.

    Equal scores are ordered by age: the note inserted first comes first, and a replaced note keeps its age. `linked`
    gives the ids stored as related to an id. Not thread-safe: its owner holds a lock.
    """

    def __init__(
        self,
        *,
        embedder: Embedder | None = None,
        linked: Callable[[str], Iterable[str]] | None = None,
        foreign_dense: float = _FOREIGN_DENSE,
    ) -> None:
        self._embedder = embedder
        self._linked = linked or (lambda id: ())
        self._foreign_dense = foreign_dense
        self._lexical = LexicalIndex()
        self._dense = DenseIndex()
        self._mentions = MentionIndex()
        self._key_of: dict[str, int] = {}
        self._id_of: list[str | None] = []
        self._places: dict[tuple[str, int], int] = {}
        self._place_of: dict[int, tuple[str, int]] = {}

    def __len__(self) -> int:
        return len(self._key_of)

    def __contains__(self, id: str) -> bool:
        return id in self._key_of

    def put(self, item: IndexedText) -> None:
        """Insert a note, or replace the one with its id; raises InvalidParameter when its vector does not fit."""
        if item.vector is not None:
            self._dense.check(item.vector)
        key = self._key_of.get(item.id)
        if key is None:
            key = self._key_of[item.id] = len(self._id_of)
            self._id_of.append(item.id)
        self._lexical.put(key, index_tokens(item.text))
        if item.vector is None:
            self._dense.remove(key)
        else:
            self._dense.put(key, item.vector)
        self._mentions.put(key, about=item.about, mentions=item.mentions)
        self._leave_place(key)
        if item.source:
            self._place_of[key] = (item.source, item.position)
            self._places[item.source, item.position] = key

    def remove(self, id: str) -> None:
        """Forget a note; an unknown id is no error."""
        key = self._key_of.pop(id, None)
        if key is None:
            return
        self._id_of[key] = None
        self._lexical.remove(key)
        self._dense.remove(key)
        self._mentions.remove(key)
        self._leave_place(key)

    def vector(self, id: str) -> FloatVector | None:
        """A copy of the note's vector, or None."""
        key = self._key_of.get(id)
        return None if key is None else self._dense.vector(key)

    def search(self, query: Query) -> list[Hit]:
        """The k best notes, best first; raises InvalidParameter for k below 1 or alpha outside [0, 1]."""
        if query.k < 1:
            raise InvalidParameter(f"k must be at least 1, not {query.k}.")
        if not 0 <= query.alpha <= 1:
            raise InvalidParameter(f"alpha must be between 0 and 1, not {query.alpha}.")
        if not self._key_of:
            return []
        size = len(self._id_of)
        lexical = self._lexical.scores(Counter(index_tokens(query.text)), size=size)
        found = lexical > 0
        lexical = _scaled(lexical, floor=0.0)
        dense = np.zeros(size, dtype=np.float32)
        alpha = query.alpha
        if query.mode == "lexical" or not len(self._dense) or self._embedder is None:
            alpha = 1.0
        else:
            keys, cosines = self._dense.cosines(self._embedder.embed([query.text], role="query")[0])
            dense[keys] = _scaled(cosines)
            found[keys] = True
            alpha = self._weight_of_lexical(query)
        score = self._fused(lexical, dense, alpha=alpha, rrf=query.mode == "rrf")
        for id in query.exclude:
            key = self._key_of.get(id)
            if key is not None:
                found[key] = False
        via: dict[int, tuple[int, str]] = {}
        if not query.exact:
            self._expand(score, found, via, excluded={self._key_of.get(id, -1) for id in query.exclude})
        order = self._best(np.where(found, score, -1.0), query.k)
        best = max(float(score[order[0]]), 1e-9) if len(order) else 1.0
        return [
            Hit(
                id=str(self._id_of[key]),
                score=float(score[key]) / best,
                lexical=float(lexical[key]),
                dense=float(dense[key]),
                via=self._id_of[via[key][0]] if key in via else None,
                reason=via[key][1] if key in via else "matches the query",
            )
            for key in order
        ]

    def related(self, id: str) -> list[tuple[str, str]]:
        """Other notes joined to this one by a name, strongest first, as (id, reason)."""
        key = self._key_of.get(id)
        if key is None:
            return []
        links = [*self._mentions.links(key), *self._mentions.shared(key)]
        reasons: dict[str, str] = {}
        for link in links:
            reasons.setdefault(str(self._id_of[link.key]), link.reason)
        return list(reasons.items())

    def candidates(self, text: str, *, k: int, exclude: Collection[str] = ()) -> list[str]:
        """Ids of the notes most likely to speak of the same as `text`, found by its most telling terms only."""
        counts = Counter(term for term in index_tokens(text) if self._lexical.document_frequency(term))
        telling = sorted(counts, key=lambda term: (-self._lexical.idf(term) * min(counts[term], 3), term))
        weights = {term: float(min(counts[term], 3)) for term in telling[:_CANDIDATE_TERMS]}
        scores = self._lexical.scores(weights, size=len(self._id_of))
        for id in exclude:
            if id in self._key_of:
                scores[self._key_of[id]] = 0.0
        return [str(self._id_of[key]) for key in self._best(np.where(scores > 0, scores, -1.0), k)]

    def _weight_of_lexical(self, query: Query) -> float:
        if query.mode == "dense":
            return 0.0
        languages = self._embedder.languages if self._embedder else frozenset()
        if languages and detect_language(query.text) not in languages:
            return 1.0 - (1.0 - query.alpha) * self._foreign_dense
        return query.alpha

    @staticmethod
    def _fused(lexical: FloatVector, dense: FloatVector, *, alpha: float, rrf: bool) -> FloatVector:
        if not rrf:
            return (alpha * lexical + (1.0 - alpha) * dense).astype(np.float32)
        fused = np.zeros(len(lexical), dtype=np.float32)
        for part in (lexical, dense):
            order = np.argsort(-part, kind="stable")
            ranks = np.empty(len(part), dtype=np.float32)
            ranks[order] = np.arange(1, len(part) + 1)
            fused += np.where(part > 0, 1.0 / (_RRF + ranks), 0.0).astype(np.float32)
        return fused

    def _expand(
        self, score: FloatVector, found: NDArray[np.bool_], via: dict[int, tuple[int, str]], *, excluded: set[int]
    ) -> None:
        """Raise the neighbours of the best hits, in place."""
        seeds = self._best(np.where(found, score, -1.0), _SEEDS)
        raised: dict[int, tuple[float, int, str]] = {}
        for seed in seeds:
            for key, weight, reason in self._neighbours(seed):
                gain = weight * float(score[seed])
                if key not in excluded and key not in seeds and gain > raised.get(key, (0.0, 0, ""))[0]:
                    raised[key] = (gain, seed, reason)
        for key, (gain, seed, reason) in raised.items():
            score[key] += np.float32(gain)
            found[key] = True
            via[key] = (seed, reason)

    def _neighbours(self, key: int) -> list[tuple[int, float, str]]:
        near = [(link.key, 0.5 * link.weight, link.reason) for link in self._mentions.links(key)[:20]]
        near += [
            (self._key_of[other], 0.3, "linked") for other in self._linked(str(self._id_of[key])) if other in self._key_of
        ]
        if key in self._place_of:
            source, position = self._place_of[key]
            beside = (self._places.get((source, position + step)) for step in (-1, 1))
            near += [(other, 0.3, "beside it in the same source") for other in beside if other is not None]
        return near

    @staticmethod
    def _best(score: FloatVector, k: int) -> list[int]:
        """Keys of the k highest non-negative scores, best first, equal ones by age."""
        if k < len(score):
            bound = np.partition(score, len(score) - k)[len(score) - k]
            keys = np.flatnonzero(score >= max(float(bound), 0.0))
        else:
            keys = np.flatnonzero(score >= 0.0)
        return [int(key) for key in keys[np.argsort(-score[keys], kind="stable")][:k]]

    def _leave_place(self, key: int) -> None:
        place = self._place_of.pop(key, None)
        if place is not None and self._places.get(place) == key:
            del self._places[place]
