"""What stands around a number says what it is: the cue before it, the unit or label behind it, its column's head."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from amb_redaction import cue_words

__all__ = ["TableHeads", "follows_cue", "is_amount", "is_label_behind", "nearest_cue"]

_BEFORE = 40
"""How far before a number its cue may stand."""
_BEHIND = 16
_SENTENCE_END = re.compile(
    r"[。！？!?]|(?<!tel)(?<!\bno)(?<!\bph)(?<!mob)(?<!\bmr)(?<!\bdr)\.\s(?-i:(?=[A-Z]))", re.IGNORECASE
)
_TOKEN = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]+")
_IN_CAPITALS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_UP_TO_DIGIT = re.compile(r"\D*")
_SMALL_NUMBER = re.compile(r"(?<![\d.,])(?:(?:19|20)\d\d|\d\d?)(?![\d.,]\d|\d)")
_UNIT = re.compile(r"\s?(?:" + cue_words.UNITS + ")", re.IGNORECASE)
_TAIL = re.compile(r"[\s,，(-]{0,3}(?:" + "|".join(cue_words.TAIL_LABELS.split()) + r")(?![A-Za-z])", re.IGNORECASE)
_DELIMITERS = "|\t,;"
_LONGEST_ROW = 2_000
_LONGEST_HEAD = 3
"""Words in the head of a column; more are a sentence with commas."""


@cache
def _listed(words: str) -> tuple[frozenset[str], int]:
    """The words, and the length of the longest Chinese one."""
    listed = frozenset(words.split())
    return listed, max((len(word) for word in listed if not word.isascii()), default=0)


def _before(text: str, start: int, reach: int, *, across: bool = False, years: bool = False) -> str:
    """What stands before a position, from the last number and, unless `across`, the last end of a sentence on.

    With `years`, years and numbers of two digits are none: `sales in Q3 2023:`.
    """
    window = text[max(0, start - reach) : start]
    if years:
        window = _SMALL_NUMBER.sub(" ", window)
    free = _UP_TO_DIGIT.match(window[::-1])
    window = window[len(window) - (free.end() if free else 0) :]
    if across or not any(mark in window for mark in "。！？!?."):
        return window
    ends = [match.end() for match in _SENTENCE_END.finditer(window)]
    return window[ends[-1] :] if ends else window


def _last(words: str, window: str) -> int:
    """Where the last of the words ends in a window, -1 if there is none."""
    listed, longest = _listed(words)
    place = -1
    for token in _TOKEN.finditer(window):
        word = token.group()
        if word.isascii():
            if word.lower() in listed:
                place = token.end()
                continue
            parts = _IN_CAPITALS.finditer(word) if not word.islower() else ()
            place = max([place, *(token.start() + part.end() for part in parts if part.group().lower() in listed)])
        else:
            place = max(place, _last_han(listed, longest, word, token.start()))
    return place


def _last_han(listed: frozenset[str], longest: int, run: str, offset: int) -> int:
    for end in range(len(run), 0, -1):
        if any(run[start:end] in listed for start in range(max(0, end - longest), end)):
            return offset + end
    return -1


def nearest_cue(text: str, start: int, *, reach: int = _BEFORE, across: bool = False, **words: str) -> str:
    """The name of the word list whose word stands nearest before a position, with no other number between, or "".

    `across` looks into the sentence before, too.
    """
    window = _before(text, start, reach, across=across, years=True)
    if len(window) < 2 and not window.strip():
        return ""
    places = {name: _last(listed, window) for name, listed in words.items()}
    best = max(places, key=lambda name: places[name])
    return best if places[best] >= 0 else ""


def follows_cue(text: str, start: int, words: str) -> bool:
    """Whether a cue stands before a position in the same sentence, with no other number between: `手机号为`."""
    return _last(words, _before(text, start, _BEFORE)) >= 0


def is_amount(text: str, end: int) -> bool:
    """Whether a unit follows: 元, USD, 人次, rows."""
    return _UNIT.match(text, end, end + _BEHIND) is not None


def is_label_behind(text: str, end: int) -> bool:
    """Whether a label of a phone number follows: `(37) 788-063 Office`."""
    return _TAIL.match(text, end, end + _BEHIND) is not None


class TableHeads:
    """The first lines of the tables in a text, to tell what a number in a column is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._heads: dict[int, tuple[str, str]] | None = None

    def head(self, start: int) -> str:
        """The head of the column that a position is in, or "" where there is no table."""
        line = self._text.rfind("\n", max(0, start - _LONGEST_ROW), start) + 1
        if start - line > _LONGEST_ROW:
            return ""
        if self._heads is None:
            self._heads = dict(self._rows())
        delimiter, head = self._heads.get(line, ("", ""))
        if not delimiter:
            return ""
        cells, column = head.split(delimiter), self._text.count(delimiter, line, start)
        return cells[column].strip() if column < len(cells) else ""

    def _rows(self) -> Iterator[tuple[int, tuple[str, str]]]:
        """Where each row below a head begins, with the delimiter and the head."""
        place, head, shape = 0, "", ("", 0)
        for line in self._text.split("\n"):
            found = next(((mark, line.count(mark)) for mark in _DELIMITERS if mark in line), ("", 0))
            if found != shape:
                shape, head = found, line if _is_head(line, found[0]) else ""
            elif head:
                yield place, (shape[0], head)
            place += len(line) + 1


def _is_head(line: str, delimiter: str) -> bool:
    if not delimiter or len(line) > _LONGEST_ROW or any(character.isdigit() for character in line):
        return False
    return all(len(cell.split()) <= _LONGEST_HEAD for cell in line.split(delimiter))
