"""BM25 term by term: what each term of a query adds to each text that contains it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["TermScores"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_MANY = 10_000
"""From so many postings on, adding them up term by term is faster than all in one go."""


class TermScores:
    """Postings of a query's terms, one after the other: summed over all texts by `total`, or as a matrix by `at`.

    Term t has the postings `bounds[t]:bounds[t + 1]`, each a slot (ascending within a term) and what it gains there.
    `slots_of` turns keys into slots (-1 for none); `keys` is the key per slot, or None where keys are slots.
    """

    def __init__(
        self,
        terms: list[str],
        bounds: IntArray,
        slots: NDArray[np.int32],
        gains: FloatArray,
        *,
        slot_count: int,
        keys: IntArray | None,
        slots_of: Callable[[IntArray], IntArray],
    ) -> None:
        self.terms = terms
        self._bounds = bounds
        self._slots = slots
        self._gains = gains
        self._slot_count = slot_count
        self._keys = keys
        self._slots_of = slots_of

    def total(self, size: int) -> FloatArray:
        """The sum over all terms by key, float32 of shape [size]."""
        if len(self._slots) < _MANY:
            by_slot = np.bincount(self._slots, weights=self._gains, minlength=self._slot_count).astype(np.float32)
        else:
            by_slot = np.zeros(self._slot_count, dtype=np.float32)
            for begin, end in pairwise(self._bounds.tolist()):
                by_slot[self._slots[begin:end]] += self._gains[begin:end]
        if self._keys is None and size == len(by_slot):
            return by_slot
        by_key = np.zeros(size, dtype=np.float32)
        by_key[np.arange(len(by_slot)) if self._keys is None else self._keys] = by_slot  # dead slots score 0
        return by_key

    def at(self, keys: IntArray) -> FloatArray:
        """Float32 of shape [terms, len(keys)]; a key without a text gives zeros."""
        if not len(self._slots):
            return np.zeros((len(self.terms), len(keys)), dtype=np.float32)
        # Each term's slots are moved to a range of their own, so that all terms are looked up in one go.
        ranges = np.arange(len(self.terms), dtype=np.int64) * (self._slot_count + 1)
        places = self._slots + np.repeat(ranges, np.diff(self._bounds))
        wanted = ranges[:, None] + self._slots_of(keys)[None, :]
        wanted[:, keys < 0] = -1
        found = np.searchsorted(places, wanted)
        found[found == len(places)] = 0
        return np.where(places[found] == wanted, self._gains[found], np.float32(0.0))
