"""Exact cosine search over one matrix that grows by doubling and reuses the rows of removed vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter

__all__ = ["DenseIndex"]

_FIRST_ROWS = 64
_FREE = -1


class DenseIndex:
    """Unit vectors under integer keys; `put` and `remove` are O(dimension), `cosines` is one matrix product.

    The dimension is that of the first vector; another one raises InvalidParameter. Not thread-safe.
    """

    def __init__(self) -> None:
        self._matrix = np.zeros((0, 0), dtype=np.float32)
        self._key_at = np.zeros(0, dtype=np.int64)  # per row: its key, or _FREE
        self._row_of: dict[int, int] = {}
        self._free: list[int] = []
        self._used = 0

    def __len__(self) -> int:
        return len(self._row_of)

    def __contains__(self, key: int) -> bool:
        return key in self._row_of

    @property
    def dimension(self) -> int | None:
        """The number of columns, or None before the first vector."""
        return self._matrix.shape[1] or None

    @property
    def row_count(self) -> int:
        """How many rows of the matrix were ever used at once."""
        return self._used

    def check(self, vector: NDArray[np.float32]) -> None:
        """Raise InvalidParameter when `vector` cannot be stored or compared here."""
        if vector.ndim != 1 or not len(vector):
            raise InvalidParameter(f"a vector needs one axis and at least one number, not shape {vector.shape}.")
        if self.dimension not in (None, len(vector)):
            raise InvalidParameter(
                f"this index holds vectors of {self.dimension} numbers, this one has {len(vector)}: "
                "embed everything with one embedder, or rebuild the index."
            )
        if not np.isfinite(vector).all():
            raise InvalidParameter("the vector contains NaN or infinity; check the embedder that made it.")

    def put(self, key: int, vector: NDArray[np.float32]) -> None:
        """Insert `vector` (shape [dimension], unit length or zero) under `key`, or replace what is there."""
        self.check(vector)
        row = self._row_of.get(key)
        if row is None:
            row = self._row_of[key] = self._take_row(len(vector))
            self._key_at[row] = key
        self._matrix[row] = vector

    def remove(self, key: int) -> None:
        """Forget the vector under `key`; an unknown key is no error."""
        row = self._row_of.pop(key, None)
        if row is not None:
            self._key_at[row] = _FREE
            self._matrix[row] = 0.0
            self._free.append(row)

    def vector(self, key: int) -> NDArray[np.float32] | None:
        """A copy of the vector under `key`, or None."""
        row = self._row_of.get(key)
        return None if row is None else self._matrix[row].copy()

    def cosines(self, vector: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The keys that have a vector and their cosine with `vector`, in no particular order."""
        if not self._row_of:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        self.check(vector)
        keys = self._key_at[: self._used]
        cosines = self._matrix[: self._used] @ vector.astype(np.float32, copy=False)
        if self._free:
            alive = keys != _FREE
            return keys[alive], cosines[alive]
        return keys.copy(), cosines

    def _take_row(self, dimension: int) -> int:
        if self._free:
            return self._free.pop()
        if self._used == len(self._matrix):
            rows = max(_FIRST_ROWS, 2 * self._used)
            matrix = np.zeros((rows, dimension), dtype=np.float32)
            keys = np.full(rows, _FREE, dtype=np.int64)
            matrix[: self._used] = self._matrix[: self._used] if self._used else 0.0
            keys[: self._used] = self._key_at[: self._used]
            self._matrix, self._key_at = matrix, keys
        self._used += 1
        return self._used - 1
