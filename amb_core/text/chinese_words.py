"""Chinese text cut into everyday words and what stands between them: names and terms no word list knows."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from amb_core.text.common_chinese import COMMON_WORDS
from amb_core.text.stopwords import CHINESE_CHARS

__all__ = ["Segment", "chinese_segments"]

_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION = CHINESE_CHARS | frozenset(
    "不没很太最更已才再又仅只该此每各某些且若则因如所等并使让给按据随自至到往约共均曾其他她它我你您说称做"
)


def _lengths() -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for word in COMMON_WORDS:
        found.setdefault(word[0], set()).add(len(word))
    return {first: tuple(sorted(lengths - {1}, reverse=True)) for first, lengths in found.items()}


_LENGTHS = _lengths()
"""How many characters the common words that start with a character have, the most first."""


class Segment(NamedTuple):
    """Characters `start:end`: a `common` word, a `function` character, or an `unknown` stretch."""

    kind: Literal["common", "function", "unknown"]
    start: int
    end: int


def chinese_segments(text: str) -> Iterator[Segment]:
    """The Han characters of `text` in order, each in exactly one segment, the longest common word first."""
    for run in _HAN_RUN.finditer(text):
        pending = position = run.start()
        stop = run.end()
        while position < stop:
            char = text[position]
            end = _common_word(text, position, stop, _LENGTHS[char]) if char in _LENGTHS else 0
            if not end and char not in _FUNCTION:
                position += 1
                continue
            if pending < position:
                yield Segment("unknown", pending, position)
            known: Literal["common", "function"] = "common" if end else "function"
            end = end or position + 1
            yield Segment(known, position, end)
            position = pending = end
        if pending < stop:
            yield Segment("unknown", pending, stop)


def _common_word(text: str, start: int, stop: int, lengths: tuple[int, ...]) -> int:
    """Where the longest common word that starts at `start` ends, 0 without one; `lengths` are those it may have."""
    for length in lengths:
        if start + length <= stop and text[start : start + length] in COMMON_WORDS:
            return start + length
    return 0
