"""BM25 over an inverted index that grows and shrinks with the notes; nothing is rebuilt per query."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["LexicalIndex", "TermRow", "TermScores"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_TF_BITS = 16
_TF_MAX = (1 << _TF_BITS) - 1
_MIN_DEAD = 256


class TermRow(NamedTuple):
    """What one term adds to each text that contains it; slots ascend."""

    term: str
    slots: IntArray
    gains: FloatArray


class TermScores:
    """BM25 term by term: summed over all texts by `total`, or as a matrix over a few of them by `at`."""

    def __init__(self, rows: list[TermRow], keys: IntArray, slot_of: Mapping[int, int], keys_are_slots: bool) -> None:
        self._rows = rows
        self._keys = keys
        self._slot_of = slot_of
        self._keys_are_slots = keys_are_slots

    @property
    def terms(self) -> list[str]:
        """The terms that at least one text contains, in the order asked for; the rows of `at`."""
        return [row.term for row in self._rows]

    def total(self, size: int) -> FloatArray:
        """The sum over all terms by key, float32 of shape [size]."""
        by_slot = np.zeros(len(self._keys), dtype=np.float32)
        for row in self._rows:
            by_slot[row.slots] += row.gains
        if self._keys_are_slots and size == len(by_slot):
            return by_slot
        by_key = np.zeros(size, dtype=np.float32)
        by_key[self._keys] = by_slot  # of one key's slots only the last is alive; the dead score 0
        return by_key

    def at(self, keys: IntArray) -> FloatArray:
        """Float32 of shape [terms, len(keys)]; a key without a text gives zeros."""
        matrix = np.zeros((len(self._rows), len(keys)), dtype=np.float32)
        slots = keys if self._keys_are_slots else np.array([self._slot_of.get(key, -1) for key in keys.tolist()])
        for index, row in enumerate(self._rows):
            at = np.searchsorted(row.slots, slots)
            at[at == len(row.slots)] = 0
            matrix[index] = np.where(row.slots[at] == slots, row.gains[at], 0.0)
        return matrix


class LexicalIndex:
    """Token lists under integer keys, scored with BM25 and Lucene's idf ln(1 + (N - df + .5) / (df + .5)).

    Adding, replacing and removing cost O(tokens of that text). A removed text leaves dead postings that score 0 and
    are dropped once they outnumber the living (amortised O(its tokens)); document frequencies are exact at all times.
    `b` is .4 because notes are short: a longer one mostly says more, it is seldom just wordier. Not thread-safe.
    """

    def __init__(self, *, k1: float = 0.9, b: float = 0.4) -> None:
        self._k1 = k1
        self._b = b
        self._terms: dict[str, int] = {}
        self._postings: list[array[int]] = []  # per term: slot << 16 | frequency, slots ascending
        self._dead_df: Counter[int] = Counter()  # per term: postings of removed texts
        self._slot_of: dict[int, int] = {}
        self._terms_of: list[array[int] | None] = []  # per slot: its terms; None once removed
        self._lengths = array("f")  # per slot: tokens; inf once removed, which makes every score of it 0
        self._keys = array("q")  # per slot: the key it belongs to
        self._total_length = 0
        self._keys_are_slots = True

    def __len__(self) -> int:
        return len(self._slot_of)

    def __contains__(self, key: int) -> bool:
        return key in self._slot_of

    @property
    def term_count(self) -> int:
        """How many terms are kept, those of removed texts included until the next clean-up."""
        return len(self._terms)

    def put(self, key: int, tokens: Iterable[str]) -> None:
        """Insert the tokens under `key`, or replace what is there."""
        self.remove(key)
        counts = Counter(tokens)
        slot = len(self._terms_of)
        numbers = array("i")
        for term, frequency in counts.items():
            number = self._terms.get(term)
            if number is None:
                number = self._terms[term] = len(self._postings)
                self._postings.append(array("q"))
            self._postings[number].append(slot << _TF_BITS | min(frequency, _TF_MAX))
            numbers.append(number)
        length = counts.total()
        self._slot_of[key] = slot
        self._terms_of.append(numbers)
        self._lengths.append(length)
        self._keys.append(key)
        self._total_length += length
        self._keys_are_slots = self._keys_are_slots and key == slot

    def remove(self, key: int) -> None:
        """Forget the tokens under `key`; an unknown key is no error."""
        slot = self._slot_of.pop(key, None)
        if slot is None:
            return
        self._dead_df.update(self._terms_of[slot] or ())
        self._total_length -= int(self._lengths[slot])
        self._terms_of[slot] = None
        self._lengths[slot] = math.inf
        dead = len(self._terms_of) - len(self._slot_of)
        if dead > _MIN_DEAD and dead > len(self._slot_of):
            self._compact()

    def document_frequency(self, term: str) -> int:
        """How many of the texts contain `term`."""
        number = self._terms.get(term)
        return 0 if number is None else len(self._postings[number]) - self._dead_df[number]

    def idf(self, term: str) -> float:
        """Lucene's idf of `term`: never negative, highest for a term that no text contains."""
        df = self.document_frequency(term)
        return math.log1p((len(self) - df + 0.5) / (df + 0.5))

    def scores(self, weights: Mapping[str, float], *, size: int) -> FloatArray:
        """BM25 of every text by key, float32 of shape [size]; `weights` says how often each term is asked for.

        Keys without a text, and texts without any of the terms, score 0. Every key ever put must be below `size`.
        """
        return self.match(weights).total(size)

    def match(self, weights: Mapping[str, float]) -> TermScores:
        """BM25 term by term; valid until the index changes."""
        rows = []
        lengths = np.frombuffer(self._lengths, dtype=np.float32) if self._lengths else np.zeros(0, dtype=np.float32)
        average = max(self._total_length / max(len(self), 1), 1e-9)
        saturation = np.float32(self._k1 * self._b / average) * lengths + np.float32(self._k1 * (1 - self._b))
        for term, weight in weights.items():
            number = self._terms.get(term)
            if number is not None:
                packed = np.frombuffer(self._postings[number], dtype=np.int64)
                slots = packed >> _TF_BITS
                frequency = (packed & _TF_MAX).astype(np.float32)
                gains = (frequency / (frequency + saturation[slots])).astype(np.float32, copy=False)
                gains *= np.float32(weight * self.idf(term))
                rows.append(TermRow(term, slots, gains))
        return TermScores(rows, np.array(self._keys, dtype=np.int64), self._slot_of, self._keys_are_slots)

    def lengths(self, keys: IntArray) -> FloatArray:
        """How many tokens each of the texts has, float32 of shape [len(keys)]; 0 for a key without a text."""
        slots = [self._slot_of.get(key, -1) for key in keys.tolist()]
        return np.array([self._lengths[slot] if slot >= 0 else 0.0 for slot in slots], dtype=np.float32)

    def _compact(self) -> None:
        """Drop dead slots, dead postings and terms that no text contains any more; the order of slots stays."""
        alive = np.fromiter((terms is not None for terms in self._terms_of), dtype=bool, count=len(self._terms_of))
        new_slot = np.cumsum(alive) - 1
        new_number = np.full(len(self._postings), -1, dtype=np.int32)
        terms: dict[str, int] = {}
        postings: list[array[int]] = []
        for term, number in self._terms.items():
            packed = np.frombuffer(self._postings[number], dtype=np.int64)
            slots = packed >> _TF_BITS
            kept = alive[slots]
            if kept.any():
                new_number[number] = terms[term] = len(postings)
                repacked = new_slot[slots[kept]] << _TF_BITS | (packed[kept] & _TF_MAX)
                postings.append(array("q", repacked.astype(np.int64).tobytes()))
        self._terms_of = [
            array("i", new_number[np.frombuffer(numbers, dtype=np.int32)].tobytes()) if len(numbers) else numbers
            for numbers in self._terms_of
            if numbers is not None
        ]
        self._lengths = array("f", np.frombuffer(self._lengths, dtype=np.float32)[alive].tobytes())
        self._keys = array("q", np.frombuffer(self._keys, dtype=np.int64)[alive].tobytes())
        self._slot_of = {key: slot for slot, key in enumerate(self._keys)}
        self._keys_are_slots = all(key == slot for key, slot in self._slot_of.items())
        self._terms, self._postings, self._dead_df = terms, postings, Counter()
