"""Exact cosine search over one matrix that grows in place and reuses the rows of removed vectors."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.retrieval.lexical import Packed

__all__ = ["DenseIndex"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_FIRST_ROWS = 64
_GROWTH = 1.2
_NONE = -1


class DenseIndex:
    """Unit vectors under integer keys; `put` and `remove` are O(dimension), `cosines` is one matrix product.

    The dimension is that of the first vector; another one raises InvalidParameter. Not thread-safe.
    """

    approximate = False
    """Whether `by_key` may leave vectors out."""

    def __init__(self) -> None:
        self._matrix = np.zeros((0, 0), dtype=np.float32)
        self._key_at = np.zeros(0, dtype=np.int64)  # per row: its key, or -1 when the row is free
        self._row_of = array("q")  # per key: its row, or -1
        self._free: list[int] = []
        self._used = 0
        self._in_order = True  # every row so far stands under the key of its number

    def __len__(self) -> int:
        return self._used - len(self._free)

    def __contains__(self, key: int) -> bool:
        return key < len(self._row_of) and self._row_of[key] != _NONE

    @property
    def dimension(self) -> int | None:
        """The number of columns, or None before the first vector."""
        return self._matrix.shape[1] or None

    def check(self, vector: FloatArray) -> None:
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

    def put(self, key: int, vector: FloatArray) -> None:
        """Insert `vector` (shape [dimension], unit length or zero) under `key`, or replace what is there."""
        self.check(vector)
        if key in self:
            row = self._row_of[key]
        else:
            row = self._take_row(len(vector))
            if key >= len(self._row_of):
                self._row_of.extend([_NONE] * (key + 1 - len(self._row_of)))
            self._row_of[key], self._key_at[row] = row, key
            self._in_order = self._in_order and row == key
        self._matrix[row] = vector

    def remove(self, key: int) -> None:
        """Forget the vector under `key`; an unknown key is no error."""
        if key in self:
            row = self._row_of[key]
            self._row_of[key] = self._key_at[row] = _NONE
            self._matrix[row] = 0.0
            self._free.append(row)
            self._in_order = False

    def vector(self, key: int) -> FloatArray | None:
        """A copy of the vector under `key`, or None."""
        return self._matrix[self._row_of[key]].copy() if key in self else None

    def cosines(self, vector: FloatArray) -> tuple[IntArray, FloatArray]:
        """The keys that have a vector and their cosine with `vector`, in no particular order."""
        if not len(self):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        self.check(vector)
        keys = self._key_at[: self._used]
        cosines = self._matrix[: self._used] @ vector.astype(np.float32, copy=False)
        if self._free:
            alive = keys != _NONE
            return keys[alive], cosines[alive]
        return keys.copy(), cosines

    def by_key(
        self, vector: FloatArray, *, size: int, also: IntArray | None = None
    ) -> tuple[NDArray[np.bool_] | None, FloatArray]:
        """The cosine of `vector` with that of each key below `size`, 0 where there is none, and who has a vector.

        Who has one is None when all have. `also` are keys that an approximate index must not leave out.
        """
        if self._in_order and self._used == size:
            self.check(vector)
            return None, self._matrix[:size] @ vector.astype(np.float32, copy=False)
        keys, cosines = self.cosines(vector)
        known, spread = np.zeros(size, dtype=bool), np.zeros(size, dtype=np.float32)
        known[keys], spread[keys] = True, cosines
        return known, spread

    def packed(self) -> Packed:
        """Everything in it as arrays."""
        alive = self._key_at[: self._used] != _NONE
        return {"matrix": self._matrix[: self._used][alive], "keys": self._key_at[: self._used][alive]}

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        matrix, keys = packed["matrix"], packed["keys"]
        self._matrix = matrix if matrix.flags.owndata else matrix.copy()  # it is grown in place
        self._key_at = keys.copy()
        self._used = len(keys)
        row_of = np.full(int(keys.max(initial=-1)) + 1, _NONE, dtype=np.int64)
        row_of[keys] = np.arange(len(keys))
        self._row_of = array("q", row_of.tobytes())
        self._in_order = bool((keys == np.arange(len(keys))).all())

    def _take_row(self, dimension: int) -> int:
        if self._free:
            return self._free.pop()
        if self._used == len(self._matrix):
            rows = max(_FIRST_ROWS, int(_GROWTH * self._used))
            if not self._used:
                self._matrix = np.zeros((rows, dimension), dtype=np.float32)
                self._key_at = np.full(rows, _NONE, dtype=np.int64)
            else:  # in place where the system can: no second copy of a large matrix; nothing else refers to it
                self._matrix.resize((rows, dimension), refcheck=False)
                self._key_at.resize(rows, refcheck=False)
                self._key_at[self._used :] = _NONE
        self._used += 1
        return self._used - 1
