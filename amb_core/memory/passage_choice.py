"""Which passages go into a block: the best first, what the block or the request already says counting for less."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from amb_core.memory.passage_index import Floats, PassageIndex
from amb_core.memory.passage_terms import units as units_in
from amb_core.memory.passage_weights import NOVELTY
from amb_core.models import InteractionEntry
from amb_core.reading.layout_passages import excerpt_around, shown_text
from amb_core.rendering import escape
from amb_core.rendering.passage_block import record_head
from amb_core.text import estimate_tokens

__all__ = ["Choice", "Shelf", "Shown", "choose"]

_MOST = 800
"""So many of the best passages are looked at."""
_SMALLEST = 20
"""Tokens below which nothing more is worth beginning."""
_WHOLE = 100
"""A passage up to so many tokens is shown whole or not at all, unless it is the best."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The passages of one bank, their scores (-inf for one that must not be shown), and how a step is headed.

    `write_marks` says what must be told of stretches (start, end) of an entry: disputes, refuted words, newer states.
    """

    index: PassageIndex
    scores: Floats
    write_head: Callable[[InteractionEntry], str]
    write_marks: Callable[[InteractionEntry, Sequence[tuple[int, int]]], tuple[str, ...]]
    _heads: dict[str, str] = field(default_factory=dict)

    def head(self, entry: InteractionEntry) -> str:
        """The line above what is shown of an entry; each is written once."""
        if entry.entry_id not in self._heads:
            self._heads[entry.entry_id] = self.write_head(entry)
        return self._heads[entry.entry_id]


@dataclass(frozen=True, slots=True)
class Shown:
    """Stretches (start, end) of one passage that go into the block, and the passage's score."""

    shelf: Shelf
    key: int
    score: float
    spans: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Choice:
    """A choice in the making: what was taken, the room that is left, and what request and block say by now."""

    left: int
    request: str
    present: frozenset[str]
    terms: Collection[str]
    novelty: float = NOVELTY
    shown: list[Shown] = field(default_factory=list)
    _said: set[str] = field(default_factory=set)
    _heads: set[str] = field(default_factory=set)

    def new(self, units: frozenset[str]) -> int:
        """How many of these nobody says yet."""
        return len(units - self.present - self._said)

    def begin(self, shelf: Shelf, key: int) -> None:
        """Show the header of the step in which a passage stands, whatever else of it is shown."""
        head = shelf.head(shelf.index.place(key).entry)
        cost = estimate_tokens(head) + 1
        if head not in self._heads and cost <= self.left:
            self._heads.add(head)
            self.left -= cost
            self.shown.append(Shown(shelf, key, 0.0, ()))

    def take(self, shelf: Shelf, key: int, score: float, *, most: int | None = None) -> None:
        """Show a passage, cut around the words asked for where it is too large; nothing where no room is left."""
        place, text = shelf.index.place(key), shelf.index.text(key)
        if text in self.request:
            return
        head = shelf.head(place.entry)
        cost = 0 if head in self._heads else estimate_tokens(head) + 1
        room = min(self.left, most or self.left) - cost
        size = (
            estimate_tokens(record_head(place.passage.path, text) + escape(shown_text(place.text, place.passage))) + 1
        )
        spans: tuple[tuple[int, int], ...] = ((place.passage.start, place.passage.end),)
        if size > room:
            if self.shown and (room < _SMALLEST or size <= _WHOLE):
                return
            spans = excerpt_around(place.text, place.passage, terms=self.terms, tokens=max(room - 2, 1))
            size = sum(estimate_tokens(escape(place.text[start:end])) + 1 for start, end in spans)
            if size > room + 2 and self.shown:
                return
        self._heads.add(head)
        self._said |= shelf.index.units_of(key)
        self.left -= cost + size
        self.shown.append(Shown(shelf, key, score, spans))


def choose(shelves: Sequence[Shelf], choice: Choice) -> None:
    """Take the best passages of all shelves until the room is used."""
    heap = [(-score, number, key) for number, shelf in enumerate(shelves) for score, key in _best(shelf)]
    heapq.heapify(heap)
    spare: list[tuple[float, int, int]] = []
    worth: dict[tuple[int, int], tuple[frozenset[str], int]] = {}
    while heap and choice.left >= _SMALLEST:
        score, number, key = heapq.heappop(heap)
        shelf = shelves[number]
        if (number, key) not in worth:
            units = shelf.index.units_of(key) - units_in(shelf.head(shelf.index.place(key).entry))
            worth[number, key] = units, len(units - choice.present)
        units, before = worth[number, key]
        now = choice.new(units)
        if units and not now:
            spare.append((score, number, key))
            continue
        if now < before:
            worth[number, key] = units, now
            heapq.heappush(heap, (score - choice.novelty * math.log((now + 0.5) / (before + 0.5)), number, key))
            continue
        choice.take(shelf, key, -score)
    for score, number, key in spare:
        if choice.left >= _SMALLEST:
            choice.take(shelves[number], key, -score)


def _best(shelf: Shelf) -> Iterable[tuple[float, int]]:
    scores = shelf.scores
    keys = np.flatnonzero(np.isfinite(scores))
    if len(keys) > _MOST:
        keys = keys[np.argpartition(-scores[keys], _MOST)[:_MOST]]
    return zip(scores[keys].tolist(), keys.tolist(), strict=True)
