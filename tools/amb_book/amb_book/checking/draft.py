"""A draft as sentences: what is told, and what only is said in quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amb_core.rendering import Language

__all__ = ["QUOTED", "Draft", "Sentence", "full_width", "read_draft"]

QUOTED = "\x01"
"""Stands for every character between quotation marks in a sentence's `told`."""

_PARAGRAPH = re.compile(r"[^\n]+")
_QUOTE = re.compile(
    '“[^”]*(?:”|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)|"[^"]*(?:"|$)|(?<!\\w)‘[^’]*(?:’(?!\\w)|$)'
    "|(?<![\\w'])'(?=\\w)(?:[^'\n]|(?<=\\w)')*?[,.!?…—-]'(?!\\w)"
)
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Gen)\.$")
_TITLE_CHARS = 6
_OPENS = re.compile(r"\s+[A-Z“\"]")
_LONGEST = 600
"""No sentence of a draft has more characters."""
_END = re.compile(r"(?<![.!?…])[.!?…]++(?=\s|$)|[。！？…]+[”」』’]?")
_HAN = re.compile(r"[\u3400-\u9fff]")


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
        return _language(self.text)


def read_draft(text: str) -> Draft:
    """The sentences of a text; a speech and who speaks it are one sentence."""
    found: list[Sentence] = []
    for number, paragraph in enumerate(_PARAGRAPH.finditer(text)):
        told = _QUOTE.sub(_blotted, paragraph.group())
        for start, end in _spans(told, paragraph.group()):
            begin, stop = paragraph.start() + start, paragraph.start() + end
            first = not found or found[-1].paragraph != number
            piece = text[begin:stop]
            found.append(Sentence(begin, stop, piece, told[start:end], number, first, _language(piece)))
    return Draft(text, tuple(found))


def _language(text: str) -> Language:
    return "zh" if len(_HAN.findall(text)) * 3 > len(text) else "en"


_HALF = re.compile(r"(?<=[\u3400-\u9fff”」』》）])[,:;!?](?=[\s\u3400-\u9fff“”「」『《（\"]|$)")
_FULL = {",": "，", ":": "：", ";": "；", "!": "！", "?": "？"}


def full_width(text: str) -> str:
    """Chinese prose with its punctuation in full width, as long as before; other text unchanged."""
    return _HALF.sub(lambda found: _FULL[found.group()], text) if _HAN.search(text) else text


def _blotted(quote: re.Match[str]) -> str:
    """A quotation as its marks and nothing in between; single marks become double ones."""
    said = quote.group()
    first, last = ("“", "”") if said[0] in "'‘" and said[-1] in "'’" else (said[0], said[-1])
    return first + QUOTED * (len(said) - 2) + last if len(said) > 1 else said


def _spans(told: str, raw: str) -> Iterator[tuple[int, int]]:
    """The sentences; what is longer than any, dashes and dots without end, is cut."""
    start = 0
    for end in _cut_short(_boundaries(told, raw), len(told), most=_LONGEST):
        piece = told[start:end]
        if piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            yield begin, end
        start = end
    if told[start:].strip():
        piece = told[start:]
        yield start + len(piece) - len(piece.lstrip()), len(told.rstrip())


def _boundaries(told: str, raw: str) -> Iterator[int]:
    ends = {
        found.end()
        for found in _END.finditer(told)
        if not _TITLE.search(told[max(0, found.end() - _TITLE_CHARS) : found.end()])
        and told[found.end() : found.end() + 1] != QUOTED
    }
    for quote in _QUOTE.finditer(raw):
        # A speech that ends like a sentence, before a new one that does not say who spoke.
        if raw[quote.start() : quote.end() - 1].endswith(".") and _OPENS.match(raw, quote.end()):
            ends.add(quote.end())
    return iter(sorted(ends))


def _cut_short(ends: Iterable[int], last: int, *, most: int) -> Iterator[int]:
    """The ends of sentences up to the last, and more of them where a sentence would be longer: dashes without end."""
    start = 0
    for end in (*ends, last):
        yield from range(start + most, end, most)
        if end < last:
            yield end
        start = end
