"""A manuscript in one file as its chapters: headings in English and Chinese, or pieces of one size without any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amb_book.manuscript_words import (
    BACK,
    CHAPTER,
    CLOSING,
    EDITION_END,
    EDITION_START,
    FRONT,
    NUMBER_ONLY,
    PART,
    SPECIAL,
)
from amb_core.errors import UnreadableSource
from amb_core.formats.text_decoder import decode_text, looks_binary
from amb_core.text import detect_language, paragraph_spans
from amb_core.text.numerals import english_numerals, han_number

__all__ = ["ManuscriptChapter", "chapters_of", "read_manuscript"]

MOST_BYTES = 5_242_880
_LISTED = 120
"""A heading with less text than this under it, in a row of such, is an entry of a table of contents."""
_IN_A_ROW = 3
_MISSED = 3
"""How many a number may be behind the last one: one or two headings may be lost."""
_WIDE = "，。、；：！？“”‘’（）《》—…　\r\n"
_OPENING = 400
"""Text before the first heading that is shorter than this is a title page."""
_PIECE = {"en": 12_000, "zh": 4_000}
_KINDS = (("chapter", CHAPTER), ("part", PART), ("chapter", SPECIAL), ("front", FRONT), ("back", BACK))
_HAN = re.compile(r"[\u3400-\u9fff]")
_SHORT = 30
"""A heading of a part that is longer stands alone between blank lines."""
_ENDS = re.compile(r"[.!?。！？”\",，;；:：]$")
_ORDINAL = re.compile(r"第[^章回节節话話\s]{1,9}[章回节節话話]")
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
    """The chapters in order, without what publishers put around them; at least one for a text that is not blank."""
    inner = _without_edition(text)
    headings = _headings(inner)
    chapters = _cut(inner, headings) if headings else []
    return chapters or _by_size(inner)


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
    if found is None and (torn := _torn(data)):
        return _checked(torn)
    if found is None:
        raise UnreadableSource(f"{name} is no text in UTF-8, UTF-16 or GB18030; save it as UTF-8.")
    return _checked(found.text)


def _torn(data: bytes) -> str:
    """Chinese text with a few broken characters, as of a file cut in the middle of one; blank where it is none."""
    if looks_binary(data):
        return ""
    for encoding in ("utf-8", "gb18030"):
        text = data.decode(encoding, "replace")
        han = sum("\u3400" <= char <= "\u9fff" or char in _WIDE for char in text[:20_000])
        if text.count("\ufffd") * 10_000 <= len(text) + 10_000 and han * 10 > min(len(text), 20_000) * 8:
            return text
    return ""


def _checked(text: str) -> str:
    bare = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not bare.strip():
        raise UnreadableSource("the manuscript is empty; pass its text.")
    if "\0" in bare:
        raise UnreadableSource("the manuscript is no text; save it as UTF-8.")
    if len(bare) > MOST_BYTES:
        raise UnreadableSource("the manuscript is larger than 5 MB; cut it and import the parts in order.")
    return bare


def _without_edition(text: str) -> str:
    """The text between the lines by which an edition marks it."""
    start = next((found.end() for found in EDITION_START.finditer(text[: len(text) // 4])), 0)
    ends = [found.start() for found in EDITION_END.finditer(text, max(start, len(text) * 3 // 4))]
    return text[start : ends[0] if ends else len(text)]


def _headings(text: str) -> list[_Heading]:
    """The headings that have text under them; lone numbers only where no words mark chapters, and they count up."""
    found = [
        _Heading(kind, match.start(), match.end(), _title(match))
        for kind, pattern in _KINDS
        for match in pattern.finditer(text)
        if not _opens_paragraph(match, text)
    ]
    kept = _without_contents(_in_order(found), text)
    if not any(CHAPTER.match(each.title) for each in kept):
        found += [_Heading("chapter", each.start(), each.end(), _title(each)) for each in _counting(text)]
        kept = _without_contents(_in_order(found), text)
    kept = _without_early_ends(kept)
    last = max((each.start for each in kept if each.kind == "chapter"), default=-1)
    return [each for each in kept if each.kind != "back" or each.start > last] if last >= 0 else []


def _in_order(found: Sequence[_Heading]) -> list[_Heading]:
    ordered: list[_Heading] = []
    for each in sorted(found, key=lambda heading: (heading.start, -heading.end)):
        if (not ordered or each.start >= ordered[-1].end) and not (ordered and _again(ordered[-1], each)):
            ordered.append(each)
    return ordered


def _without_early_ends(headings: Sequence[_Heading]) -> list[_Heading]:
    """No epilogue stands before all other chapters; that one is the last line of a table of contents."""
    first = next((place for place, each in enumerate(headings) if each.kind == "chapter"), None)
    if first is None or not CLOSING.match(headings[first].title) or first + 1 == len(headings):
        return list(headings)
    return [*headings[:first], *headings[first + 1 :]]


def _opens_paragraph(match: re.Match[str], text: str) -> bool:
    """Whether a long line is the first of a paragraph that only begins like the heading of a part."""
    return (
        match.re is PART and match.end() - match.start() > _SHORT and text[match.end() : match.end() + 2].strip() != ""
    )


def _again(before: _Heading, each: _Heading) -> bool:
    """Whether a heading says once more what stands above it, as editions of old novels have it."""
    numbers = [_ORDINAL.match(heading.title) for heading in (before, each)]
    same = numbers[0] is not None and numbers[1] is not None and numbers[0].group() == numbers[1].group()
    return same and each.start - before.end < _OPENING


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


def _without_contents(headings: Sequence[_Heading], text: str) -> list[_Heading]:
    """The headings that have text under them, and those of parts; a table of contents lists the others in a row."""
    ends = [*(each.start for each in headings[1:]), len(text)][: len(headings)]
    bodies = [text[each.end : end].strip() for each, end in zip(headings, ends, strict=True)]
    lists = [_is_list(body) for body in bodies]
    empty = [len(body) < _LISTED or listed for body, listed in zip(bodies, lists, strict=True)]
    kept: list[_Heading] = []
    place = 0
    while place < len(headings):
        stop = place
        while stop < len(headings) and empty[stop]:
            stop += 1
        row = headings[place:stop]
        listed = sum(each.kind == "chapter" for each in row) >= _IN_A_ROW or any(lists[place:stop])
        if row and listed and stop < len(headings):
            row = row[-1:] if row[-1].kind == "part" and not lists[stop - 1] else []
        kept += [*row, *headings[stop : stop + 1]]
        place = stop + 1
    return kept


def _is_list(body: str) -> bool:
    """Whether lines are the entries of a table of contents: short, with capitals, and no sentences."""
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    if len(lines) < _IN_A_ROW or max(map(len, lines)) > _LISTED or _HAN.search(body):
        return False
    capital = sum(not line[0].islower() for line in lines)
    sentences = sum(line.endswith((".", "!", "?", '"', "”")) and not line.endswith((" .", "..")) for line in lines)
    return capital * 5 >= len(lines) * 4 and sentences * 5 <= len(lines)


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
            title, body = _with_next_line(heading.title, body)
            chapters.append(ManuscriptChapter(f"{part} · {title}" if part else title, body))
    return chapters


def _with_next_line(title: str, body: str) -> tuple[str, str]:
    """A heading that is only a number, with the title that stands on the line below it."""
    lines = body.lstrip("\n").split("\n", 2)
    bare = re.fullmatch(r"(?i)(?:chapter|letter|stave|canto)\s+\S+|第\S+[章回节節]|[IVXLC\d]+\.?", title.rstrip(". "))
    alone = len(lines) > 2 and not lines[1].strip() and 0 < len(lines[0].strip()) <= 70
    if bare and alone and not _ENDS.search(lines[0].strip()) and len(lines[2].strip()) > _LISTED:
        return f"{title.rstrip('. ')}. {' '.join(lines[0].split())}", lines[2].strip("\n")
    return title, body.strip("\n")


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
