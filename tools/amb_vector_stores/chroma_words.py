"""Ranking by words beside an engine that ranks by vectors alone."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection

from amb_vector_stores.points import sparse_of

__all__ = ["WordIndex"]


class WordIndex:
    """The words of texts by id, weighted as BM25 does."""

    def __init__(self) -> None:
        self._weights: dict[int, dict[str, float]] = defaultdict(dict)
        self._terms: dict[str, list[int]] = {}

    def put(self, id: str, text: str) -> None:
        """Index a text in the place of what the id had."""
        self.remove(id)
        words = sparse_of(text)
        if words is None:
            return
        self._terms[id] = words.indices
        for term, weight in zip(words.indices, words.values, strict=True):
            self._weights[term][id] = weight

    def remove(self, id: str) -> None:
        """Forget an id; no error when it is unknown."""
        for term in self._terms.pop(id, ()):
            del self._weights[term][id]

    def ranked(self, text: str, allowed: Collection[str]) -> dict[str, float]:
        """How well the allowed texts fit, those without a common word left out; rare words weigh more."""
        found: dict[str, float] = defaultdict(float)
        words = sparse_of(text)
        for term, asked in zip(words.indices, words.values, strict=True) if words is not None else ():
            having = self._weights.get(term, {})
            rare = math.log(1 + (len(self._terms) - len(having) + 0.5) / (len(having) + 0.5))
            for each, weight in having.items():
                if each in allowed:
                    found[each] += asked * weight * rare
        return found
