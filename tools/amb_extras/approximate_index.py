"""Cosine search through a graph of near vectors (hnswlib): most of the best of many without looking at all."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import MissingExtra
from amb_core.retrieval import Packed
from amb_retrieval import DenseIndex

__all__ = ["ApproximateIndex"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_NEAREST = 256
"""How many near vectors a query takes from the graph."""
_BREADTH = 400
"""How many it visits for them (hnswlib: ef)."""
_M, _CONSTRUCTION, _SEED = 16, 200, 7
_ROOM = 1.2


class ApproximateIndex(DenseIndex):
    """A DenseIndex that asks a graph of near vectors once there are `least` of them; up to there it is exact.

    Cosines are exact for what the graph finds, for the `also` given ones, and for the farthest vector, so that scores
    are scaled as those of the exact search; other vectors count as not found. The graph is made with one thread and a
    fixed seed, so equal histories give equal results. Raises MissingExtra without hnswlib. Not thread-safe.
    """

    approximate = True

    def __init__(self, *, least: int = 50_000) -> None:
        super().__init__()
        try:
            self._library: Any = import_module("hnswlib")
        except ImportError:
            raise MissingExtra("hnswlib", extra="hnsw") from None
        self._least = least
        self._graph: Any = None
        self._gone: set[int] = set()  # rows that the graph still knows, marked as deleted

    def put(self, key: int, vector: FloatArray) -> None:
        """Insert `vector` under `key`, or replace what is there."""
        super().put(key, vector)
        if self._graph is not None:
            self._add(np.array([self._row_of[key]], dtype=np.int64))

    def remove(self, key: int) -> None:
        """Forget the vector under `key`; an unknown key is no error."""
        row = self._row_of[key] if key in self else None
        super().remove(key)
        if self._graph is not None and row is not None:
            self._graph.mark_deleted(row)
            self._gone.add(row)

    def by_key(
        self, vector: FloatArray, *, size: int, also: IntArray | None = None
    ) -> tuple[NDArray[np.bool_] | None, FloatArray]:
        """The cosine of `vector` with what lies near it and with the keys `also`, 0 for all others, and who has one."""
        if len(self) < self._least:
            return super().by_key(vector, size=size)
        self.check(vector)
        wanted = vector.astype(np.float32, copy=False)
        graph = self._made()
        near, _ = graph.knn_query(wanted[None, :], k=min(_NEAREST, len(self)))
        farthest, _ = graph.knn_query(-wanted[None, :], k=1)
        rows = np.concatenate([near[0], farthest[0]]).astype(np.int64)
        if also is not None:
            inside = also[also < len(self._row_of)]
            asked = np.frombuffer(self._row_of, dtype=np.int64)[inside]
            rows = np.concatenate([rows, asked[asked >= 0]])
        keys = self._key_at[rows]
        known, spread = np.zeros(size, dtype=bool), np.zeros(size, dtype=np.float32)
        known[keys], spread[keys] = True, self._matrix[rows] @ wanted
        return known, spread

    def packed(self) -> Packed:
        """Everything in it as arrays; the graph only while nothing was removed from it."""
        packed = super().packed()
        if self._graph is not None and not self._gone and not self._free:
            with tempfile.TemporaryDirectory(prefix="amb-") as folder:
                file = Path(folder) / "graph"
                self._graph.save_index(str(file))
                packed["graph"] = np.fromfile(file, dtype=np.uint8)
        return packed

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        super().restore(packed)
        self._graph, self._gone = None, set()
        graph = packed.get("graph")
        if isinstance(graph, np.ndarray):
            with tempfile.TemporaryDirectory(prefix="amb-") as folder:
                file = Path(folder) / "graph"
                graph.tofile(file)
                self._graph = self._empty()
                self._graph.load_index(str(file), max_elements=int(_ROOM * self._used))
            self._graph.set_ef(_BREADTH)
            self._graph.set_num_threads(1)

    def _made(self) -> Any:
        """The graph, made of all vectors when it is first asked."""
        if self._graph is None:
            self._graph = self._empty()
            self._graph.init_index(
                max_elements=int(_ROOM * self._used), M=_M, ef_construction=_CONSTRUCTION, random_seed=_SEED
            )
            self._graph.set_ef(_BREADTH)
            self._graph.set_num_threads(1)
            self._gone = set()
            self._add(np.flatnonzero(self._key_at[: self._used] >= 0))
        return self._graph

    def _add(self, rows: IntArray) -> None:
        """Give the graph the vectors of some rows, or new ones for rows that it knows."""
        needed = int(rows.max(initial=-1)) + 1
        if needed > self._graph.get_max_elements():
            self._graph.resize_index(int(_ROOM * needed))
        for row in self._gone.intersection(rows.tolist()):
            self._graph.unmark_deleted(row)
            self._gone.discard(row)
        self._graph.add_items(self._matrix[rows], rows)

    def _empty(self) -> Any:
        return self._library.Index(space="ip", dim=self._matrix.shape[1])
