"""Paragraph and sentence spans: ordered, disjoint, and covering every non-blank character."""

import re

__all__ = ["paragraph_spans", "sentence_spans", "sentences"]

_BLANK_LINES = re.compile(r"\n[ \t\r\f\v]*\n\s*")
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|[。！？；…]+[”’」』）\"]*|\n+")
_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sr",
        "jr",
        "st",
        "no",
        "vs",
        "etc",
        "e.g",
        "i.e",
        "cf",
        "al",
        "fig",
        "eq",
        "inc",
        "ltd",
        "co",
        "corp",
        "u.s",
        "u.k",
        "gen",
        "col",
        "lt",
        "sgt",
        "rev",
        "hon",
        "capt",
        "approx",
        "dept",
        "est",
        "vol",
        "pp",
        "ed",
        "eds",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "a.m",
        "p.m",
        "ph.d",
        "b.c",
        "a.d",
    ]
)
_LAST_WORD = re.compile(r"([^\W\d_](?:[\w.]*[\w])?)$")


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    chunk = text[start:end]
    stripped = chunk.strip()
    if not stripped:
        return None
    left = start + len(chunk) - len(chunk.lstrip())
    return left, left + len(stripped)


def paragraph_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every non-blank paragraph; paragraphs are parted by blank lines."""
    spans: list[tuple[int, int]] = []
    start = 0
    for gap in _BLANK_LINES.finditer(text):
        if span := _trimmed(text, start, gap.start()):
            spans.append(span)
        start = gap.end()
    if span := _trimmed(text, start, len(text)):
        spans.append(span)
    return spans


def _is_abbreviation(text: str, dot: int) -> bool:
    found = _LAST_WORD.search(text[max(0, dot - 20) : dot])
    if not found:
        return False
    word = found.group(1)
    return (len(word) == 1 and word.isupper()) or word.lower() in _ABBREVIATIONS


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every sentence, English and Chinese; a line break ends a sentence too."""
    spans: list[tuple[int, int]] = []
    start = 0
    for stop in _STOP.finditer(text):
        mark = stop.group()
        if mark[0] == "." and not mark.startswith("..") and _is_abbreviation(text, stop.start()):
            continue
        if span := _trimmed(text, start, stop.end()):
            spans.append(span)
        start = stop.end()
    if span := _trimmed(text, start, len(text)):
        spans.append(span)
    return spans


def sentences(text: str) -> list[str]:
    """The text under `sentence_spans`, in order."""
    return [text[start:end] for start, end in sentence_spans(text)]
