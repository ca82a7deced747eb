"""Time per operation of the index, beside the floor: a dict, a matrix and an inverted index with nothing around them.

Machines differ and are shared: compare the rows of one run, never two runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.evaluation.benches import BenchOptions
from amb_core.evaluation.tables import Table
from amb_core.protocols import Query
from amb_core.retrieval import DenseIndex, HybridIndex, IndexedText, LexicalIndex
from amb_core.text import index_tokens

__all__ = ["SpeedEmbedder", "speed_table", "tables"]

FloatArray = NDArray[np.float32]
_WORDS_A_NOTE = 60
_WORDS_A_QUERY = 8
_ROUNDS = 50


class SpeedEmbedder:
    """Vectors from a counter, at next to no cost: what is timed is the index."""

    model_id = "speed"
    dimension = 384
    languages: frozenset[str] = frozenset()

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), 384], rows of unit length, one pattern per text length."""
        rows = np.array([np.cos(np.arange(384) * (1 + len(text) % 97)) for text in texts], dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


class _Floor:
    """What no implementation can do without: text by id, BM25 and cosine added up, the k best."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.lexical, self.dense = LexicalIndex(), DenseIndex()

    def put(self, id: str, text: str, vector: FloatArray) -> None:
        key = len(self.texts)
        self.texts[id] = text
        self.lexical.put(key, index_tokens(text))
        self.dense.put(key, vector)

    def search(self, text: str, vector: FloatArray, *, k: int) -> list[int]:
        words = self.lexical.scores(Counter(index_tokens(text)), size=len(self.texts))
        _, cosines = self.dense.cosines(vector)
        score = words + cosines
        best = np.argpartition(-score, k)[:k]
        return [int(key) for key in best[np.argsort(-score[best])]]


def speed_table(size: int) -> Table:
    """Median milliseconds to add to, search in and remove from an index of `size` notes of 60 words."""
    texts, queries = _texts(size + _ROUNDS, _WORDS_A_NOTE), _texts(_ROUNDS, _WORDS_A_QUERY)
    embedder = SpeedEmbedder()
    vectors = np.random.default_rng(1).normal(size=(len(texts), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    asked = embedder.embed(queries)
    floor, ours = _Floor(), HybridIndex(embedder=embedder)

    def add(number: int) -> None:
        ours.put(IndexedText(f"n{number}", texts[number], float(number), vectors[number]))

    for number in range(size):
        floor.put(f"n{number}", texts[number], vectors[number])
        add(number)
    extra = range(size, len(texts))
    rows = (
        ("floor: add", _timed(lambda i: floor.put(f"n{i}", texts[i], vectors[i]), extra)),
        ("floor: hybrid search", _timed(lambda i: floor.search(queries[i], asked[i], k=5), range(_ROUNDS))),
        ("add", _timed(add, extra)),
        ("hybrid search", _timed(lambda i: ours.search(Query(queries[i])), range(_ROUNDS))),
        ("lexical search", _timed(lambda i: ours.search(Query(queries[i], mode="lexical")), range(_ROUNDS))),
        ("conflict candidates", _timed(lambda i: ours.candidates(texts[i], k=8), range(_ROUNDS))),
        ("replace", _timed(add, range(_ROUNDS))),
        ("remove", _timed(lambda i: ours.remove(f"n{i}"), range(_ROUNDS))),
    )
    return Table(f"{size:,} notes, median ms", ("operation", "ms"), tuple((name, 1_000 * time) for name, time in rows))


def tables(options: BenchOptions) -> Iterator[Table]:
    """One table per size; the sizes are `options.only`, by default 1,000 and 10,000."""
    for size in options.only or (("1000",) if options.quick else ("1000", "10000")):
        if not size.isdecimal():
            raise InvalidParameter(f"{size!r} is no number of notes; say for example --only 1000,10000")
        yield speed_table(int(size))


def _texts(count: int, words: int) -> list[str]:
    """Texts whose words are as unevenly frequent as in real ones."""
    numbers = np.minimum(np.random.default_rng(count + words).zipf(1.3, size=(count, words)), 30_000)
    return [" ".join(f"word{number}" for number in row) for row in numbers.tolist()]


def _timed(operation: Callable[[int], object], numbers: Iterable[int]) -> float:
    """The median seconds of one call."""
    times = []
    for number in numbers:
        start = perf_counter()
        operation(number)
        times.append(perf_counter() - start)
    return median(times)
