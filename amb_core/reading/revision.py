"""What changed in a page that was read again: sentences at the same place that differ in a few words."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from amb_core.text import sentence_spans, values
from amb_core.text.pure_cache import text_cache

__all__ = ["Rewritten", "rewritten_sentences", "without_times"]

_LONGEST = 60
"""Characters of the words that differ."""
_LONGEST_STRETCH = 200
"""Sentences between the first and the last that changed, up to which both readings are aligned."""
_LEAST_ALIKE = 3
"""Words that two states of one sentence share; Chinese counts by character."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff](?:[^\s\u3400-\u9fff]*[^\W\u3400-\u9fff])?|[^\w\s]")


_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ](?=\d))?|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?Z?"
    r"|\d+(?:\.\d+)? ?(?:[mµun]?s(?:ec(?:onds?)?)?\b|毫?秒)"
)
"""A day, a time of day, how long something took."""


class Rewritten(NamedTuple):
    """Where a sentence of the newer text stands, and the words that differ, now and before."""

    place: tuple[int, int]
    now: str
    before: str


def without_times(text: str) -> str:
    """A text without days, times of day and what says how long something took."""
    return _TIME.sub("", text)


@text_cache(most=64)
def rewritten_sentences(newer: str, older: str) -> tuple[Rewritten, ...]:
    """The sentences of a text that stand in the place of an older one and differ from it in a few words."""
    spans = sentence_spans(newer)
    mine, theirs = ([text[slice(*span)] for span in sentence_spans(text)] for text in (newer, older))
    found = []
    for at, before in _in_place_of(mine, theirs):
        changed = _middles(mine[at], before)
        if changed is not None:
            found.append(Rewritten(spans[at], *changed))
    return tuple(found)


def _in_place_of(mine: list[str], theirs: list[str]) -> Iterator[tuple[int, str]]:
    """Which sentence stands where another stood: between what both begin and end with, for as long as that is short.

    Of a long stretch, whose alignment could cost the cube of its length, sentences are paired one by one if it kept
    its length, and else not at all.
    """
    left = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False)))
    a, b = mine[left:], theirs[left:]
    right = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(reversed(a), reversed(b), strict=False)))
    a, b = a[: len(a) - right], b[: len(b) - right]
    if max(len(a), len(b)) > _LONGEST_STRETCH:
        yield from ((left + at, before) for at, before in enumerate(b) if len(a) == len(b))
        return
    for kind, i, i_end, j, j_end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "replace" and i_end - i == j_end - j:
            yield from zip(range(left + i, left + i_end), b[j:j_end], strict=True)


def _middles(mine: str, theirs: str) -> tuple[str, str] | None:
    """What stands between the words that two sentences begin and end with; None where they share too little."""
    a, b = list(_WORD.finditer(mine)), list(_WORD.finditer(theirs))
    equal = [x.group() == y.group() for x, y in zip(a, b, strict=False)]
    left = next((at for at, same in enumerate(equal) if not same), len(equal))
    ends = [x.group() == y.group() for x, y in zip(reversed(a[left:]), reversed(b[left:]), strict=False)]
    right = next((at for at, same in enumerate(ends) if not same), len(ends))
    if left + right < _LEAST_ALIKE or len(a) == left + right or len(b) == left + right:
        return None
    now, before = (
        _whole_value(text, words[left].start(), words[-1 - right].end()) for text, words in ((mine, a), (theirs, b))
    )
    return (now, before) if max(len(now), len(before)) <= _LONGEST else None


def _whole_value(sentence: str, start: int, end: int) -> str:
    """The words with the unit beside them: "84 metres" where only "84" is new."""
    for value in values(sentence):
        if value.kind == "unit" and (0 <= value.start - end <= 1 or 0 <= start - value.end <= 1):
            start, end = min(start, value.start), max(end, value.end)
    return sentence[start:end]
