"""BM25 over an inverted index that grows and shrinks with the notes; nothing is rebuilt per query."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.packing import Packed, floats, integers, strings
from amb_core.retrieval.term_scores import TermScores

__all__ = ["LexicalIndex"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_TF_BITS = 16
_TF_MAX = (1 << _TF_BITS) - 1
_MIN_DEAD = 256
_NONE = -1


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
        self._slot_of = array("q")  # per key: its slot, or -1
        self._keys = array("q")  # per slot: the key it belongs to
        self._lengths = array("f")  # per slot: tokens; inf once removed, which makes every score of it 0
        self._starts = array("q", [0])  # per slot, and one beyond: where its terms begin
        self._term_numbers = array("i")
        self._total_length = 0
        self._count = 0
        self._keys_are_slots = True

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: int) -> bool:
        return key < len(self._slot_of) and self._slot_of[key] != _NONE

    @property
    def term_count(self) -> int:
        """How many terms are kept, those of removed texts included until the next clean-up."""
        return len(self._terms)

    def put(self, key: int, tokens: Iterable[str]) -> None:
        """Insert the tokens under `key`, or replace what is there."""
        self.remove(key)
        counts = Counter(tokens)
        slot = len(self._keys)
        posting = slot << _TF_BITS
        known, postings, numbers = self._terms, self._postings, self._term_numbers
        for term, frequency in counts.items():
            number = known.get(term)
            if number is None:
                number = known[term] = len(postings)
                postings.append(array("q"))
            postings[number].append(posting | (frequency if frequency < _TF_MAX else _TF_MAX))
            numbers.append(number)
        length = counts.total()
        if key >= len(self._slot_of):
            self._slot_of.extend([_NONE] * (key + 1 - len(self._slot_of)))
        self._slot_of[key] = slot
        self._keys.append(key)
        self._lengths.append(length)
        self._starts.append(len(numbers))
        self._total_length += length
        self._count += 1
        self._keys_are_slots = self._keys_are_slots and key == slot

    def remove(self, key: int) -> None:
        """Forget the tokens under `key`; an unknown key is no error."""
        if key not in self:
            return
        slot = self._slot_of[key]
        self._dead_df.update(self._term_numbers[self._starts[slot] : self._starts[slot + 1]])
        self._total_length -= int(self._lengths[slot])
        self._slot_of[key] = _NONE
        self._lengths[slot] = math.inf
        self._count -= 1
        dead = len(self._keys) - self._count
        if dead > _MIN_DEAD and dead > self._count:
            self._compact()

    def document_frequency(self, term: str) -> int:
        """How many of the texts contain `term`."""
        number = self._terms.get(term)
        return 0 if number is None else len(self._postings[number]) - self._dead_df[number]

    def idf(self, term: str) -> float:
        """Lucene's idf of `term`: never negative, highest for a term that no text contains."""
        df = self.document_frequency(term)
        return math.log1p((self._count - df + 0.5) / (df + 0.5))

    def containing(self, terms: Collection[str], *, most: int) -> list[int]:
        """Keys of the texts that contain all of the terms; none when the rarest of these is in more than `most`."""
        rows = [self._postings[self._terms[term]] for term in terms if self.document_frequency(term)]
        if not rows or len(rows) < len(terms) or min(map(self.document_frequency, terms)) > most:
            return []
        rarest, *others = sorted(rows, key=len)
        slots = (packed >> _TF_BITS for packed in rarest)
        alive = (slot for slot in slots if math.isfinite(self._lengths[slot]))
        return [self._keys[slot] for slot in alive if all(_has(row, slot) for row in others)]

    def scores(self, weights: Mapping[str, float], *, size: int) -> FloatArray:
        """BM25 of every text by key, float32 of shape [size]; `weights` says how often each term is asked for.

        Keys without a text, and texts without any of the terms, score 0. Every key ever put must be below `size`.
        """
        return self.match(weights).total(size)

    def match(self, weights: Mapping[str, float]) -> TermScores:
        """BM25 term by term; valid until the index changes."""
        terms = [term for term in weights if term in self._terms]
        found = [self._postings[self._terms[term]] for term in terms]
        bounds = np.zeros(len(terms) + 1, dtype=np.int64)
        np.cumsum([len(postings) for postings in found], out=bounds[1:])
        packed = np.concatenate([np.frombuffer(p, dtype=np.int64) for p in found]) if terms else bounds[:0]
        slots = packed >> _TF_BITS
        frequency = (packed & _TF_MAX).astype(np.float32)
        average = max(self._total_length / max(self._count, 1), 1e-9)
        lengths = np.frombuffer(self._lengths, dtype=np.float32)[slots] if terms else frequency
        saturation = np.float32(self._k1 * self._b / average) * lengths + np.float32(self._k1 * (1 - self._b))
        worth = np.array([weights[term] * self.idf(term) for term in terms], dtype=np.float32)
        gains = (frequency / (frequency + saturation) * np.repeat(worth, bounds[1:] - bounds[:-1])).astype(
            np.float32, copy=False
        )
        keys = None if self._keys_are_slots else np.array(self._keys, dtype=np.int64)
        return TermScores(terms, bounds, slots, gains, slot_count=len(self._keys), keys=keys, slots_of=self._slots_at)

    def lengths(self, keys: IntArray) -> FloatArray:
        """How many tokens each of the texts has, float32 of shape [len(keys)]; 0 for a key without a text."""
        if not self._count:
            return np.zeros(len(keys), dtype=np.float32)
        slots = self._slots_at(keys)
        return np.where(slots < 0, np.float32(0.0), np.frombuffer(self._lengths, dtype=np.float32)[slots])

    def renumber(self, new_key: IntArray) -> None:
        """Give every text a new key, `new_key[key]` (ascending); -1 stands for keys without a text."""
        self._compact()
        self._keys = array("q", new_key[np.frombuffer(self._keys, dtype=np.int64)].tobytes())
        self._file_keys()

    def forget_removed(self) -> None:
        """Drop what is left of removed texts."""
        if self._dead_df or len(self._keys) > self._count:
            self._compact()

    def packed(self) -> Packed:
        """Everything in it as arrays and text, without a trace of removed texts."""
        self.forget_removed()
        return {
            "terms": list(self._terms),
            "counts": np.array([len(postings) for postings in self._postings], dtype=np.int64),
            "postings": np.array(_joined(self._postings), dtype=np.int64),
            "keys": np.array(self._keys, dtype=np.int64),
            "lengths": np.array(self._lengths, dtype=np.float32),
            "starts": np.array(self._starts, dtype=np.int64),
            "term_numbers": np.array(self._term_numbers, dtype=np.int32),
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        self._terms = {term: number for number, term in enumerate(strings(packed, "terms"))}
        ends = np.cumsum(integers(packed, "counts")).tolist()
        postings = integers(packed, "postings").tobytes()
        begin = 0
        self._postings = []
        for end in ends:
            self._postings.append(array("q", postings[8 * begin : 8 * end]))
            begin = end
        if len(self._terms) != len(self._postings):
            raise ValueError("terms and postings do not belong together")
        self._dead_df = Counter()
        self._keys = array("q", integers(packed, "keys").tobytes())
        lengths = floats(packed, "lengths")
        self._lengths = array("f", lengths.tobytes())
        self._starts = array("q", integers(packed, "starts").tobytes())
        self._term_numbers = array("i", integers(packed, "term_numbers", np.int32).tobytes())
        self._total_length = int(lengths.sum(dtype=np.float64))
        self._file_keys()

    def _slots_at(self, keys: IntArray) -> IntArray:
        """The slots of keys, -1 for a key without a text."""
        if self._keys_are_slots and self._count == len(self._keys) and keys.max(initial=_NONE) < self._count:
            return keys
        inside = (keys >= 0) & (keys < len(self._slot_of))
        slots = np.frombuffer(self._slot_of, dtype=np.int64)[np.where(inside, keys, 0)] if self._slot_of else keys
        return np.where(inside, slots, _NONE)

    def _file_keys(self) -> None:
        """Make the tables that follow from the keys of living slots."""
        keys = np.frombuffer(self._keys, dtype=np.int64) if self._keys else np.zeros(0, dtype=np.int64)
        slot_of = np.full(int(keys.max(initial=-1)) + 1, _NONE, dtype=np.int64)
        slot_of[keys] = np.arange(len(keys))
        self._slot_of = array("q", slot_of.tobytes())
        self._count = len(keys)
        self._keys_are_slots = len(keys) == len(slot_of) and bool((slot_of == keys).all())

    def _compact(self) -> None:
        """Drop dead slots, dead postings and terms that no text contains any more; the order of slots stays."""
        lengths = np.array(self._lengths, dtype=np.float32)
        alive = np.isfinite(lengths)
        new_slot = np.cumsum(alive) - 1
        new_number = np.full(len(self._postings), _NONE, dtype=np.int32)
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
        starts = np.array(self._starts, dtype=np.int64)
        sizes = starts[1:] - starts[:-1]
        numbers = new_number[np.array(self._term_numbers, dtype=np.int32)[np.repeat(alive, sizes)]]
        self._term_numbers = array("i", numbers.astype(np.int32).tobytes())
        self._starts = array("q", np.concatenate([[0], np.cumsum(sizes[alive])]).astype(np.int64).tobytes())
        self._lengths = array("f", lengths[alive].tobytes())
        self._keys = array("q", np.array(self._keys, dtype=np.int64)[alive].tobytes())
        self._terms, self._postings, self._dead_df = terms, postings, Counter()
        self._file_keys()


def _has(postings: array[int], slot: int) -> bool:
    """Whether one term's postings have that slot."""
    at = bisect_left(postings, slot << _TF_BITS)
    return at < len(postings) and postings[at] >> _TF_BITS == slot


def _joined(parts: Iterable[array[Any]]) -> array[int]:
    joined = array("q")
    for part in parts:
        joined.extend(part)
    return joined
