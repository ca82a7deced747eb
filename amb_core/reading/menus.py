"""What of a page is navigation: runs of a few words each, as menus, footers and lists of versions are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.reading.layout import Layout, detect_layout

__all__ = ["menus"]

_ENDS = re.compile(r"[.!?;:,。！？；：，、]|\d")
_SENTENCE = re.compile(r"[.!?][)\"'”’]?(?:\s|$)|[。！？]")
_LEAST, _FEW, _LONG = 6, 32, 60
"""A menu has so many entries of at most so many bytes, of which a Chinese character has 3; a line of prose has more."""
_CAPITAL = 0.6
"""The least share of words with a capital in a menu that is written on one line."""


def menus(text: str, passages: Sequence[tuple[int, int]]) -> list[bool]:
    """For each stretch (start, end) of a text whether it is a menu; none is where the text has no line of prose."""
    shown = [text[start:end] for start, end in passages]
    long = (line for one in shown for line in one.split("\n") if _size(line) >= _LONG)
    if detect_layout(text) is not Layout.PROSE or not any(map(_SENTENCE.search, long)):
        return [False] * len(shown)
    return [_is_menu(one) for one in shown]


def _size(line: str) -> int:
    return len(line.encode("utf-8", "surrogatepass"))


def _is_menu(text: str) -> bool:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    short = sum(_size(line) <= _FEW and not _SENTENCE.search(line) for line in lines)
    if len(lines) >= _LEAST:
        return short >= 0.8 * len(lines)
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words)
    return len(words) >= 2 * _LEAST and capitals >= _CAPITAL * len(words) and not _ENDS.search(text)
