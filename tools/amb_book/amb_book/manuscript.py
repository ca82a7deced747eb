"""A manuscript in one file as its chapters: headings in English and Chinese, or pieces of one size without any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amb_book.manuscript_words import CHAPTER, NUMBER_ONLY, PART, SPECIAL
from amb_core.errors import UnreadableSource
from amb_core.text import detect_language
from amb_core.text.han_numbers import han_number
from amb_files.text_decoder import decode_text
from amb_values import paragraph_spans
from amb_values.numerals import english_numerals

__all__ = ["ManuscriptChapter", "chapters_of", "read_manuscript"]

MOST_BYTES = 5_242_880
_IN_A_ROW = 3
_MISSED = 3
"""How many a number may be behind the last one: one or two headings may be lost."""
_OPENING = 400
"""Text before the first heading that is shorter than this is a title page."""
_PIECE = {"en": 12_000, "zh": 4_000}
_KINDS = (("chapter", CHAPTER), ("part", PART), ("chapter", SPECIAL))
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(frozen=True, slots=True)
class ManuscriptChapter:
    """A chapter as a manuscript has it: title as written, with its part where there are parts, and its text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Heading:
    kind: str
    start: int
    end: int
    title: str


def read_manuscript(source: str | bytes | Path) -> str:
    """The text of a manuscript: a file, its bytes, or the text itself; a short single line that names a file is one.

    UnreadableSource for one that is missing, empty, binary, larger than 5 MB or in an unknown encoding.
    """
    if isinstance(source, str) and not _names_file(source):
        return _checked(source)
    if isinstance(source, bytes):
        return _decoded(source, "these bytes")
    place = Path(source)
    try:
        if place.stat().st_size > MOST_BYTES:
            raise UnreadableSource(f"{place} is larger than 5 MB; cut the manuscript and import the parts in order.")
        data = place.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"{place} cannot be read: {error.strerror}; pass a text file.") from None
    return _decoded(data, str(place))


def chapters_of(text: str) -> list[ManuscriptChapter]:
    """The chapters in order; at least one for a text that is not blank."""
    headings = _headings(text)
    chapters = _cut(text, headings) if headings else []
    return chapters or _by_size(text)


def _names_file(source: str) -> bool:
    if "\n" in source or not 0 < len(source) < 1_024 or "\0" in source:
        return False
    try:
        return Path(source).is_file() or (Path(source).suffix in (".txt", ".md") and " " not in source.strip())
    except OSError:
        return False


def _decoded(data: bytes, name: str) -> str:
    if len(data) > MOST_BYTES:
        raise UnreadableSource(f"{name} is larger than 5 MB; cut the manuscript and import the parts in order.")
    if not data.strip():
        raise UnreadableSource(f"{name} is empty; pass a manuscript.")
    found = decode_text(data)
    if found is None:
        raise UnreadableSource(f"{name} is no text in UTF-8, UTF-16, GB18030 or Windows-1252; save it as UTF-8.")
    return _checked(found.text)


def _checked(text: str) -> str:
    bare = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not bare.strip():
        raise UnreadableSource("the manuscript is empty; pass its text.")
    if "\0" in bare:
        raise UnreadableSource("the manuscript is no text; save it as UTF-8.")
    if len(bare) > MOST_BYTES:
        raise UnreadableSource("the manuscript is larger than 5 MB; cut it and import the parts in order.")
    return bare


def _headings(text: str) -> list[_Heading]:
    """The headings in order; lone numbers only where no words mark chapters, and they count up."""
    found = [
        _Heading(kind, match.start(), match.end(), _title(match))
        for kind, pattern in _KINDS
        for match in pattern.finditer(text)
    ]
    if not any(CHAPTER.match(each.title) for each in found):
        found += [_Heading("chapter", each.start(), each.end(), _title(each)) for each in _counting(text)]
    ordered: list[_Heading] = []
    for each in sorted(found, key=lambda heading: (heading.start, -heading.end)):
        if not ordered or each.start >= ordered[-1].end:
            ordered.append(each)
    return ordered if any(each.kind == "chapter" for each in ordered) else []


def _counting(text: str) -> list[re.Match[str]]:
    """Numbers on lines of their own that count up from 1, at least three in a row; each part may begin anew."""
    runs: list[list[re.Match[str]]] = []
    last = 0
    for match in NUMBER_ONLY.finditer(text):
        value = _value(match["number"])
        if value is None or _is_sentence(match):
            continue
        if value == 1:
            runs.append([match])
        elif runs and last < value <= last + _MISSED:
            runs[-1].append(match)
        else:
            continue
        last = value
    return [match for run in runs if len(run) >= _IN_A_ROW for match in run]


def _is_sentence(match: re.Match[str]) -> bool:
    """Whether what stands behind a number is a sentence rather than a title."""
    title = match["title"] or ""
    if not title or title.upper() == title:
        return False
    return title.endswith((".", ",", ";", "!", "?", '"', "”", "。", "！", "？", "，")) or (
        match["number"] == "I" and not match["dot"]
    )


def _value(number: str) -> int | None:
    if not all(char in _ROMAN for char in number):
        return _number_of(number)
    values = [_ROMAN[char] for char in number]
    return sum(
        -value if place + 1 < len(values) and values[place + 1] > value else value for place, value in enumerate(values)
    )


def _title(match: re.Match[str]) -> str:
    return " ".join(match.group().strip(" \t　#*_=").split())


def _cut(text: str, headings: Sequence[_Heading]) -> list[ManuscriptChapter]:
    chapters: list[ManuscriptChapter] = []
    before = text[: headings[0].start].strip()
    if len(before) > _OPENING and headings[0].kind == "chapter" and len(before) * 20 > len(text):
        chapters.append(ManuscriptChapter("", before))
    part = ""
    ends = [*(each.start for each in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=True):
        body = text[heading.end : end].strip("\n")
        if heading.kind == "part":
            part = heading.title
            if len(body.strip()) > _OPENING:
                chapters.append(ManuscriptChapter(part, body))
        elif heading.kind == "chapter" and body.strip():
            chapters.append(ManuscriptChapter(f"{part} · {heading.title}" if part else heading.title, body))
    return chapters


def _by_size(text: str) -> list[ManuscriptChapter]:
    """Pieces of whole paragraphs, for a text without headings."""
    most = _PIECE[detect_language(text[:4_000])]
    pieces: list[str] = []
    room = 0
    for start, end in paragraph_spans(text):
        for first in range(start, end, most):
            paragraph = text[first : min(first + most, end)].strip("\n")
            if not pieces or len(paragraph) > room:
                pieces.append(paragraph)
                room = most - len(paragraph)
            else:
                pieces[-1] += f"\n\n{paragraph}"
                room -= len(paragraph)
    return [ManuscriptChapter("", piece) for piece in pieces if piece.strip()]


def _number_of(said: str) -> int | None:
    """The whole number a few words or digits say; None when they say none."""
    if said.isascii() and said.isdecimal():
        return int(said)
    if said.isascii():
        whole = [each.key for each in english_numerals(said) if each.end - each.start == len(said)]
        return int(whole[0]) if whole and whole[0].isdecimal() else None
    if all(char in "零〇一二两三四五六七八九十百" for char in said):
        return int(han_number(said))
    return None
