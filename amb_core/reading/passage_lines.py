"""The lines of a stretch of text with their indentation, and what an indented line stands under."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from amb_core.reading.passage_packing import Break, Unit

__all__ = ["Line", "Outline", "name_at", "read_lines", "shorten"]

_LINE = re.compile(r"[^\n]+")
_TAB = 4
_DEEPEST = 200
"""So far to the left of a sentence the beginning of its line is looked for."""


@dataclass(frozen=True, slots=True)
class Line:
    """Characters `start:end` without the white space at the end; a tab counts as four columns of `indent`."""

    start: int
    end: int
    indent: int
    after_blank: bool


def read_lines(text: str, start: int, end: int) -> list[Line]:
    """The lines that are not blank; `start` begins after the indentation or with it."""
    found: list[Line] = []
    done = start
    for line in _LINE.finditer(text, start, end):
        said = line.group().rstrip()
        if not said or said.isspace():
            continue
        bare = said.lstrip()
        indent = sum(_TAB if char == "\t" else 1 for char in said[: len(said) - len(bare)])
        blank = text.count("\n", done, line.start()) > 1
        done = line.start() + len(said)
        found.append(Line(line.start(), done, indent, blank))
    return found


def shorten(name: str, *, most: int = 48) -> str:
    """A name for a path: one line of at most `most` characters."""
    line = " ".join(name[: 2 * most].split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def name_at(places: Sequence[tuple[int, str]], at: int) -> str:
    """What was named last up to a place, in (place, name) by their order; "" before the first."""
    number = bisect_right(places, at, key=lambda place: place[0])
    return places[number - 1][1] if number else ""


@dataclass(slots=True)
class Outline:
    """The lines above that are less indented: `openssl:` over `  Installed: 3.0`, a commit over its message."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    _indent: int = 0

    def clear(self) -> None:
        """Begin anew."""
        self.heads.clear()

    def follow(self, text: str, units: Iterator[Unit]) -> Iterator[Unit]:
        """The units, those that say nothing of their place with the lines they stand under as their path."""
        for unit in units:
            before = text[max(unit.start - _DEEPEST, 0) : unit.start]
            margin = before.rpartition("\n")[2]
            if not margin.strip():
                self._enter(margin + text[unit.start : unit.end], unit)
            yield unit

    def _enter(self, said: str, unit: Unit) -> None:
        indent = len(said) - len(said.lstrip())
        while self.heads and self.heads[-1][0] >= indent:
            self.heads.pop()
        if not self.heads and self._indent and unit.before is not Break.NONE:
            unit.before = max(unit.before, Break.HEAD)
        self._indent = indent
        unit.path = unit.path or " > ".join(head for _, head in self.heads[-2:])
        self.heads.append((indent, shorten(said, most=80)))
