"""Grows a passage to what a reader takes in as one piece: the function, record, list or message that it stands in."""

from __future__ import annotations

import re
from collections.abc import Callable

from amb_core.memory.passage_index import Floats, PassageIndex
from amb_core.memory.passage_weights import SLACK

__all__ = ["grow"]

_LINE = re.compile(r":\d+(?= |$)")


def grow(index: PassageIndex, key: int, *, scores: Floats, least: int, most: int, may: Callable[[int], bool]) -> range:
    """The passages side by side that are shown together with one, up to `most` tokens.

    All of a result, or of the function or record around, where it is small enough. Of what is larger, neighbours up to
    `least` tokens and on while they are about as good as the first; never beyond a passage that `may` not be shown.
    """
    inside = _reach(index.span(index.place(key).entry.entry_id), key, may)
    for whole in (inside, _reach(inside, key, lambda other: _section(index, other) == _section(index, key))):
        if sum(map(index.size, whole)) <= most:
            return whole
    low = high = key
    size = index.size(key)
    while sides := [side for side in (low - 1, high + 1) if side in inside]:
        best = max(sides, key=lambda side: (float(scores[side]), side))
        size += index.size(best)
        if size > (most if scores[best] >= scores[key] - SLACK else least):
            break
        low, high = min(low, best), max(high, best)
    return range(low, high + 1)


def _reach(inside: range, key: int, may: Callable[[int], bool]) -> range:
    """The passages around one up to where one may not be shown."""
    low = high = key
    while low - 1 in inside and may(low - 1):
        low -= 1
    while high + 1 in inside and may(high + 1):
        high += 1
    return range(low, high + 1)


def _section(index: PassageIndex, key: int) -> tuple[bool, str]:
    return index.is_of_call(key), _LINE.sub("", index.passage(key).path)
