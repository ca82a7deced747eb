"""A text as parts for the local agents: sentences where it is prose, else records and lines as `reading` parts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from amb_core.reading import Layout, read_regions
from amb_core.reading.layout_passages import read_passages
from amb_core.text import sentence_spans
from amb_core.text.language import Language
from amb_core.text.pure_cache import remembered

__all__ = ["Part", "leans", "read_parts"]

_LEANS = {
    "en": re.compile(r"(?:he|she|it|they|his|her|its|their|this|these|those)\b", re.IGNORECASE),
    "zh": re.compile("[他她它其此这那]"),
}
_RECORD = re.compile(r"[^\].]*\]?")
_MARKS = re.compile(r"(?<!\w)#+ |\s+[^\s:：]{1,40}[:：]$")


class Part(NamedTuple):
    """Characters `start:end` of a text; `place` is the heading or the record that it stands under.

    `gap`: 0 when it follows on the same line, 1 on a new line, 2 after a blank line or at the start.
    """

    start: int
    end: int
    gap: int
    place: str
    is_prose: bool


@remembered(most=8, longest=20_000)
def read_parts(text: str) -> tuple[Part, ...]:
    """The parts in order; together they hold every character but blank space. A text of one topic is read once."""
    return tuple(_parts(text))


def _parts(text: str) -> Iterator[Part]:
    regions, passages, done = read_regions(text), read_passages(text), 0
    begins = [0, *(passage.start for passage in passages[1:]), len(text)]
    for passage, (begin, stop) in zip(passages, pairwise(begins), strict=False):
        at = bisect_right(regions, passage.start, key=lambda region: region.start)
        prose = regions[max(0, at - 1)].layout in (Layout.PROSE, Layout.LISTING)
        place = _MARKS.sub("", passage.path) if prose else _RECORD.findall(passage.path)[0]
        starts = [left for left, _ in sentence_spans(text[begin:stop])][1:] if prose else []
        for left, right in pairwise([begin, *(begin + left for left in starts), stop]):
            body = text[left:right]
            start, end = left + len(body) - len(body.lstrip()), left + len(body.rstrip())
            if start < end:
                yield Part(start, end, min(2, text.count("\n", done, start)) if done else 2, place, prose)
                done = end


def leans(sentence: str, language: Language) -> bool:
    """Whether a sentence opens with a word that says nothing without the sentence before."""
    return _LEANS[language].match(sentence) is not None
