"""The index beside its floor: milliseconds per operation, and what an approximate search finds of the exact one."""

from __future__ import annotations

from time import process_time

import numpy as np
from numpy.typing import NDArray

from amb_bench.speed_floor import Floor, SpeedEmbedder, made_up, milliseconds, unit_vectors
from amb_core.errors import MissingExtra
from amb_core.protocols import Query
from amb_extras import ApproximateIndex
from amb_retrieval import DenseIndex, HybridIndex, IndexedText

__all__ = ["approximate_figures", "index_figures"]

_NOTE, _QUERY, _K = 60, 8, 5


def index_figures(*, size: int, rounds: int) -> dict[str, float]:
    """Median CPU milliseconds to add to, search in, replace in and remove from an index of `size` notes of 60 words."""
    texts, queries = made_up(size + rounds, words=_NOTE), made_up(rounds, words=_QUERY)
    vectors, embedder = unit_vectors(len(texts)), SpeedEmbedder()
    asked = embedder.embed(queries)
    floor, index = Floor(rows=len(texts)), HybridIndex(embedder=embedder)

    def add(number: int) -> None:
        index.put(IndexedText(f"n{number}", texts[number], float(number), vectors[number]))

    for number in range(size):
        floor.add(texts[number], vectors[number])
        add(number)
    extra, every = range(size, len(texts)), range(rounds)
    return {
        "floor: add": milliseconds(lambda i: floor.add(texts[i], vectors[i]), extra),
        "floor: search": milliseconds(lambda i: floor.search(queries[i], asked[i], k=_K), every),
        "add": milliseconds(add, extra),
        "search by the fused score alone": milliseconds(lambda i: index.search(Query(queries[i], exact=True)), every),
        "search (as recall does it)": milliseconds(lambda i: index.search(Query(queries[i])), every),
        "search by words alone": milliseconds(lambda i: index.search(Query(queries[i], mode="lexical")), every),
        "conflict candidates": milliseconds(lambda i: index.candidates(texts[i], k=8), every),
        "replace": milliseconds(add, every),
        "remove": milliseconds(lambda i: index.remove(f"n{i}"), every),
    }


def approximate_figures(*, size: int, rounds: int) -> dict[str, float]:
    """The same searches exactly and through hnswlib, and which share of the exact five best it finds; {} without it.

    The notes' vectors stand in groups, as those of real texts do; random ones have no neighbours to be found.
    """
    try:
        approximate = ApproximateIndex(least=1)
    except MissingExtra:
        return {}
    vectors, exact = _grouped(size + rounds), DenseIndex()
    for number in range(size):
        exact.put(number, vectors[number])
        approximate.put(number, vectors[number])
    start = process_time()
    approximate.by_key(vectors[-1], size=size)
    built = process_time() - start
    extra, every = range(size, size + rounds), range(rounds)
    asked = vectors[size:]
    shares = [_shared(exact, approximate, asked[number], size) for number in every]
    return {
        "exact search, ms": milliseconds(lambda i: exact.by_key(asked[i], size=size), every),
        "hnsw search, ms": milliseconds(lambda i: approximate.by_key(asked[i], size=size), every),
        "share of the exact 5 best found": sum(shares) / len(shares),
        "making the graph, ms a vector": 1e3 * built / size,
        "hnsw add, ms": milliseconds(lambda i: approximate.put(i, vectors[i]), extra),
        "hnsw remove, ms": milliseconds(approximate.remove, every),
    }


def _grouped(count: int) -> NDArray[np.float32]:
    """Vectors of unit length in groups of about 50."""
    centres, spread = unit_vectors(count // 50 + 1, seed=2), unit_vectors(count, seed=3)
    belongs = np.random.default_rng(4).integers(0, len(centres), size=count)
    vectors: NDArray[np.float32] = (centres[belongs] + 0.7 * spread).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def _shared(exact: DenseIndex, approximate: DenseIndex, vector: NDArray[np.float32], size: int) -> float:
    best, found = (np.argsort(-index.by_key(vector, size=size)[1])[:_K] for index in (exact, approximate))
    return len(np.intersect1d(best, found)) / _K
