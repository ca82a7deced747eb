"""Grows a passage to what a reader takes in as one piece: the function, record, list or message that it stands in."""

from __future__ import annotations

import re
from collections.abc import Callable

from amb_core.memory.passage_index import Floats, PassageIndex

__all__ = ["grow"]

_LINE = re.compile(r":\d+(?= |$)")


def grow(index: PassageIndex, key: int, *, scores: Floats, least: int, most: int, may: Callable[[int], bool]) -> range:
    """The passages side by side that are shown together with one, up to `most` tokens.

    All of a result, or of the function or record around, where it is small enough. Of what is larger, the better
    neighbours up to `least` tokens; never beyond a passage that `may` not be shown.
    """
    steps = index.span(index.entry(key).entry_id)

    def section(other: int) -> bool:
        return may(other) and _section(index, other) == _section(index, key)

    for rule in (may, section):
        whole = _reach(index, steps, key, rule, most)
        if whole:
            return whole
    low = high = key
    size = index.size(key)
    while sides := [side for side in (low - 1, high + 1) if side in steps and may(side)]:
        best = max(sides, key=lambda side: (float(scores[side]), side))
        size += index.size(best)
        if size > least:
            break
        low, high = min(low, best), max(high, best)
    return range(low, high + 1)


def _reach(index: PassageIndex, steps: range, key: int, may: Callable[[int], bool], most: int) -> range:
    """The passages around one up to where a rule ends; nothing where they take more than `most` tokens."""
    low = high = key
    room = most - index.size(key)
    while room >= 0 and low - 1 in steps and may(low - 1):
        low -= 1
        room -= index.size(low)
    while room >= 0 and high + 1 in steps and may(high + 1):
        high += 1
        room -= index.size(high)
    return range(low, high + 1) if room >= 0 else range(0)


def _section(index: PassageIndex, key: int) -> str:
    return _LINE.sub("", index.passage(key).path)
