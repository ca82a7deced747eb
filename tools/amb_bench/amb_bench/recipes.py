"""Recipes others rank by, written anew for comparison: mem0's formula, links over titles, dialogue extras."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amb_bench.datasets import Passage
from amb_core.protocols import Embedder
from amb_core.retrieval import LexicalIndex
from amb_core.text import index_tokens
from amb_values import dialogue_speaker, entities, name_key
from amb_values.names import known_names

__all__ = ["DialogueMemory", "MixedMemory", "SummedMemory", "TitleLinksMemory"]

FloatArray = NDArray[np.float32]


class MixedMemory:
    """BM25 over index terms and cosines, both min-max scaled, `alpha` on the first; BM25 alone without an embedder."""

    def __init__(self, *, embedder: Embedder | None = None, alpha: float = 0.4) -> None:
        self._embedder = embedder
        self._alpha = alpha
        self._index = LexicalIndex()
        self._vectors: list[FloatArray] = []
        self.passages: list[Passage] = []

    def absorb(self, passage: Passage) -> None:
        """One note a passage."""
        self._index.put(len(self.passages), index_tokens(passage.text))
        if self._embedder is not None:
            self._vectors.append(self._embedder.embed([passage.text])[0])
        self.passages.append(passage)

    def recall(self, question: str, *, k: int) -> list[str]:
        """Passages by score, equal ones in order."""
        return [self.passages[place].id for place in _ranked(self.scores(question), k)]

    def words(self, question: str) -> FloatArray:
        """BM25 of every passage."""
        return self._index.scores(dict.fromkeys(index_tokens(question), 1.0), size=len(self.passages))

    def cosines(self, question: str) -> FloatArray:
        """The cosine of every passage, zeros without an embedder."""
        if self._embedder is None:
            return np.zeros(len(self.passages), dtype=np.float32)
        return np.asarray(np.stack(self._vectors) @ self._embedder.embed([question], role="query")[0])

    def scores(self, question: str) -> FloatArray:
        """The mix, in [0, 1]."""
        words = _stretched(self.words(question))
        if self._embedder is None:
            return words
        mix = self._alpha * words + (1.0 - self._alpha) * _stretched(self.cosines(question))
        return np.asarray(mix, dtype=np.float32)


class SummedMemory(MixedMemory):
    """The formula of mem0 2.x: cosine + BM25 through a sigmoid that depends on the query's length + a boost by names.

    Only the nearest by cosine (4 k, at least 60; at least .1) are ranked at all. Names are what our own reader finds,
    compared by their key where mem0 compares embeddings of them.
    """

    def __init__(self, *, embedder: Embedder | None) -> None:
        super().__init__(embedder=embedder)
        self._named: dict[str, set[int]] = {}

    def absorb(self, passage: Passage) -> None:
        """The passage and the names in it."""
        for name in entities(passage.text):
            self._named.setdefault(name_key(name.name), set()).add(len(self.passages))
        super().absorb(passage)

    def recall(self, question: str, *, k: int) -> list[str]:
        """Passages by the sum."""
        cosines, words = self.cosines(question), self.words(question)
        middle, slope = _sigmoid_of(len(index_tokens(question)))
        summed = cosines + np.where(words > 0, 1.0 / (1.0 + np.exp(-slope * (words - middle))), 0.0)
        for name in dict.fromkeys(name_key(entity.name) for entity in entities(question)[:8]):
            places = sorted(self._named.get(name, ()))
            summed[places] += 0.5 / (1.0 + 0.001 * (len(places) - 1) ** 2)
        near = np.argsort(-cosines, kind="stable")[: max(4 * k, 60)]
        near = near[cosines[near] >= 0.1]
        return [self.passages[place].id for place in near[np.argsort(-summed[near], kind="stable")][:k].tolist()]


class TitleLinksMemory(MixedMemory):
    """The mix; after the best three come the passages these name or are named by. Titles are known beforehand."""

    def __init__(self, *, embedder: Embedder | None = None) -> None:
        super().__init__(embedder=embedder)
        self._linked: dict[int, set[int]] | None = None

    def recall(self, question: str, *, k: int) -> list[str]:
        """The best three, what they are linked with by score, and the others by score."""
        scores = self.scores(question)
        links = self._links()
        first = _ranked(scores, 3)
        linked = {place for each in first for place in links[each]}.difference(first)
        rest = _ranked(scores, len(scores))
        order = [*first, *(p for p in rest if p in linked), *(p for p in rest if p not in linked and p not in first)]
        return [self.passages[place].id for place in order[:k]]

    def _links(self) -> dict[int, set[int]]:
        if self._linked is None:
            titled: dict[str, list[int]] = {}
            for place, passage in enumerate(self.passages):
                titled.setdefault(name_key(passage.title), []).append(place)
            self._linked = {place: set() for place in range(len(self.passages))}
            for place, passage in enumerate(self.passages):
                for name in known_names(passage.text, titled):
                    for other in titled[name]:
                        self._linked[place].add(other)
                        self._linked[other].add(place)
        return self._linked


class DialogueMemory(MixedMemory):
    """The mix for dialogues: turns beside a match count too, and what the person in the question says counts more."""

    def __init__(self, *, embedder: Embedder | None = None) -> None:
        super().__init__(embedder=embedder)
        self._speakers: list[str] = []
        self._sources: list[int] = []
        self._number: dict[str, int] = {}

    def absorb(self, passage: Passage) -> None:
        """The turn, who speaks, and where it stands."""
        super().absorb(passage)
        self._speakers.append(dialogue_speaker(passage.text) or "")
        self._sources.append(self._number.setdefault(passage.source, len(self._number)))

    def recall(self, question: str, *, k: int) -> list[str]:
        """Turns by score."""
        scores = self.scores(question)
        whole = scores.copy()
        for distance, share in ((1, 0.6), (2, 0.4), (-1, 0.4), (-2, 0.2)):
            moved = np.roll(scores, distance)
            whole = np.maximum(whole, np.float32(share) * moved * self._same_source(distance))
        wanted = set(index_tokens(question))
        named = {name for name in set(self._speakers) if name and wanted.issuperset(index_tokens(name))}
        whole *= np.array([1.4 if speaker in named else 1.0 for speaker in self._speakers], dtype=np.float32)
        return [self.passages[place].id for place in _ranked(whole, k)]

    def _same_source(self, distance: int) -> NDArray[np.bool_]:
        sources = np.array(self._sources)
        same = np.roll(sources, distance) == sources
        same[slice(None, distance) if distance > 0 else slice(distance, None)] = False
        return np.asarray(same)


def _ranked(scores: FloatArray, k: int) -> list[int]:
    ranked: list[int] = np.argsort(-scores, kind="stable")[:k].tolist()
    return ranked


def _stretched(values: FloatArray) -> FloatArray:
    low, high = float(values.min(initial=0.0)), float(values.max(initial=0.0))
    return np.asarray((values - low) / max(high - low, 1e-9), dtype=np.float32)


def _sigmoid_of(terms: int) -> tuple[float, float]:
    """Where the sigmoid is one half, and how steep it is there."""
    steps: Sequence[tuple[float, float, float]] = ((3, 5, 0.7), (6, 7, 0.6), (9, 9, 0.5), (15, 10, 0.5))
    return next(((middle, slope) for most, middle, slope in steps if terms <= most), (12.0, 0.5))
