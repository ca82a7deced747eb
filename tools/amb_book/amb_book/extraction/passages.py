"""A text as sentences: what is told in them, and what stands between quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

__all__ = ["BLOT", "Passage", "cut_short", "passages_of", "unwrapped"]

BLOT = "\x01"
"""Stands for every character between quotation marks in what is `told`."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_PARAGRAPH = re.compile(r"[^\n]+")
_WRAPPED_PARAGRAPH = re.compile(r"[^\n]+(?:\n[ \t]*[^\s][^\n]*)*")
_SPEECH = re.compile(
    '“[^”\n]*(?:”|$)|「[^」\n]*(?:」|$)|『[^』\n]*(?:』|$)|"[^"]*(?:"|$)|(?<!\\w)‘[^’\n]*(?:’(?!\\w)|$)'
)
_SINGLE = re.compile(r"(?<![\w'])'(?=[\w-])(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)")
_OPENS_SINGLE = re.compile(r"(?<=\s)'(?=[A-Z])")
_LABEL = 12
"""A Chinese quotation of so few characters without a full stop is a name, not a speech."""
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[)\]*_]*+(?=\s|$|[\u3400-\u9fff])|[。！？…]+[”」』）]*")
_FULL_WIDTH = re.compile(r"(?<=[\u3400-\u9fff”」』])．(?!\d)")
"""A full stop as some editions of old Chinese books have it."""
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Gen|Sr|Jr|vs|etc|[A-Z])|^\s*\d{1,3})\.$")
_ABBREVIATION_CHARS = 8
_LONGEST = 1_000
"""No sentence has more characters."""
_MARKUP = re.compile(r"^\s*(?:[-*+•·]|#{1,6}|\d{1,3}[.)、．]|[一二三四五六七八九十]{1,3}、)\s*")


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence: `text` is the whole text[start:end], `told` is as long, without what is said in it."""

    start: int
    end: int
    text: str
    told: str
    paragraph: int
    question: bool = False
    language: Literal["en", "zh"] = "en"
    """The script most of it is in."""


def passages_of(text: str) -> Iterator[Passage]:
    """The sentences of a text in order; a speech and who speaks it are one."""
    single = len(_OPENS_SINGLE.findall(text)) > 2 * (text.count('"') + text.count("“"))
    speech = _SINGLE if single else _SPEECH
    for number, (start, end) in enumerate(_paragraphs(text)):
        raw = _FULL_WIDTH.sub("。", text[start:end].replace("\n", " "))
        told = speech.sub(_blotted, raw)
        begin = 0
        for stop in (*cut_short(_stops(told, raw, speech), len(raw), most=_LONGEST), len(raw)):
            piece = raw[begin:stop]
            lead = len(piece) - len(piece.lstrip())
            if mark := _MARKUP.match(piece):
                lead = mark.end()
            first, last = begin + lead, begin + len(piece.rstrip())
            begin = stop
            if last > first:
                asks = raw[first:last].rstrip("”」』\"' )）*_").endswith(("?", "？"))
                asks = asks and told[first:last].rstrip(' ”"」').endswith(("?", "？"))
                said = text[start + first : start + last]
                language: Literal["en", "zh"] = "zh" if 3 * len(_HAN.findall(said)) > len(said) else "en"
                yield Passage(start + first, start + last, said, told[first:last], number, asks, language)


def cut_short(ends: Iterable[int], last: int, *, most: int) -> Iterator[int]:
    """The ends of sentences up to the last, and more of them where a sentence would be longer: dashes without end."""
    start = 0
    for end in (*ends, last):
        yield from range(start + most, end, most)
        if end < last:
            yield end
        start = end


def unwrapped(text: str) -> str:
    """A text as long, in which only paragraphs end with a line."""
    pieces, done = [], 0
    for start, end in _paragraphs(text):
        pieces += [text[done:start], text[start:end].replace("\n", " ")]
        done = end
    return "".join(pieces) + text[done:]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Lines, or stretches between blank lines where lines are wrapped."""
    lines = [line for line in text.splitlines() if line.strip()]
    wrapped = "\n\n" in text and sum(40 < len(line) < 100 for line in lines) * 2 > len(lines)
    pattern = _WRAPPED_PARAGRAPH if wrapped and not _HAN.search(text[:2_000]) else _PARAGRAPH
    return (found.span() for found in pattern.finditer(text))


def _blotted(quote: re.Match[str]) -> str:
    said = quote.group()
    if len(said) <= _LABEL and said[0] in "“「『" and not re.search(r"[。！？，,.!?…]", said):
        return said
    return said[0] + BLOT * (len(said) - 2) + said[-1] if len(said) > 1 else said


def _shortened(told: str, end: int) -> bool:
    """Whether a full stop belongs to an abbreviation or a number at the beginning."""
    return _ABBREVIATION.search(told, max(0, end - _ABBREVIATION_CHARS), end) is not None


def _stops(told: str, raw: str, speech: re.Pattern[str]) -> list[int]:
    ends = {found.end() for found in _STOP.finditer(told) if not _shortened(told, found.end())}
    for quote in speech.finditer(raw):
        inner, after = raw[quote.start() : quote.end() - 1], raw[quote.end() : quote.end() + 3]
        if inner.endswith((".", "!", "?")) and re.match(r"\s+[A-Z“\"]", after):
            ends.add(quote.end())
        if inner.endswith(("。", "！", "？", "…")) and after[:1] and told[quote.end() - 2] == BLOT:
            ends.add(quote.end())
    return sorted(ends)
