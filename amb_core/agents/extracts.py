"""The sentences, items, rows and turns of a text that tell most within a length, with what they lean on."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

from amb_core.agents.openings import goes_on
from amb_core.agents.text_units import Unit
from amb_core.text import index_tokens
from amb_core.text.language import Language

__all__ = ["best_units", "join_units"]

_NUMBER = re.compile(r"\d[\d.,]*|[一二三四五六七八九十百千万亿]{2,}|[一二三四五六七八九十两][年月日个位人次座条家种]")
_NAME = re.compile(r"(?<!^)\b[A-Z]\w+|[《“「]")
_POINTS_BACK = re.compile(
    r"(?:this|these|those|that|such|however|but|so|thus|therefore|hence)\b|[此这那但故]|因此|所以", re.I
)
"""It leans on the sentence before; a pronoun only needs the last sentence that says whom it stands for."""
_BIAS, _PLACE, _FRESH, _HAS_NUMBER, _HAS_NAME = -3.0, -1.2, 2.0, 0.35, 0.2
"""How likely somebody asks for a sentence: early, with new words, a number or a name; fitted on Chinese questions."""
_THING = 0.04
"""What each number and name is worth beside that."""
_ASKED, _BESIDE = 0.6, 0.1
"""What a word of the goal is worth, by its rarity, and what of it the next sentence has."""
_LEAD_IN = 0.1
_COST_POWER = 0.8
_ROWS = ("item", "table")
_WIDE = "\u2e80"
_STOPS = ".!?。！？…;；:：\"'”’」』)）]】*`|}>"


def best_units(text: str, units: Sequence[Unit], *, most: float, language: Language, goal: str = "") -> set[int]:
    """Which units together tell most within `most` characters, each with all that it leans on."""
    needs = [_closure(at, direct) for direct in [_needs(text, units, language)] for at in range(len(units))]
    worth = _worth(text, units, goal)
    sizes = [unit.end - unit.start for unit in units]

    def rate(at: int) -> float:
        cost = math.pow(sum(sizes[other] for other in needs[at]), _COST_POWER)
        return sum(worth[other] for other in needs[at]) / cost

    chosen: set[int] = set()
    spent = 0
    for at in sorted(range(len(units)), key=lambda at: (-rate(at), at)):
        new = [other for other in needs[at] if other not in chosen]
        length = sum(sizes[other] for other in new)
        if spent + length <= most:
            chosen.update(new)
            spent += length
    return chosen


def _worth(text: str, units: Sequence[Unit], goal: str) -> list[float]:
    start, length = units[0].start, units[-1].end - units[0].start
    terms = [set(index_tokens(text[unit.start : unit.end])) for unit in units]
    wanted = set(index_tokens(goal))
    spread = Counter(word for words in terms for word in words & wanted)
    rare = {word: _ASKED * math.log((len(units) + 1) / count) for word, count in spread.items()}
    asked = [math.fsum(rare[word] for word in words & wanted) for words in terms]
    seen: set[str] = set()
    worth: list[float] = []
    for at, unit in enumerate(units):
        body = text[unit.start : unit.end]
        fresh = len(terms[at] - seen) / len(terms[at]) if terms[at] else 0.0
        seen |= terms[at]
        numbers, names = len(_NUMBER.findall(body)), len(_NAME.findall(body))
        odds = _BIAS + _PLACE * (unit.start - start) / length + _FRESH * fresh
        odds += _HAS_NUMBER * (numbers > 0) + _HAS_NAME * (names > 0)
        told = 1.0 / (1.0 + math.exp(-odds)) + _THING * (numbers + names * fresh)
        told *= _LEAD_IN if body[-1] in ":：" else 1.0
        worth.append(told + asked[at] + (_BESIDE * asked[at - 1] if at else 0.0))
    return worth


def _needs(text: str, units: Sequence[Unit], language: Language) -> list[set[int]]:
    """For each unit its heading, the line or header row above it, and the sentence before one that goes on."""
    found: list[set[int]] = []
    heading = lead_in = header = anchor = -1
    for at, unit in enumerate(units):
        needs = {heading}
        if unit.kind == "heading":
            needs, heading = set(), at if at else -1
            lead_in = header = anchor = -1
        elif unit.kind in _ROWS:
            if at and text[units[at - 1].end - 1] in ":：":
                lead_in = at - 1
            if unit.kind == "table" and (not at or units[at - 1].kind != "table"):
                header = at
            needs |= {lead_in, header}
        else:
            lead_in = header = -1
            if at and anchor >= 0 and goes_on(text[unit.start : unit.end], language=language):
                needs.add(at - 1 if _POINTS_BACK.match(text, unit.start) else anchor)
            else:
                anchor = at
        found.append(needs - {-1, at})
    return found


def _closure(at: int, direct: Sequence[set[int]]) -> frozenset[int]:
    taken, waiting = {at}, [at]
    while waiting:
        new = direct[waiting.pop()] - taken
        taken |= new
        waiting.extend(new)
    return frozenset(taken)


def join_units(text: str, units: Sequence[Unit], chosen: Collection[int]) -> str:
    """The chosen units in text order, verbatim; neighbours as they stood; "…" where one is cut off inside a line."""
    parts: list[str] = []
    last: int | None = None
    for at in sorted(chosen):
        unit = units[at]
        if last == at - 1:
            parts.append(text[units[at - 1].end : unit.start])
        elif last is not None:
            parts.append(_between(text, units[last], unit))
        parts.append(text[unit.start : unit.end])
        last = at
    if last is not None and last + 1 < len(units) and not _is_whole(text, units[last]):
        parts.append("…")
    return "".join(parts)


def _between(text: str, last: Unit, unit: Unit) -> str:
    mark = "" if _is_whole(text, last) else "…"
    if unit.gap or unit.kind != "prose":
        return f"{mark}\n"
    return mark or ("" if text[last.end - 1] >= _WIDE else " ")


def _is_whole(text: str, unit: Unit) -> bool:
    """Whether a unit ends where a sentence or a line does."""
    return text[unit.end - 1] in _STOPS or text[unit.end : unit.end + 1] in ("\n", "\r", "")
