"""Units of a text grouped into topics: the best set of cuts, by the evidence at each and the size of each piece."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from amb_core.agents.cohesion import boundary_scores
from amb_core.agents.text_units import Unit
from amb_core.text import dialogue_speaker
from amb_core.text.language import Language

__all__ = ["SIZES", "Sizes", "grouped"]

Floats = NDArray[np.float64]

_ALWAYS, _NEVER = 1_000.0, -1_000.0
_HEADING, _DEEP_HEADING, _BLANK_LINE, _NEW_LINE = 4.0, 1.5, 2.0, 1.5
_INSIDE_PARAGRAPH = -2.5
_LIST, _TABLE, _LEAD_IN = -1.5, -3.0, -4.0
_OTHER_KIND = -2.0
_HALF_SENTENCE = -3.0
_TURN, _ANSWER = -1.0, -3.0
_CODE, _INSIDE_CODE = 1.0, -2.0
_SMALL, _LARGE = 3.5, 4.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """Characters of a piece: free of cost from `low` to `high`, dearer outside, never over `hard`.

    A text without structure of up to `short` characters stays whole.
    """

    low: int
    high: int
    hard: int
    short: int


SIZES: dict[Language, Sizes] = {
    "en": Sizes(low=200, high=1_300, hard=2_500, short=1_200),
    "zh": Sizes(low=120, high=550, hard=1_100, short=450),
}


def grouped(text: str, units: Sequence[Unit], *, language: Language) -> list[list[Unit]]:
    """The units in runs of one topic each, in order."""
    sizes = SIZES[language]
    if not units:
        return []
    if _is_short(text, units, sizes):
        return [list(units)]
    cuts = _best_cuts(units, _scores(text, units, language), sizes)
    return [list(units[first:last]) for first, last in pairwise([0, *cuts, len(units)])]


def _is_short(text: str, units: Sequence[Unit], sizes: Sizes) -> bool:
    """Whether the text is small and has neither several results nor several sections."""
    if len(text) > sizes.short or any(unit.opens for unit in units[1:]):
        return False
    return sum(last.kind == "heading" != unit.kind for last, unit in pairwise(units)) < 2


def _scores(text: str, units: Sequence[Unit], language: Language) -> Floats:
    """Log-odds of a cut before each unit but the first."""
    scores = boundary_scores(
        [_words(text, unit) for unit in units], [unit.kind == "prose" for unit in units], language=language
    )
    inside, new_line, blank = _paragraph_evidence(units)
    for at, (last, unit) in enumerate(pairwise(units)):
        if (fixed := _fixed(last, unit)) is not None:
            scores[at] = fixed
            continue
        scores[at] += (inside, new_line, blank)[unit.gap]
        scores[at] += _by_kind(text, last, unit)
    return scores


def _words(text: str, unit: Unit) -> str:
    """The unit's text; of a dialogue turn what is said, without who says it."""
    body = text[unit.start : unit.end]
    speaker = dialogue_speaker(body) if unit.kind == "turn" else None
    return body if speaker is None else body[body.index(speaker) + len(speaker) + 1 :].lstrip(":： ")


def _fixed(last: Unit, unit: Unit) -> float | None:
    """Evidence that overrules all words: pieces that open, headings."""
    if last.kind == "heading" and not unit.opens:
        return _NEVER
    if unit.opens:
        return _ALWAYS
    if unit.kind == "heading":
        return _HEADING if unit.level <= 2 else _DEEP_HEADING
    return None


def _by_kind(text: str, last: Unit, unit: Unit) -> float:
    end = text[last.end - 1]
    if end in ":：" and unit.kind != "prose":
        return _LEAD_IN
    if end in ";；,，:：":
        return _HALF_SENTENCE
    if last.kind == unit.kind == "code":
        return _CODE if unit.level else _INSIDE_CODE
    if last.kind == unit.kind == "turn":
        return _ANSWER if end in "?？" else _TURN
    if last.kind == unit.kind:
        return {"table": _TABLE, "item": _LIST}.get(unit.kind, 0.0)
    return _OTHER_KIND if "code" in (last.kind, unit.kind) or "table" in (last.kind, unit.kind) else 0.0


def _paragraph_evidence(units: Sequence[Unit]) -> tuple[float, float, float]:
    """What a gap inside a line, at a new line and after a blank line tells, by how much this text uses them.

    Lines say nothing where every sentence has its own; a text in paragraphs seldom changes topic inside one.
    """
    prose = [unit for last, unit in pairwise(units) if unit.kind == "prose" == last.kind]
    if not prose:
        return 0.0, 0.0, _BLANK_LINE
    inside = sum(unit.gap == 0 for unit in prose) / len(prose)
    length = units[-1].end - units[0].start
    breaks = sum(unit.gap > 0 for unit in prose)
    used = min(1.0, 1_500 * breaks / length) if 0.25 <= inside < 1.0 else 0.0
    return _INSIDE_PARAGRAPH * used, _NEW_LINE if inside >= 0.25 else 0.0, _BLANK_LINE


def _best_cuts(units: Sequence[Unit], scores: Floats, sizes: Sizes) -> list[int]:
    """Indices of the units that begin a piece (but the first), so that evidence minus size costs is greatest."""
    gains = [0.0, *scores.tolist()]
    best = [0.0] * (len(units) + 1)
    origin = [0] * (len(units) + 1)
    for stop in range(1, len(units) + 1):
        end = units[stop - 1].end
        top = float("-inf")
        for start in range(stop - 1, -1, -1):
            length = end - units[start].start
            if length > sizes.hard and start < stop - 1:
                break
            value = best[start] + gains[start] - _size_cost(length, sizes)
            if value > top:
                top, origin[stop] = value, start
        best[stop] = top
    cuts: list[int] = []
    at = origin[len(units)]
    while at > 0:
        cuts.append(at)
        at = origin[at]
    return cuts[::-1]


def _size_cost(length: int, sizes: Sizes) -> float:
    if length < sizes.low:
        return _SMALL * (1.0 - length / sizes.low)
    if length > sizes.high:
        return _LARGE * math.pow((length - sizes.high) / (sizes.hard - sizes.high), 1.5)
    return 0.0
