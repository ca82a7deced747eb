"""BM25 over an inverted index that grows and shrinks with the notes; nothing is rebuilt per query."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from struct import Struct
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["LexicalIndex", "Packed", "TermScores"]

Packed: TypeAlias = dict[str, Any]
"""Named arrays and JSON values; what a part of an index makes of itself (`packed`) and takes up again (`restore`)."""

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_MIN_DEAD = 256
_NONE = -1
_SLOT, _FREQUENCY = Struct("=i"), Struct("=f")
_WIDTH = _SLOT.size
_ONCE = _FREQUENCY.pack(1.0)


def _row_of(frequency: int) -> bytes:
    return _ONCE if frequency == 1 else _FREQUENCY.pack(frequency)


class _Idfs(dict[int, float]):
    """Lucene's idf by how many of `count` texts contain a term."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, df: int) -> float:
        idf = self[df] = math.log1p((self._count - df + 0.5) / (df + 0.5))
        return idf


class LexicalIndex:
    """Token lists under integer keys, scored with BM25 and Lucene's idf ln(1 + (N - df + .5) / (df + .5)).

    Adding, replacing and removing cost O(tokens of that text). A removed text leaves dead postings that score 0 and
    are dropped once they outnumber the living (amortised O(its tokens)); document frequencies are exact at all times.
    `b` is .4 because notes are short: a longer one mostly says more, it is seldom just wordier. Not thread-safe.
    """

    def __init__(self, *, k1: float = 0.9, b: float = 0.4) -> None:
        self.k1 = k1
        self.b = b
        self._terms: dict[str, int] = {}
        # Per term where it stands (int32, ascending) and how often (float32). Most terms stand in one text, whose
        # bytes they share; and the garbage collector, which follows arrays, has nothing to do with bytes.
        self._slots: list[bytes | bytearray] = []
        self._frequencies: list[bytes | bytearray] = []
        self._holding = array("i")  # per term: how many living texts contain it
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

    def put(self, key: int, tokens: Iterable[str], *, also: Iterable[str] = ()) -> None:
        """Insert the tokens under `key`, or replace what is there; `also` are found there but do not lengthen it."""
        self.remove(key)
        counts = Counter(tokens)
        length = counts.total()
        counts.update(also)
        slot = len(self._keys)
        known, slots, frequencies, holding = self._terms, self._slots, self._frequencies, self._holding
        here, before = _SLOT.pack(slot), len(self._slots)
        fresh = [term for term in counts if term not in known]
        known.update(zip(fresh, range(before, before + len(fresh)), strict=True))
        slots += [here] * len(fresh)
        frequencies += [_row_of(counts[term]) for term in fresh]
        holding.extend([1] * len(fresh))
        numbers = [known[term] for term in counts]
        for number, frequency in zip(numbers, counts.values(), strict=True):
            if number < before:
                _extend(slots, number, here)
                _extend(frequencies, number, _row_of(frequency))
                holding[number] += 1
        self._term_numbers.extend(numbers)
        if key >= len(self._slot_of):
            self._slot_of.extend([_NONE] * (key + 1 - len(self._slot_of)))
        self._slot_of[key] = slot
        self._keys.append(key)
        self._lengths.append(length)
        self._starts.append(len(self._term_numbers))
        self._total_length += length
        self._count += 1
        self._keys_are_slots = self._keys_are_slots and key == slot

    def remove(self, key: int) -> None:
        """Forget the tokens under `key`; an unknown key is no error."""
        if key not in self:
            return
        slot = self._slot_of[key]
        for number in self._term_numbers[self._starts[slot] : self._starts[slot + 1]]:
            self._holding[number] -= 1
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
        return 0 if number is None else self._holding[number]

    def idf(self, term: str) -> float:
        """Lucene's idf of `term`: never negative, highest for a term that no text contains."""
        return _Idfs(self._count)[self.document_frequency(term)]

    def idfs(self, terms: Iterable[str]) -> dict[str, float]:
        """The idf of those among some terms that a text contains."""
        known, holding, idf_of = self._terms, self._holding, _Idfs(self._count)
        numbers = ((term, known.get(term)) for term in terms)
        return {term: idf_of[df] for term, number in numbers if number is not None and (df := holding[number])}

    def containing(self, terms: Collection[str], *, most: int) -> list[int]:
        """Keys of the texts that contain all of the terms; none when the rarest of these is in more than `most`."""
        rows = [_numbers(self._slots[self._terms[term]]) for term in terms if self.document_frequency(term)]
        if not rows or len(rows) < len(terms) or min(map(self.document_frequency, terms)) > most:
            return []
        rarest, *others = sorted(rows, key=len)
        alive = (slot for slot in rarest if math.isfinite(self._lengths[slot]))
        return [self._keys[slot] for slot in alive if all(_has(row, slot) for row in others)]

    def scores(self, weights: Mapping[str, float], *, size: int) -> FloatArray:
        """BM25 of every text by key, float32 of shape [size]; `weights` says how often each term is asked for.

        Keys without a text, and texts without any of the terms, score 0. Every key ever put must be below `size`.
        """
        return self.match(weights).total(size)

    def match(self, weights: Mapping[str, float]) -> TermScores:
        """BM25 term by term; valid until the index changes."""
        terms = [term for term in weights if term in self._terms]
        numbers = [self._terms[term] for term in terms]
        bounds = np.zeros(len(terms) + 1, dtype=np.int64)
        np.cumsum([len(self._slots[number]) // _WIDTH for number in numbers], out=bounds[1:])
        slots, gains = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        if terms:  # copies: a view would keep the arrays from growing
            slots = np.frombuffer(b"".join([self._slots[number] for number in numbers]), dtype=np.int32)
            frequencies = np.frombuffer(b"".join([self._frequencies[n] for n in numbers]), dtype=np.float32)
            saturated = self._saturation(slots)
            saturated += frequencies
            gains = frequencies / saturated
            idf_of, holding = _Idfs(self._count), self._holding
            each = [weights[term] * idf_of[holding[number]] for term, number in zip(terms, numbers, strict=True)]
            worth = np.array(each, dtype=np.float32)
            gains *= np.repeat(worth, np.diff(bounds))
        keys = None if self._keys_are_slots else np.array(self._keys, dtype=np.int64)
        return TermScores(terms, bounds, slots, gains, slot_count=len(self._keys), keys=keys, slots_of=self._slots_at)

    def _saturation(self, slots: NDArray[np.int32]) -> FloatArray:
        """k1 · (1 - b + b · length / average length) of the texts in some slots."""
        average = max(self._total_length / max(self._count, 1), 1e-9)
        lengths = np.frombuffer(self._lengths, dtype=np.float32)
        factor, rest = np.float32(self.k1 * self.b / average), np.float32(self.k1 * (1 - self.b))
        return (lengths * factor + rest)[slots] if len(slots) > len(lengths) else lengths[slots] * factor + rest

    def holding(self, terms: Sequence[str], keys: IntArray) -> NDArray[np.bool_]:
        """Which texts hold which terms, bool of shape [terms, len(keys)]; a key without a text holds none."""
        held = np.zeros((len(terms), len(keys)), dtype=bool)
        wanted = self._slots_at(keys)
        for row, term in zip(held, terms, strict=True):
            number = self._terms.get(term)
            if number is not None and len(keys):
                slots = np.frombuffer(self._slots[number], dtype=np.int32)
                at = np.minimum(np.searchsorted(slots, wanted), len(slots) - 1)
                row[:] = slots[at] == wanted
        return held

    def distinct(self, keys: IntArray) -> IntArray:
        """How many different terms each of the texts has, int64 of shape [len(keys)]; 0 for a key without a text."""
        slots = self._slots_at(keys)
        return np.array([self._starts[at + 1] - self._starts[at] if at >= 0 else 0 for at in slots.tolist()], np.int64)

    def lengths(self, keys: IntArray) -> FloatArray:
        """How many tokens each of the texts has, float32 of shape [len(keys)]; 0 for a key without a text."""
        if not self._count:
            return np.zeros(len(keys), dtype=np.float32)
        slots = self._slots_at(keys)
        return np.where(slots < 0, np.float32(0.0), np.frombuffer(self._lengths, dtype=np.float32)[slots])

    def forget_removed(self) -> None:
        """Drop what is left of removed texts."""
        if len(self._keys) > self._count:
            self._compact()

    def packed(self) -> Packed:
        """Everything in it as arrays and text, without a trace of removed texts."""
        self.forget_removed()
        return {
            "terms": list(self._terms),
            "counts": np.array(self._holding, dtype=np.int64),
            "slots": np.frombuffer(b"".join(self._slots), dtype=np.int32),
            "frequencies": np.frombuffer(b"".join(self._frequencies), dtype=np.float32),
            "keys": np.array(self._keys, dtype=np.int64),
            "lengths": np.array(self._lengths, dtype=np.float32),
            "starts": np.array(self._starts, dtype=np.int64),
            "term_numbers": np.array(self._term_numbers, dtype=np.int32),
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        self._terms = {term: number for number, term in enumerate(packed["terms"])}
        self._holding = array("i", packed["counts"].tolist())
        bounds = (_WIDTH * np.concatenate([[0], np.cumsum(self._holding)])).astype(np.int64).tolist()
        slots, frequencies = packed["slots"].tobytes(), packed["frequencies"].tobytes()
        self._slots = [slots[begin:end] for begin, end in pairwise(bounds)]
        self._frequencies = [frequencies[begin:end] for begin, end in pairwise(bounds)]
        self._keys = array("q", packed["keys"].tobytes())
        self._lengths = array("f", packed["lengths"].tobytes())
        self._starts = array("q", packed["starts"].tobytes())
        self._term_numbers = array("i", packed["term_numbers"].tobytes())
        self._total_length = int(packed["lengths"].sum(dtype=np.float64))
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
        new_number = np.full(len(self._slots), _NONE, dtype=np.int32)
        terms: dict[str, int] = {}
        all_slots, all_frequencies = self._slots, self._frequencies
        self._slots, self._frequencies = [], []
        self._holding = array("i")
        for term, number in self._terms.items():
            slots = np.frombuffer(all_slots[number], dtype=np.int32)
            kept = alive[slots]
            if kept.any():
                new_number[number] = terms[term] = len(self._slots)
                self._slots.append(new_slot[slots[kept]].astype(np.int32).tobytes())
                frequencies = np.frombuffer(all_frequencies[number], dtype=np.float32)
                self._frequencies.append(frequencies[kept].tobytes())
                self._holding.append(int(kept.sum()))
        starts = np.array(self._starts, dtype=np.int64)
        sizes = starts[1:] - starts[:-1]
        numbers = new_number[np.array(self._term_numbers, dtype=np.int32)[np.repeat(alive, sizes)]]
        self._term_numbers = array("i", numbers.astype(np.int32).tobytes())
        self._starts = array("q", np.concatenate([[0], np.cumsum(sizes[alive])]).astype(np.int64).tobytes())
        self._lengths = array("f", lengths[alive].tobytes())
        self._keys = array("q", np.array(self._keys, dtype=np.int64)[alive].tobytes())
        self._terms = terms
        self._file_keys()


def _extend(rows: list[bytes | bytearray], number: int, more: bytes) -> None:
    """Put something behind the row of a term, which from then on has bytes of its own."""
    row = rows[number]
    if isinstance(row, bytes):
        rows[number] = row = bytearray(row)
    row += more


def _numbers(slots: bytes | bytearray) -> memoryview[int]:
    """The slots of a term; nothing can be added to them while somebody holds this."""
    return memoryview(slots).cast("i")


def _has(slots: memoryview[int], slot: int) -> bool:
    """Whether a term stands in that slot."""
    at = bisect_left(slots, slot)
    return at < len(slots) and slots[at] == slot


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
