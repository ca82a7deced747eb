"""A draft as sentences: what is told, and what only is said in quotation marks; and as scenes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_agents.chunking import chunk_spans
from amb_book.manuscript_words import CHAPTER
from amb_core.rendering import Language
from amb_core.text import detect_language, estimate_tokens
from amb_values import sentence_spans

__all__ = ["QUOTED", "Draft", "Sentence", "full_width", "read_draft", "scenes_of"]

QUOTED = "\x01"
"""Stands for every character between quotation marks in a sentence's `told`."""

_PARAGRAPH = re.compile(r"[^\n]+")
_QUOTE = re.compile(
    '“[^”]*(?:”|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)|"[^"]*(?:"|$)|(?<!\\w)‘[^’]*(?:’(?!\\w)|$)'
    "|(?<![\\w'])'(?=\\w)(?:[^'\n]|(?<=\\w)')*?[,.!?…—-]'(?!\\w)"
)
_LONGEST = 600
"""No sentence of a draft has more characters."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is draft[start:end]; `told` is as long, with what stands between quotation marks blotted out."""

    start: int
    end: int
    text: str
    told: str
    paragraph: int
    first: bool
    """Whether it opens its paragraph."""
    language: Language


@dataclass(frozen=True, slots=True)
class Draft:
    """A text and its sentences in order."""

    text: str
    sentences: tuple[Sentence, ...]

    @property
    def language(self) -> Language:
        return detect_language(self.text)


def read_draft(text: str) -> Draft:
    """The sentences of a text; a speech and who speaks it are one sentence."""
    found: list[Sentence] = []
    for number, paragraph in enumerate(_PARAGRAPH.finditer(text)):
        told = _QUOTE.sub(_blotted, paragraph.group())
        for start, end in _spans(told):
            begin, stop = paragraph.start() + start, paragraph.start() + end
            first = not found or found[-1].paragraph != number
            piece = text[begin:stop]
            found.append(Sentence(begin, stop, piece, told[start:end], number, first, detect_language(piece)))
    return Draft(text, tuple(found))


_HALF = re.compile(r"(?<=[\u3400-\u9fff”」』》）])[,:;!?](?=[\s\u3400-\u9fff“”「」『《（\"]|$)")
_FULL = {",": "，", ":": "：", ";": "；", "!": "！", "?": "？"}


def full_width(text: str) -> str:
    """Chinese prose with its punctuation in full width, as long as before; other text unchanged."""
    return _HALF.sub(lambda found: _FULL[found.group()], text)


def _blotted(quote: re.Match[str]) -> str:
    """A quotation as its marks and nothing in between; single marks become double ones."""
    said = quote.group()
    first, last = ("“", "”") if said[0] in "'‘" and said[-1] in "'’" else (said[0], said[-1])
    return first + QUOTED * (len(said) - 2) + last if len(said) > 1 else said


def _spans(told: str) -> Iterator[tuple[int, int]]:
    """The sentences; what is longer than any, dashes and dots without end, is cut."""
    for start, end in sentence_spans(told):
        for begin in range(start, end, _LONGEST):
            yield begin, min(begin + _LONGEST, end)


# --- scenes -------------------------------------------------------------------------------------------------------

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
