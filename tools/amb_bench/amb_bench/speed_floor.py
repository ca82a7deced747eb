"""What the speed bench compares with: notes made up by rule, vectors at no cost, and the least an index can do."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import process_time
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.text import index_tokens

__all__ = ["Floor", "SpeedEmbedder", "made_up", "milliseconds", "unit_vectors"]

FloatArray = NDArray[np.float32]
DIMENSION = 384


_PATTERNS = np.cos(np.arange(1, 98)[:, None] * np.arange(DIMENSION)[None, :]).astype(np.float32)
_PATTERNS /= np.linalg.norm(_PATTERNS, axis=1, keepdims=True)


class SpeedEmbedder:
    """Vectors from a table, at next to no cost: what is timed is the index."""

    model_id = "speed"
    dimension = DIMENSION
    languages: frozenset[str] = frozenset()

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), 384], rows of unit length, one pattern per text length."""
        rows: FloatArray = _PATTERNS[[len(text) % len(_PATTERNS) for text in texts]]
        return rows


class Floor:
    """What no implementation can do without: text by id, an inverted index, one matrix, the k best of the sum."""

    def __init__(self, *, rows: int) -> None:
        self._texts: list[str] = []
        self._slots: dict[str, array[int]] = {}
        self._counts: dict[str, array[float]] = {}
        self._lengths = np.zeros(rows, dtype=np.float32)
        self._matrix = np.zeros((rows, DIMENSION), dtype=np.float32)
        self._tokens = 0

    def add(self, text: str, vector: FloatArray) -> None:
        """Add one text with its vector; there is room for `rows` of them."""
        slot = len(self._texts)
        self._texts.append(text)
        tokens = index_tokens(text)
        for term, count in Counter(tokens).items():
            if term not in self._slots:
                self._slots[term], self._counts[term] = array("i"), array("f")
            self._slots[term].append(slot)
            self._counts[term].append(count)
        self._lengths[slot] = len(tokens)
        self._matrix[slot] = vector
        self._tokens += len(tokens)

    def search(self, text: str, vector: FloatArray, *, k: int) -> list[int]:
        """The k texts with the highest sum of BM25 and cosine."""
        size = len(self._texts)
        score = self._matrix[:size] @ vector
        norm = 0.54 + 0.36 * self._lengths[:size] * np.float32(size / self._tokens)
        for term in set(index_tokens(text)):
            if term in self._slots:
                slots = np.frombuffer(self._slots[term], dtype=np.int32)
                counts = np.frombuffer(self._counts[term], dtype=np.float32)
                weight = math.log1p((size - len(slots) + 0.5) / (len(slots) + 0.5))
                score[slots] += np.float32(weight) * counts / (counts + norm[slots])
        best = np.argpartition(-score, k)[:k]
        return [int(slot) for slot in best[np.argsort(-score[best])]]


def made_up(count: int, *, words: int, seed: int = 0) -> list[str]:
    """Texts whose words are as unevenly frequent as in real ones."""
    numbers = np.minimum(np.random.default_rng([seed, words]).zipf(1.3, size=(count, words)), 30_000)
    return [" ".join(f"word{number}" for number in row) for row in numbers.tolist()]


def unit_vectors(count: int, *, seed: int = 1) -> FloatArray:
    """Random vectors of unit length, float32 of shape [count, 384]."""
    vectors = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def milliseconds(operation: Callable[[int], object], numbers: Iterable[int]) -> float:
    """The median CPU milliseconds of one call."""
    times = []
    for number in numbers:
        start = process_time()
        operation(number)
        times.append(process_time() - start)
    return 1_000 * median(times)
