"""Where a wording of a text stands in another.

Found without a pattern made of the wording, which the host's `re` would keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

__all__ = ["ANYWHERE", "FREE_AFTER", "FREE_BEFORE", "find_quote", "find_wording"]

_GAP = re.compile(r"\s+")
ANYWHERE = re.compile("")
FREE_BEFORE, FREE_AFTER = re.compile(r"(?<![A-Za-z0-9])(?<![0-9][.,])"), re.compile(r"(?![A-Za-z0-9]|[.,][0-9])")
"""Where a wording begins and ends that is no part of a longer Latin word or figure."""


def find_wording(
    text: str, parts: Sequence[str], *, before: re.Pattern[str] = ANYWHERE, after: re.Pattern[str] = ANYWHERE
) -> Iterator[tuple[int, int]]:
    """The places of the parts with white space between them, first to last, without overlaps.

    `before` and `after` must match where a place starts and ends; they take no characters (lookarounds). The first part
    is not empty.
    """
    start = text.find(parts[0])
    while start >= 0:
        end = _end(text, parts, start)
        found = end is not None and before.match(text, start) and after.match(text, end)
        if end is not None and found:
            yield start, end
        start = text.find(parts[0], end if end is not None and found else start + 1)


def _end(text: str, parts: Sequence[str], start: int) -> int | None:
    """Where the parts end that begin there; None when they do not follow each other."""
    end = start + len(parts[0])
    for part in parts[1:]:
        gap = _GAP.match(text, end)
        if gap is None or not text.startswith(part, gap.end()):
            return None
        end = gap.end() + len(part)
    return end


def find_quote(sentence: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, white space aside; None when it does not.

    For quotes that prove a verdict: letter case counts, and a part of a word will do; `reading.quotes.find_words`
    forgives case and meets whole words, for it places what a model told of a text.
    """
    parts = sentence.split()
    return next(find_wording(text, parts), None) if parts else None
