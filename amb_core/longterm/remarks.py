"""What merging writes into a record beside what it was told: the earlier value, and the date of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.text import detect_language, sentences

__all__ = ["dated", "plain", "remarked", "told_sentences"]

_OPENINGS = {"en": " (earlier: ", "zh": "（此前："}
_CLOSINGS = {"en": ")", "zh": "）"}
_OPENING = re.compile(r"(?<![ \t])[ \t]*\(earlier: |（此前：")
_DATE = re.compile(r"^\[[^\]\n]{1,40}\] ", re.MULTILINE)


def remarked(sentence: str, earlier: str) -> str:
    """A sentence with what was said before it was corrected."""
    language = detect_language(sentence)
    return f"{sentence}{_OPENINGS[language]}{earlier.rstrip(' .。')}{_CLOSINGS[language]}"


def dated(line: str, when: str) -> str:
    """A line with its date."""
    return f"[{when}] {line}"


def told_sentences(text: str) -> Iterator[tuple[str, str]]:
    """(sentence, its remark or "") for everything a record was told, in order."""
    at = 0
    for start, end in [*_remarks(text), (len(text), len(text))]:
        found = sentences(text[at:start])
        yield from ((sentence, "") for sentence in found[:-1])
        if found:
            yield found[-1], text[start:end]
        at = end


def plain(text: str) -> str:
    """What a record was told, without remarks and dates of lines."""
    kept, at = [], 0
    for start, end in _remarks(text):
        kept.append(text[at:start])
        at = end
    return _DATE.sub("", "".join([*kept, text[at:]]) if kept else text)


def _remarks(text: str) -> Iterator[tuple[int, int]]:
    """Where the remarks stand, with the brackets inside them counted."""
    end = 0
    for found in _OPENING.finditer(text):
        if found.start() < end:
            continue
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += (text[end] in "(（") - (text[end] in ")）")
            end += 1
        yield found.start(), end
