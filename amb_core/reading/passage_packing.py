"""Joins the smallest whole units of a text (lines, sentences) to passages of about one size, and cuts what is too long.

Where a passage ends is told by how strongly its layout parts two units: a definition more than a blank line, a blank
line more than a lower indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from amb_core.text.tokens import TokenScale

__all__ = ["Break", "PassageSpan", "Unit", "cut_long", "pack_units"]


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """Characters `start:end` of a text; `path` says where they stand: `flights[2].fares`, `conf.py:120 def load`."""

    start: int
    end: int
    path: str = ""


class Break(IntEnum):
    """How strongly a unit is parted from the one before it."""

    NONE = 0
    LINE = 1
    DEDENT = 2
    BLANK = 3
    HEAD = 4
    APART = 5


@dataclass(slots=True)
class Unit:
    """Characters that stay together where they fit, and how they are parted from those before."""

    start: int
    end: int
    path: str = ""
    before: Break = Break.LINE


_EAGER = {Break.BLANK: 0.6, Break.HEAD: 0.35, Break.APART: 0.0}
"""From which share of the size on a passage ends at such a break although more would fit."""
_LEAST = 0.35
"""What is left of a passage that is parted at a strong break inside it."""
_CRUMB = 0.25
"""A last piece under this share joins the one before, ..."""
_STRETCH = 1.3
"""... which may become so large by it."""
_WHOLE = 2
"""A unit of up to so many times the size is not cut."""


def pack_units(text: str, units: Iterable[Unit], *, scale: TokenScale, tokens: int) -> Iterator[PassageSpan]:
    """Passages of about `tokens` each that cover the units in order."""
    packer = _Packer(text, scale, tokens)
    for unit in units:
        yield from packer.add(unit)
    yield from packer.finish()


class _Packer:
    def __init__(self, text: str, scale: TokenScale, tokens: int) -> None:
        self._text, self._scale, self._tokens = text, scale, tokens
        self._run: list[Unit] = []
        self._held: PassageSpan | None = None

    def add(self, unit: Unit) -> Iterator[PassageSpan]:
        if self._run and self._ends_before(unit):
            yield from self._flush(len(self._run))
        if self._scale.between(unit.start, unit.end) > _WHOLE * self._tokens:
            yield from self._flush(len(self._run))
            for start, end in cut_long(self._text, unit.start, unit.end, scale=self._scale, tokens=self._tokens):
                yield from self._hold(PassageSpan(start, end, unit.path), apart=True)
            return
        while self._run and self._is_full_with(unit):
            yield from self._flush(self._best_end(unit))
        self._run.append(unit)

    def finish(self) -> Iterator[PassageSpan]:
        yield from self._flush(len(self._run))
        if self._held is not None:
            yield self._held

    def _ends_before(self, unit: Unit) -> bool:
        share = _EAGER.get(unit.before)
        return share is not None and self._size(self._run[-1].end) >= share * self._tokens

    def _is_full_with(self, unit: Unit) -> bool:
        most = _WHOLE * self._tokens if unit.before is Break.NONE else self._tokens
        return self._size(unit.end) > most

    def _size(self, end: int) -> int:
        return self._scale.between(self._run[0].start, end)

    def _best_end(self, unit: Unit) -> int:
        """How many units of the run make the next passage: up to the strongest break that leaves enough."""
        best, strongest = len(self._run), unit.before
        for at in range(len(self._run) - 1, 0, -1):
            if self._size(self._run[at - 1].end) < _LEAST * self._tokens:
                break
            if self._run[at].before > strongest:
                best, strongest = at, self._run[at].before
        return best

    def _flush(self, count: int) -> Iterator[PassageSpan]:
        if count:
            taken, self._run = self._run[:count], self._run[count:]
            passage = PassageSpan(taken[0].start, taken[-1].end, taken[0].path)
            yield from self._hold(passage, apart=taken[0].before >= Break.HEAD)

    def _hold(self, passage: PassageSpan, *, apart: bool) -> Iterator[PassageSpan]:
        """Give out the passage held so far, unless the new one is a crumb that joins it."""
        held, between = self._held, self._scale.between
        if held is not None:
            crumb = between(passage.start, passage.end) < _CRUMB * self._tokens
            if crumb and not apart and between(held.start, passage.end) <= _STRETCH * self._tokens:
                self._held = PassageSpan(held.start, passage.end, held.path)
                return
            yield held
        self._held = passage


# --- what is too long ------------------------------------------------------------------------------------------------

_SENTENCE_END = re.compile(r"\n|\\n|[.!?…][\"'”’)\]]*\s|[。！？；][”’」』）\"]*")
_CLAUSE_END = re.compile(r"[,;|、，：][ \t]*|\)[ \t]|[ \t]-[ \t]")
_WORD_END = re.compile(r"\s")
_UNBROKEN = 4
"""A word (an address, a hash) of up to so many times the size is not cut."""


def cut_long(text: str, start: int, end: int, *, scale: TokenScale, tokens: int) -> Iterator[tuple[int, int]]:
    """`text[start:end]` in pieces of at most about `tokens`, cut after sentences, else clauses, else words."""
    while start < end:
        stop = end
        if scale.between(start, end) > _STRETCH * tokens:
            stop = _place_to_cut(text, start, scale.place(start, tokens), scale.place(start, _UNBROKEN * tokens))
            stop = min(stop, end)
        left, right = start, stop
        while left < right and text[left].isspace():
            left += 1
        while right > left and text[right - 1].isspace():
            right -= 1
        if left < right:
            yield left, right
        start = stop


def _place_to_cut(text: str, start: int, stop: int, furthest: int) -> int:
    half = start + (stop - start) // 2
    for ends in (_SENTENCE_END, _CLAUSE_END, _WORD_END):
        places = [found.end() for found in ends.finditer(text, half, stop)]
        if places:
            return max(places[-1], start + 1)
    if text[start].isascii() and (after := _WORD_END.search(text, stop, furthest)):
        return after.end()
    return stop + 1 if text[stop - 1] == "\\" else stop
