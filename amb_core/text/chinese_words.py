"""Chinese text cut into everyday words and what stands between them: names and terms no word list knows."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from amb_core.text.common_chinese import COMMON_WORDS, LONGEST_WORD
from amb_core.text.stopwords import CHINESE_CHARS

__all__ = ["Segment", "chinese_segments"]

_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION = CHINESE_CHARS | frozenset(
    "不没很太最更已才再又仅只该此每各某些且若则因如所等并使让给按据随自至到往约共均曾其他她它我你您说称做"
)


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
            end = _common_word(text, position, stop)
            known: Literal["common", "function"] | None = "common" if end else None
            if end is None and text[position] in _FUNCTION:
                end, known = position + 1, "function"
            if known and end:
                if pending < position:
                    yield Segment("unknown", pending, position)
                yield Segment(known, position, end)
                position = pending = end
            else:
                position += 1
        if pending < stop:
            yield Segment("unknown", pending, stop)


def _common_word(text: str, start: int, stop: int) -> int | None:
    """Where the longest common word that starts at `start` ends."""
    for length in range(min(LONGEST_WORD, stop - start), 1, -1):
        if text[start : start + length] in COMMON_WORDS:
            return start + length
    return None
