"""The lines of a stretch of text with their indentation, as the readers of passages look at them."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Line", "read_lines", "shorten"]

_LINE = re.compile(r"[^\n]+")
_TAB = 4


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
