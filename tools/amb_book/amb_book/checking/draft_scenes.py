"""A draft as its scenes: at lines of marks and headings of chapters, and where one alone is too long for a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.manuscript_words import CHAPTER
from amb_core.agents.chunking import chunk_spans
from amb_core.text import estimate_tokens

__all__ = ["scenes_of"]

_BREAK = re.compile(r"^[ \t\u3000]*(?:[*＊#~=_·•◇◆☆★※—–-][ \t\u3000]*)+$", re.MULTILINE)
_SHORT_TOKENS = 300
"""A scene that is shorter is looked at together with the next."""


def scenes_of(draft: str, most_tokens: int) -> list[tuple[int, int]]:
    """Where the scenes stand, each of at most so many tokens; together they are all that is told."""
    found: list[tuple[int, int]] = []
    short = False
    for start, end in _between_breaks(draft):
        begin = found[-1][0] if short else start
        price = estimate_tokens(draft[begin:end])
        if short and price <= most_tokens:
            found[-1] = begin, end
        else:
            found += [(start + first, start + last) for first, last in chunk_spans(draft[start:end], limit=most_tokens)]
            price = estimate_tokens(draft[start:end])
        short = price < _SHORT_TOKENS
    return found


def _between_breaks(draft: str) -> Iterator[tuple[int, int]]:
    breaks = [(found.start(), found.end()) for found in _BREAK.finditer(draft)]
    breaks += [(found.start(), found.start()) for found in CHAPTER.finditer(draft)]
    start = 0
    for begin, end in (*sorted(breaks), (len(draft), len(draft))):
        if draft[start:begin].strip():
            yield start, begin
        start = max(start, end)
