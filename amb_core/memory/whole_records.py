"""The record of machine data around a passage: an object with its members, a row, a line and what stands under it."""

from __future__ import annotations

import re
from collections.abc import Callable

from amb_core.memory.passage_index import PassageIndex
from amb_core.reading import Layout

__all__ = ["element_around", "is_value", "record_around"]

_MEMBER = re.compile(r"\[[^\]]*\]|\.?[^.\[]+")
_BARE = re.compile(r":\s*([^\s,}\]\"']+)\s*(?=[,}\]]|$)")
"""A number, or a word without quotation marks, that is all of a value."""


def record_around(index: PassageIndex, key: int, name: str, *, most: int) -> range:
    """The passages of the record that a passage names: the element of a list or the member of this name, a row, a line.

    Of data that is the largest record around it in `most` tokens, and the smallest whatever its size; a text that only
    mentions the name stands by itself.
    """
    if not index.is_data(key):
        start, end = _extent(index, key, name)
        return _reach(index, key, lambda at: index.passage(at).start < end and index.passage(at).end > start)
    members = _MEMBER.findall(index.passage(key).path)
    found = range(key, key + 1)
    if not is_value(index.text(key), name):
        return found
    is_record = False
    for count in range(len(members), 0, -1):
        wider = _within(index, key, "".join(members[:count]))
        if is_record and sum(map(index.sizes.__getitem__, wider)) > most:
            break
        if is_record or members[count - 1].endswith("]") or name in members[count - 1]:
            found, is_record = wider, True
    return found


def element_around(index: PassageIndex, key: int) -> range:
    """The passages of the innermost element of a list around one of machine data; empty outside of lists."""
    members = _MEMBER.findall(index.passage(key).path)
    for count in range(len(members), 0, -1):
        if members[count - 1].endswith("]"):
            return _within(index, key, "".join(members[:count]))
    return range(0)


def is_value(text: str, name: str) -> bool:
    """Whether a name is all that a key or a value says: a string of its own, or a number behind a colon.

    No pattern is made of the name: patterns are kept by Python, also when memory is to forget.
    """
    return f'"{name}"' in text or f"'{name}'" in text or name in _BARE.findall(text)


def _within(index: PassageIndex, key: int, record: str) -> range:
    inner = (f"{record}.", f"{record}[")
    return _reach(index, key, lambda at: f"{index.passage(at).path}.".startswith(inner))


def _reach(index: PassageIndex, key: int, belongs: Callable[[int], bool]) -> range:
    """The passages side by side around one that belong to it."""
    steps = index.span(index.entry(key).entry_id)
    low, high = key, key + 1
    while low - 1 in steps and belongs(low - 1):
        low -= 1
    while high in steps and belongs(high):
        high += 1
    return range(low, high)


def _extent(index: PassageIndex, key: int, name: str) -> tuple[int, int]:
    """Characters (start, end) of the row of a page, or of the line that names something and those indented under it."""
    place = index.place(key)
    text, passage = place.text, place.passage
    at = max(text.find(name, passage.start, passage.end), passage.start)
    if index.layout(key) is Layout.HTML:
        start, end = text.rfind("<tr", 0, at), text.find("</tr", at)
        return (start, end) if start >= 0 and text.rfind("</tr", start, at) < 0 < end else (at, at)
    start = text.rfind("\n", 0, at) + 1
    margin = _indent(text, start)
    end = _line_end(text, at)
    while end < len(text) and _indent(text, end + 1) > margin:
        end = _line_end(text, end + 1)
    return start, end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _indent(text: str, start: int) -> int:
    """How far a line is indented; a blank one not at all."""
    line = text[start : _line_end(text, start)]
    return len(line) - len(line.lstrip()) if line.strip() else 0
