"""The smallest whole units of a text, such as lines, joined to passages of about one size; what is too long is cut.

Where a passage ends is told by how strongly its layout parts two units: a definition more than a blank line, a blank
line more than a lower indentation.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from amb_core.text.tokens import TokenScale

__all__ = [
    "Break",
    "Line",
    "Outline",
    "PassageSpan",
    "Unit",
    "cut_long",
    "cut_sentences",
    "find_files",
    "line_number",
    "name_at",
    "pack_units",
    "read_lines",
    "shorten",
    "whole_sentences",
]


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
    PARAGRAPH = 4
    HEAD = 5
    APART = 6


@dataclass(slots=True)
class Unit:
    """Characters that stay together where they fit, and how they are parted from those before."""

    start: int
    end: int
    path: str = ""
    before: Break = Break.LINE


_EAGER = {Break.BLANK: 0.6, Break.PARAGRAPH: 0.6, Break.HEAD: 0.35, Break.APART: 0.0}
"""From which share of the size on a passage ends at such a break although more would fit."""
_LEAST = 0.35
"""What is left of a passage that is parted at a strong break inside it."""
_CRUMB = 0.25
"""A last piece under this share joins the one before, ..."""
_STRETCH = 1.3
"""... which may become so large by it."""
_TAIL, _PARAGRAPH = 0.7, 1.7
"""The same for the end of a paragraph, which is understood with its beginning only."""
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
            yield from self._flush(len(self._run), last=unit.before is Break.PARAGRAPH)
        if self._scale.between(unit.start, unit.end) > _WHOLE * self._tokens:
            yield from self._flush(len(self._run))
            for start, end in cut_long(self._text, unit.start, unit.end, scale=self._scale, tokens=self._tokens):
                yield from self._hold(PassageSpan(start, end, unit.path), apart=True)
            return
        while self._run and self._is_full_with(unit):
            yield from self._flush(self._best_end(unit))
        self._run.append(unit)

    def finish(self) -> Iterator[PassageSpan]:
        yield from self._flush(len(self._run), last=True)
        if self._held is not None:
            yield self._held

    def _ends_before(self, unit: Unit) -> bool:
        share = _EAGER.get(unit.before)
        if unit.before is Break.PARAGRAPH and self._run[0].before < Break.PARAGRAPH and self._held is not None:
            return True  # the end of a paragraph is no beginning of the next one
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

    def _flush(self, count: int, *, last: bool = False) -> Iterator[PassageSpan]:
        """Give out so many units; the `last` of a paragraph join those before sooner than any others."""
        if count:
            taken, self._run = self._run[:count], self._run[count:]
            passage = PassageSpan(taken[0].start, taken[-1].end, taken[0].path)
            crumb, stretch = (_TAIL, _PARAGRAPH) if last else (_CRUMB, _STRETCH)
            yield from self._hold(passage, apart=taken[0].before >= Break.PARAGRAPH, crumb=crumb, stretch=stretch)

    def _hold(
        self, passage: PassageSpan, *, apart: bool, crumb: float = _CRUMB, stretch: float = _STRETCH
    ) -> Iterator[PassageSpan]:
        """Give out the passage held so far, unless the new one is a crumb that joins it."""
        held, between = self._held, self._scale.between
        if held is not None:
            small = between(passage.start, passage.end) < crumb * self._tokens
            if small and not apart and between(held.start, passage.end) <= stretch * self._tokens:
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


def cut_sentences(text: str, *, scale: TokenScale, tokens: int, grain: int) -> Iterator[tuple[int, int]]:
    """The sentences and lines of a text; one above `tokens` is cut after clauses or words into pieces of `grain`."""
    done = 0
    for end in (*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)):
        size = tokens if scale.between(done, end) <= tokens else grain
        yield from cut_long(text, done, end, scale=scale, tokens=size)
        done = end


_ENDED = re.compile(r"[.!?…。！？；:：][\"'”’)\]』」）*_]*$|[\"'}\])]$")
_MOST_MORE = 400
"""So many characters a stretch may grow on either side to begin and end with a sentence."""


def whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch with the rest of the sentences that it begins and ends in, where that is not much; lines stay."""
    before = text[max(start - _MOST_MORE, 0) : start]
    if before.rpartition("\n")[2].strip() and text[start] not in "\"'{[(":
        ends = [found.end() for found in _SENTENCE_END.finditer(before)]
        rest = before[ends[-1] :] if ends else before if start <= _MOST_MORE else ""
        start -= len(rest.lstrip()) if rest.strip() else 0
    behind = text[end : end + 1]
    if behind and behind not in "\n,}])" and not _ENDED.search(text[max(end - 12, start) : end]):
        found = _SENTENCE_END.search(text, end, end + _MOST_MORE)
        if found is not None:
            end = found.start() + len(found.group().rstrip().removesuffix("\\n"))
    return start, end


