"""Where JSON and printed Python data can be cut: between members of a container, as far out as fits."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

__all__ = ["json_units"]

_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[\[\]{},]")
_DEEPEST = 4
_TITLE = re.compile(r"[\"'](?:title|name|headline|标题|名称)[\"']\s*:\s*[\"']((?:[^\"'\\]|\\.){1,200})[\"']", re.I)
_RESULT = re.compile(r"[\"'](?:url|link|href|snippet|content|body|摘要|链接)[\"']\s*:", re.I)


def json_units(text: str, limit: int) -> list[tuple[int, int, str, bool]]:
    """(start, end, title, opens) of adjoining members of at most `limit` characters where cuts allow it.

    `opens` marks objects of a list that are search results or records: they have a title and a link or a body.
    """
    cuts, objects = _scan(text)
    results = [span for span in objects if _is_result(text[span[0] : span[1]])]
    if len(results) >= 2:
        return _result_units(text, results)
    chosen = _pieces(0, len(text), cuts, 0, limit)
    units = []
    for start, end in chosen:
        piece = text[start:end]
        if stripped := piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            units.append((left, left + len(stripped), "", False))
    return units


def _scan(text: str) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Where members end by depth (0: whole values one after another), and the objects of the outermost list of them."""
    cuts: list[list[int]] = [[] for _ in range(_DEEPEST + 1)]
    open_at: list[tuple[str, int]] = []
    objects: dict[int, list[tuple[int, int]]] = {}
    for found in _TOKEN.finditer(text):
        mark = found.group()
        if mark in "[{":
            open_at.append((mark, found.start()))
        elif mark == "," and len(open_at) <= _DEEPEST:
            cuts[len(open_at)].append(found.end())
        elif mark in "]}" and open_at:
            opener, start = open_at.pop()
            if not open_at:
                cuts[0].append(found.end())
            if opener == "{" and open_at and open_at[-1][0] == "[" and len(open_at) < _DEEPEST:
                objects.setdefault(len(open_at), []).append((start, found.end()))
    return cuts, objects[min(objects)] if objects else []


def _is_result(member: str) -> bool:
    return _TITLE.search(member) is not None and _RESULT.search(member) is not None


def _result_units(text: str, results: Sequence[tuple[int, int]]) -> list[tuple[int, int, str, bool]]:
    """One unit from each result's start to the next one's; what stands before the first goes with it."""
    units = []
    starts = [0, *(start for start, _ in results[1:])]
    for start, stop, (first, last) in zip(starts, [*starts[1:], len(text)], results, strict=True):
        piece = text[start:stop]
        left = start + len(piece) - len(piece.lstrip())
        title = _TITLE.search(text, first, last)
        units.append((left, start + len(piece.rstrip()), " ".join(title[1].split()) if title else "", True))
    return units


def _pieces(start: int, end: int, cuts: Sequence[Sequence[int]], depth: int, limit: int) -> list[tuple[int, int]]:
    """Cut at the commas of `depth`, and pieces that are still too long one level deeper."""
    if end - start <= limit // 4 or depth >= len(cuts):
        return [(start, end)]
    marks = [start, *_between(cuts[depth], start, end), end]
    pieces: list[tuple[int, int]] = []
    for first, last in pairwise(marks):
        if last - first > limit:
            pieces.extend(_pieces(first, last, cuts, depth + 1, limit))
        else:
            pieces.append((first, last))
    return pieces


def _between(cuts: Sequence[int], start: int, end: int) -> Sequence[int]:
    return cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
