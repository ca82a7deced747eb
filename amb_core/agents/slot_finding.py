"""From the values of a text to slots that can be compared: units, hedges, bounds, ranges, lists, identifiers."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from amb_core.agents.measure_words import (
    APPROXIMATE,
    APPROXIMATE_AFTER,
    AT_LEAST,
    AT_LEAST_AFTER,
    AT_MOST,
    AT_MOST_AFTER,
    DIMENSIONS,
    LABELS,
    QUALITIES,
)
from amb_core.agents.name_slots import join_names, name_slot, without_date
from amb_core.agents.quantities import Slot
from amb_core.text import Value, name_key

__all__ = ["find_slots"]

_FACTORS = {
    unit: (dimension, float(factor)) for dimension, units in DIMENSIONS.items() for unit, factor in units.items()
}
_LAST_DAY = float(date.max.toordinal())
_CONTEXT = 36
_LONGEST_SCORE = 3
_QUALITY = re.compile(
    rf"(?:[\s-]*\([^()]{{1,24}}\))?[\s-]*(?P<word>{'|'.join(sorted(QUALITIES, key=len, reverse=True))})\b"
)
_BEFORE = re.compile(
    r"(?:\b(?:before|prior to|by|until|till|up to)|不晚于|截至)\s?(?:the )?(?:early |late |mid-?)?$", re.IGNORECASE
)
_AFTER = re.compile(r"\b(?:after|later than|post-?)\s?(?:the )?$", re.IGNORECASE)
_BEFORE_ZH = re.compile(r"(?:以前|之前|前)")
_AFTER_ZH = re.compile(r"(?:以后|之后|后)")
_IDENTIFIED_ZH = re.compile(r"\s?(?:号|届|季|期|版|章|条|集|级|路|线|世|型|代|班|中|系)")
_SYMBOLIC = re.compile(r"[A-Za-z_]\w*\d|[A-Z]\b(?!-)|[.:/]\d")
_SYMBOLIC_BEFORE = re.compile(r"[\w][./:_,]$|[A-Za-z]-?$|#\s?$")
_NAMED_BEFORE = re.compile(r"\b([A-Z][\w'’.]*)[\s-]$")
_RANKED_BEFORE = re.compile(
    r"\b(?:reach|peak|rank|debut|chart|rated|plac|climb|ent(?:er|r))\w*(?: [a-z]+){0,3} (?:number |no\. ?|#)$",
    re.IGNORECASE,
)
_SCORE = re.compile(r"\s?[-–—:]\s?\d{1,3}\b")
_SCORE_BEFORE = re.compile(r"\d\s?[-–—:]\s?$")
_RANGE = re.compile(r"\s?(?:[-–—~～至到]|to|and)\s?(?:US)?[$€£¥]?")
_RANGE_BEFORE = re.compile(r"\b(?:between|from)\s+(?:the )?[$€£¥]?$")
_CODE_NAME = re.compile(
    r"(?<![\w./-])(?:[a-z]{2,}(?:-[a-z]{2,12}){1,3}-\d{1,2}[a-z]?|[a-z]\w*_\w+"
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+){0,3}-(?:api|service|svc|db|server|client|lite|worker|gateway|cli|sdk|proxy|queue|cache))"
    r"(?![\w/-]|\.\w)"
)
_OPENERS = frozenset(
    "a about after all almost an and another approximately are around as at between both but by contains costs "
    "during each every exactly first for from had has have he her his if in includes is it its just last measures "
    "more nearly next of on only or our over per population roughly second she some than that the their there "
    "these they third this those to total under until up was we weighs were when where which while with within "
    "you your".split()
)


def find_slots(text: str, found: Sequence[Value]) -> tuple[Slot, ...]:
    """The slots of `text` in order; `found` are its values (`amb_core.text.values`) or some of them."""
    return _with_code_names(_slots_of(text, found), text)


def _with_code_names(slots: tuple[Slot, ...], text: str) -> tuple[Slot, ...]:
    """The slots with names as machines write them ("eu-west-1", "billing-api"), not their parts."""
    if "-" not in text and "_" not in text:
        return slots
    names = [
        Slot("name", match.group(), match.start(), match.end(), "name", keys=frozenset([_code_key(match.group())]))
        for match in _CODE_NAME.finditer(text)
    ]
    if not names:
        return slots
    kept = [s for s in slots if not any(s.start < name.end and name.start < s.end for name in names)]
    return tuple(sorted([*kept, *names], key=lambda slot: slot.start))


def _code_key(name: str) -> str:
    """Numbered names stay one word: "eu-west-1" is no part of the name "eu"."""
    return name if name[-1].isdigit() or name[-2].isdigit() else name_key(name)


def _slots_of(text: str, found: Sequence[Value]) -> tuple[Slot, ...]:
    units = _units(found)
    made: list[Slot] = []
    for index, value in enumerate(found):
        slot: Slot | None = None
        if value.kind == "date":
            slot = _date(value, text)
        elif value.kind == "number":
            slot = _number(value, units.get(index), text)
        elif value.kind == "name":
            slot = name_slot(value, text)
        if slot is not None:
            _add(made, slot, text)
    return tuple(_joined(made, text))


def _add(made: list[Slot], slot: Slot, text: str) -> None:
    """Append a slot; of two that overlap one stays."""
    last = made[-1] if made else None
    if last is None or slot.start >= last.end:
        made.append(slot)
    elif slot.kind == last.kind == "date" and slot.start == last.start:
        # both ends of one range
        made[-1] = replace(last, high=max(last.high, slot.high), ends=(last, slot))
    elif slot.kind == "number" and last.kind == "name" and slot.unit not in ("id", "count", "ordinal"):
        # a measure is no part of a name
        made[-1] = slot
    elif slot.kind == "name" and slot.end > last.end + 1:
        if last.kind == "date":
            made.append(without_date(slot, last.end, text))
        else:
            made[-1] = slot


def _left(text: str, start: int) -> str:
    """What stands before a value on its line."""
    return text[max(0, start - _CONTEXT) : start].rpartition("\n")[2]


# --- dates -----------------------------------------------------------------------------------------------------------


def _day(year: int, month: int, day: int) -> float:
    year = max(1, min(9999, year))
    try:
        return float(date(year, month, day).toordinal())
    except ValueError:
        return float(date(year, month, 28).toordinal())


def _interval(key: str) -> tuple[str, float, float] | None:
    """(unit, low, high) of a date key, None for what is no moment that can be compared."""
    if found := re.fullmatch(r"(\d{1,4})(?:-(\d\d))?(?:-(\d\d))?", key):
        year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
        return "day", _day(year, month or 1, day or 1), _day(year, month or 12, day or 31)
    if found := re.fullmatch(r"(\d{1,3})X", key):
        return "day", _day(int(found[1]) * 10, 1, 1), _day(int(found[1]) * 10 + 9, 12, 31)
    if found := re.fullmatch(r"C(\d{1,2})", key):
        return "day", _day(int(found[1]) * 100 - 99, 1, 1), _day(int(found[1]) * 100, 12, 31)
    if found := re.fullmatch(r"(\d{4})-Q(\d)", key):
        last = int(found[2]) * 3
        return "day", _day(int(found[1]), last - 2, 1), _day(int(found[1]), last, 31)
    if found := re.fullmatch(r"--(\d\d)(?:-(\d\d))?", key):
        base = int(found[1]) * 100
        return "day of the year", float(base + int(found[2] or 1)), float(base + int(found[2] or 31))
    if found := re.fullmatch(r"T(\d\d):(\d\d)", key):
        minute = float(int(found[1]) * 60 + int(found[2]))
        return "time of day", minute, minute
    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    return ("weekday", float(days.index(key)), float(days.index(key))) if key in days else None


def _date(value: Value, text: str) -> Slot | None:
    interval = _interval(value.key)
    if interval is None:
        return None
    slot = Slot("date", value.surface, value.start, value.end, *interval)
    left, right = _left(text, slot.start), text[slot.end : slot.end + 4]
    if slot.unit != "day":
        return slot
    if _BEFORE.search(left) or _BEFORE_ZH.match(right):
        # "by 1990" also holds of anything earlier
        return replace(slot, low=-math.inf)
    if _AFTER.search(left) or _AFTER_ZH.match(right):
        return replace(slot, high=math.inf)
    if APPROXIMATE.search(left):
        return replace(slot, loose=True, low=slot.low - 1900, high=slot.high + 1900)
    return slot


# --- numbers ---------------------------------------------------------------------------------------------------------


def _units(found: Sequence[Value]) -> dict[int, Value]:
    """Unit by the index of its number: overlapping it or next to it."""
    numbers = [(index, value) for index, value in enumerate(found) if value.kind == "number"]
    owned: dict[int, Value] = {}
    for unit in (value for value in found if value.kind == "unit"):
        near = [(min(abs(unit.start - n.end), abs(n.start - unit.end)), i) for i, n in numbers if i not in owned]
        inside = [i for i, n in numbers if n.start <= unit.start and unit.end <= n.end]
        if inside:
            owned[inside[0]] = unit
        elif near and min(near)[0] <= 2:
            owned[min(near)[1]] = unit
    return owned


def _number(value: Value, unit: Value | None, text: str) -> Slot | None:
    left, right = _left(text, value.start), text[value.end : value.end + 16]
    plain = Slot("number", value.surface, value.start, value.end, "ordinal")
    if value.key.endswith("th"):
        number = float(value.key[:-2])
        return replace(plain, low=number, high=number, fixed="第" in value.surface)
    try:
        number = float(Fraction(value.key))
    except (ValueError, ZeroDivisionError, OverflowError):
        return replace(plain, unit="id", fixed=True)
    if unit is None and _IDENTIFIED_ZH.match(right):
        return replace(plain, unit="id", low=number, high=number, fixed=True)
    if unit is None and value.surface[:1].isdigit():
        if len(value.surface) <= _LONGEST_SCORE and (_SCORE.match(right) or _SCORE_BEFORE.search(left)):
            return replace(plain, unit="score", low=number, high=number)
        if _RANKED_BEFORE.search(left):
            return replace(plain, unit="rank", low=number, high=number)
        if _identifies(left, right):
            return replace(plain, unit="id", low=number, high=number, fixed=True)
    return _measured(value, number, unit, text)


def _identifies(left: str, right: str) -> bool:
    """Whether a figure names something (version 3, Apollo 11) rather than measures it."""
    if LABELS.search(left) or _SYMBOLIC.match(right) or _SYMBOLIC_BEFORE.search(left):
        return True
    named = _NAMED_BEFORE.search(left)
    return named is not None and named[1].lower() not in _OPENERS


def _measured(value: Value, number: float, unit: Value | None, text: str) -> Slot:
    start, end = value.start, value.end
    dimension, scale, concept, tail = "count", 1.0, "", 0
    if unit is not None:
        dimension, scale = _FACTORS.get(unit.key, (unit.key, 1.0))
        start, end = min(start, unit.start), max(end, unit.end)
    if dimension in ("length", "time") and (quality := _QUALITY.match(text, end)):
        concept = QUALITIES[quality["word"]]
        tail = quality.end() if quality.start("word") - end <= 2 else 0
    base, step = number * scale, _precision(value.surface, number) * scale
    slot = Slot("number", text[start:end], start, end, dimension, base, base, step, scale=scale)
    return _bounded(replace(slot, concept=concept, tail=tail), text)


def _precision(surface: str, number: float) -> float:
    """The step of a figure as written: its decimals, or from two trailing zeros on its last digit that is not zero."""
    digits = re.sub(r"[^\d.]", "", surface)
    if not digits or digits.count(".") > 1:
        return 1.0
    factor = number / float(digits) if float(digits) else 1.0
    if "." in digits:
        return float(10.0 ** -len(digits.split(".", 1)[1])) * factor
    if factor > 1:
        return factor
    zeros = len(digits) - len(digits.rstrip("0"))
    return float(10.0 ** (zeros if zeros >= 2 else 0))


def _bounded(slot: Slot, text: str) -> Slot:
    left, right = _left(text, slot.start), text[slot.end : slot.end + 10]
    if AT_MOST.search(left) or AT_MOST_AFTER.match(right):
        return replace(slot, low=-math.inf)
    if AT_LEAST.search(left) or AT_LEAST_AFTER.match(right) or re.search(r"[多余]", slot.surface):
        return replace(slot, high=math.inf)
    if APPROXIMATE.search(left) or APPROXIMATE_AFTER.match(right):
        return replace(slot, loose=True)
    return slot


# --- ranges and lists ------------------------------------------------------------------------------------------------


def _joined(found: Sequence[Slot], text: str) -> list[Slot]:
    """Ranges become one slot, and so do lists of names."""
    result: list[Slot] = []
    for slot in found:
        last = result[-1] if result else None
        if last is not None and last.kind == slot.kind and not last.fixed and not slot.fixed:
            joined = join_names(last, slot, text) if slot.kind == "name" else _range(last, slot, text)
            if joined is not None:
                result[-1] = joined
                continue
        result.append(slot)
    return result


def _range(last: Slot, slot: Slot, text: str) -> Slot | None:
    between = text[last.end : slot.start]
    if slot.unit == "score" or last.unit not in (slot.unit, "count") or last.low > slot.low:
        return None
    if not between or not _RANGE.fullmatch(between):
        return None
    measured = between.strip() == "to" and slot.unit not in ("count", "day")
    if between.strip() in ("and", "to") and not measured and not _RANGE_BEFORE.search(_left(text, last.start)):
        return None
    low = last.low * (slot.scale if last.unit != slot.unit else 1.0)
    surface = text[last.start : slot.end]
    return replace(slot, surface=surface, start=last.start, low=low, ends=(last, slot))