def _place_to_cut(text: str, start: int, stop: int, furthest: int) -> int:
    """Where to cut before `stop`, after half of the text up to there; a sentence may be half as long again."""
    half = start + (stop - start) // 2
    if not any(True for _ in _SENTENCE_END.finditer(text, half, stop)):
        ahead = _SENTENCE_END.search(text, stop, stop + half - start)
        if ahead is not None:
            return ahead.end()
    for ends in (_SENTENCE_END, _CLAUSE_END, _WORD_END):
        places = [found.end() for found in ends.finditer(text, half, stop)]
        if places:
            return max(places[-1], start + 1)
    if text[start].isascii() and (after := _WORD_END.search(text, stop, furthest)):
        return after.end()
    return stop + 1 if text[stop - 1] == "\\" else stop


# --- lines, and what they stand under ---------------------------------------------------------------------------------

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


def shorten(name: str, *, most: int = 64) -> str:
    """A name for a path: one line of at most `most` characters, cut between words."""
    line = " ".join(name[: 2 * most].split())
    if len(line) <= most:
        return line
    whole = line[: most - 1].rpartition(" ")[0]
    return f"{whole or line[: most - 1].rstrip()}…"


def name_at(places: Sequence[tuple[int, str]], at: int) -> str:
    """What was named last up to a place, in (place, name) by their order; "" before the first."""
    number = bisect_right(places, at, key=lambda place: place[0])
    return places[number - 1][1] if number else ""


@dataclass(slots=True)
class Outline:
    """The lines above that are less indented: `openssl:` over `  Installed: 3.0`, a commit over its message."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    _read: int = 0
    _indent: int = 0

    def clear(self) -> None:
        """Begin anew."""
        self.heads.clear()

    def follow(self, text: str, units: Iterator[Unit], *, by_indent: bool) -> Iterator[Unit]:
        """The units, those that say nothing of their place with the lines they stand under as their path.

        With `by_indent` a line that goes further in belongs to the one above, and one that comes back parts the text.
        """
        for unit in units:
            start = text.rfind("\n", max(unit.start - _DEEPEST, 0), unit.start) + 1
            self._enter(text, start)
            if not text[start : unit.start].strip():
                indent = self._enter(text, unit.start + 1)
                above = [head for _, head in self.heads[:-1]]
                comes_back = unit.before is not Break.NONE and indent < self._indent
                if comes_back and (by_indent or not above):
                    unit.before = max(unit.before, Break.BLANK if above else Break.HEAD)
                elif by_indent and above and unit.before < Break.BLANK and not above[-1].endswith((":", "：")):
                    unit.before = Break.NONE  # a paragraph that hangs under its first line, such as that of a flag
                elif by_indent and indent > self._indent and unit.before is Break.DEDENT:
                    unit.before = Break.LINE
                self._indent = indent
                unit.path = unit.path or " > ".join(above[-2:])
            yield unit

    def _enter(self, text: str, end: int) -> int:
        """Read the lines that begin before a place; how far the last of them is indented."""
        indent = self._indent
        while self._read < end:
            stop = text.find("\n", self._read)
            stop = len(text) if stop < 0 else stop
            line = text[self._read : min(stop, self._read + _DEEPEST)]
            bare = line.lstrip()
            if bare:
                indent = len(line) - len(bare)
                while self.heads and self.heads[-1][0] >= indent:
                    self.heads.pop()
                self.heads.append((indent, shorten(bare, most=80)))
            self._read = stop + 1
        return indent


_FILE = re.compile(
    r"^(?:\[File: (?P<opened>[^\s\]()]{1,300})|.{0,600}?`cat -n` on (?:a snippet of )?(?P<numbered>[^\s:]{1,300})"
    r"|==> (?P<headed>\S{1,300}) <==|(?:File|文件)[:：] ?`?(?P<named>[^\s`:：]{1,300}\.\w{1,8})`?:?\s*$)",
    re.MULTILINE,
)


_SHOWN_NUMBER = re.compile(r"\s*(\d+)(?:\t|:(?!\d)|→| ?\||$)")


def find_files(text: str) -> list[tuple[int, str]]:
    """Where a text says which file it shows from there on, and which."""
    return [(found.start(), next(filter(None, found.groups()))) for found in _FILE.finditer(text)]


def line_number(line: str) -> str:
    """The number that a line of a file shows before itself; "" for none."""
    found = _SHOWN_NUMBER.match(line)
    return found[1] if found else ""
