"""Values a statement can turn on, in a form that can be compared: quantities with units, moments, names."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from amb_core.agents.attribute_words import APPROXIMATE, AT_LEAST, AT_MOST, DIMENSIONS, LABELS, MEASURED_QUALITIES
from amb_core.text import Value, name_key
from amb_core.text.places import REGIONS

__all__ = ["Comparison", "Slot", "compare", "slots"]

Comparison = Literal["same", "different", "incomparable"]
SlotKind = Literal["number", "date", "name"]

_REGIONS = frozenset(map(name_key, REGIONS))
_FACTORS = {
    unit: (dimension, float(factor)) for dimension, units in DIMENSIONS.items() for unit, factor in units.items()
}
_LAST_DAY = float(date.max.toordinal())
_CONTEXT = 28
_QUALITY = re.compile(
    rf"(?:[\s-]*\([^()]{{1,24}}\))?[\s-]*(?P<word>{'|'.join(sorted(MEASURED_QUALITIES, key=len, reverse=True))})\b"
)
_BEFORE = re.compile(
    r"(?:\b(?:before|prior to|by|until|till|up to)|不晚于|截至)\s?(?:the )?(?:early |late |mid-?)?$", re.I
)
_AFTER = re.compile(r"(?:\b(?:after|later than|post-?))\s?(?:the )?$", re.I)
_BEFORE_ZH = re.compile(r"(?:以前|之前|前)")
_AFTER_ZH = re.compile(r"(?:以后|之后|后)")
_IDENTIFIED_ZH = re.compile(r"\s?(?:号|届|季|期|版|章|条|集|级|路|线|世|型|代|班|中|系)")
_NAMED_BEFORE = re.compile(r"\b([A-Z][\w'’.]*)[\s-]$")
_SYMBOLIC = re.compile(r"[A-Za-z_]\w*\d|[A-Z]\b(?!-)|[.:/]\d")
_SCORE = re.compile(r"\s?[-–—:]\s?\d{1,3}\b")
_SCORE_LEFT = re.compile(r"\d\s?[-–—:]\s?$")
_RANGE = re.compile(r"\s?(?:[-–—~～至到]|to|and)\s?(?:US)?[$€£¥]?")
_JOINT = re.compile(r"(?:,? (?:and|&|or) |, ?|/|、|和|与|及|以及)(?:the |by )?")
_AND = re.compile(r" (?:and|&) ")


@dataclass(frozen=True, slots=True)
class Slot:
    """One value at characters `start:end`.

    `low`..`high` is what it may be (base unit of `unit`; days for dates), `step` the precision it was given with,
    `keys` the folded names of a name slot (several for a list), `concept` an attribute the words around it name.
    `ends` are the two ends of a range.
    `fixed` marks figures that identify rather than measure (version 3, Apollo 11): they belong to the frame.
    """

    kind: SlotKind
    surface: str
    start: int
    end: int
    unit: str = ""
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    keys: frozenset[str] = frozenset()
    loose: bool = False
    fixed: bool = False
    scale: float = 1.0
    concept: str = ""
    ends: tuple["Slot", ...] = ()


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
    left = _left(text, slot.start)
    right = text[slot.end : slot.end + 4]
    if slot.unit != "day":
        return slot
    if _BEFORE.search(left) or _BEFORE_ZH.match(right):
        # "by 1990" also holds of anything earlier
        return replace(slot, low=0.0)
    if _AFTER.search(left) or _AFTER_ZH.match(right):
        return replace(slot, high=_LAST_DAY)
    if APPROXIMATE.search(left):
        return replace(slot, loose=True, low=slot.low - 1900, high=slot.high + 1900)
    return slot


def _left(text: str, start: int) -> str:
    """What stands before a value on its line."""
    return text[max(0, start - _CONTEXT) : start].rpartition("\n")[2]


# --- numbers ---------------------------------------------------------------------------------------------------------


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
    if (
        math.isfinite(number)
        and unit is None
        and len(value.surface) <= 3
        and (_SCORE.match(right) or _SCORE_LEFT.search(left))
    ):
        return replace(plain, unit="score", low=number, high=number)
    if not math.isfinite(number) or _identifies(value, unit, left, right):
        return replace(plain, unit="id", low=number, high=number, fixed=True)
    start, end = value.start, value.end
    dimension, scale = "count", 1.0
    if unit is not None:
        dimension, scale = _FACTORS.get(unit.key, (unit.key, 1.0))
        start, end = min(start, unit.start), max(end, unit.end)
    concept = ""
    if dimension in ("length", "time") and (quality := _QUALITY.match(text, end)):
        concept = MEASURED_QUALITIES[quality["word"]]
        end = quality.end() if quality.start("word") - end <= 2 else end
    base = number * scale
    step = _precision(value.surface, number) * scale
    slot = Slot("number", text[start:end], start, end, dimension, base, base, step, scale=scale, concept=concept)
    return _bounded(slot, text)


def _precision(surface: str, number: float) -> float:
    """The step of a figure as written: its decimals, or from two trailing zeros on its last digit that is not zero."""
    digits = re.sub(r"[^\d.]", "", surface)
    if not digits:
        return 1.0
    written = float(digits) if digits.count(".") <= 1 else 0.0
    factor = number / written if written else 1.0
    if "." in digits:
        return float(10.0 ** -len(digits.split(".", 1)[1])) * factor
    if factor > 1:
        return factor
    zeros = len(digits) - len(digits.rstrip("0"))
    return float(10.0 ** (zeros if zeros >= 2 else 0))


def _identifies(value: Value, unit: Value | None, left: str, right: str) -> bool:
    """Whether a figure names something (version 3, Apollo 11, a score of 3–0) rather than measures it."""
    if unit is not None or not value.surface[:1].isdigit():
        return False
    if LABELS.search(left) or _SYMBOLIC.match(right) or re.search(r"[\w][./:_,]$|[A-Za-z]-?$|#\s?$", left):
        return True
    if _IDENTIFIED_ZH.match(right):
        return True
    named = _NAMED_BEFORE.search(left)
    return named is not None and not _is_function_word(named[1])


@lru_cache(maxsize=4_096)
def _is_function_word(word: str) -> bool:
    return word.lower() in _OPENERS


_OPENERS = frozenset(
    "a about after all an and approximately are around as at between both but by contains during each exactly for from had has "
    "have he her his if in includes is it its just last measures more nearly next of on only or our over per roughly she some "
    "than that the their there these they this those to total under until up was we weighs were when where which while with "
    "within you your almost another first second third every costs population at".split()
)


def _bounded(slot: Slot, text: str) -> Slot:
    left = _left(text, slot.start)
    right = text[slot.end : slot.end + 10]
    inside = text[slot.start : slot.end]
    if AT_MOST.search(left) or re.match(r"\s?(?:or less|or fewer|以下|以内)", right):
        return replace(slot, low=-math.inf)
    if (
        AT_LEAST.search(left)
        or re.match(r"\s?(?:\+|or more|and more|plus\b|[多余]|以上)", right)
        or re.search(r"[多余]", inside)
    ):
        return replace(slot, high=math.inf)
    if APPROXIMATE.search(left) or re.match(r"\s?(?:左右|上下|or so)", right):
        return replace(slot, loose=True)
    return slot


# --- all slots of a text ---------------------------------------------------------------------------------------------


def _name(value: Value, text: str) -> Slot | None:
    # "Paris in 1990" is a name and a year
    surface = re.sub(r" (?:in|on|at|by|from|to|and|for|a|until|since) \d.*$", "", value.surface)
    surface = re.sub(r"['’]s?$", "", surface)
    key = name_key(surface)
    if not re.search(r"[^\W\d_]", surface) or not key:
        return None
    end = value.start + len(surface)
    part = bool(re.search(r"\w_$", text[max(0, value.start - 2) : value.start])) or text[end : end + 1] == "_"
    keys = frozenset(filter(None, map(name_key, _AND.split(surface))))
    return Slot("name", surface, value.start, end, "name", keys=keys | {key}, fixed=part)


def _trimmed(slot: Slot, start: int, text: str) -> Slot:
    """The part of a name after the date it begins with ("1936 Winter Olympics")."""
    surface = text[start : slot.end]
    start += len(surface) - len(surface.lstrip())
    key = name_key(surface)
    return replace(slot, surface=surface.strip(), start=start, keys=frozenset([key]) if key else slot.keys)


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


def slots(text: str, found: Sequence[Value]) -> tuple[Slot, ...]:
    """The slots of `text` in order, made from its values (`amb_core.text.values`) or a part of them."""
    units = _units(found)
    made: list[Slot] = []
    for index, value in enumerate(found):
        slot: Slot | None = None
        if value.kind == "date":
            slot = _date(value, text)
        elif value.kind == "number":
            slot = _number(value, units.get(index), text)
        elif value.kind == "name":
            slot = _name(value, text)
        if slot is None:
            continue
        last = made[-1] if made else None
        if last is not None and slot.start < last.end:
            if slot.kind == last.kind == "date" and slot.start == last.start:
                # both ends of one range
                made[-1] = replace(last, high=max(last.high, slot.high), ends=(last, slot))
            elif slot.kind != "name" and last.kind == "name" and slot.end <= last.end:
                continue
            elif slot.kind == "name" and slot.end > last.end and last.kind != "date":
                made[-1] = slot
            elif slot.kind == "name" and slot.end > last.end + 1:
                made.append(_trimmed(slot, last.end, text))
            continue
        made.append(slot)
    return tuple(_joined(made, text))


def _joined(found: Sequence[Slot], text: str) -> list[Slot]:
    """Ranges become one slot, and so do lists of names."""
    result: list[Slot] = []
    for slot in found:
        last = result[-1] if result else None
        if last is not None and last.kind == slot.kind and not last.fixed and not slot.fixed:
            joined = _join(last, slot, text)
            if joined is not None:
                result[-1] = joined
                continue
        result.append(slot)
    return result


def _join(last: Slot, slot: Slot, text: str) -> Slot | None:
    between = text[last.end : slot.start]
    surface = text[last.start : slot.end]
    if slot.kind == "name":
        if not _JOINT.fullmatch(between):
            return None
        return replace(last, surface=surface, end=slot.end, keys=last.keys | slot.keys)
    if not between or not _RANGE.fullmatch(between) or last.unit not in (slot.unit, "count") or last.low > slot.low:
        return None
    if between.strip() in ("and", "to") and not re.search(
        r"\b(?:between|from)\s+(?:the )?[$€£¥]?$", text[max(0, last.start - 14) : last.start]
    ):
        return None
    low = last.low * (slot.scale if last.unit != slot.unit else 1.0)
    return replace(slot, surface=surface, start=last.start, low=low, ends=(last, slot))


# --- comparing -------------------------------------------------------------------------------------------------------


def compare(a: Slot, b: Slot) -> Comparison:
    """Whether two values agree, cannot both be meant, or cannot be held against each other."""
    if a.kind != b.kind or a.unit != b.unit or a.fixed or b.fixed:
        return "incomparable"
    if a.kind == "name":
        return _compare_names(a.keys, b.keys)
    if (a.low, a.high) == (b.low, b.high):
        return "same"
    if a.kind == "date" and a.ends and b.ends:
        ends = {compare(x, y) for x, y in zip(a.ends, b.ends, strict=True)}
        return "different" if "different" in ends else "same" if ends == {"same"} else "incomparable"
    if a.low <= b.high and b.low <= a.high:
        # one inside the other, or two that overlap
        return "same" if _contains(a, b) or _contains(b, a) else "incomparable"
    if a.kind == "date":
        return "different"
    return "same" if _rounds_to(a, b) else "different"


def _contains(a: Slot, b: Slot) -> bool:
    return a.low <= b.low and b.high <= a.high


def _compare_names(a: frozenset[str], b: frozenset[str]) -> Comparison:
    if a & b:
        return "same"
    for left in a:
        for right in b:
            words_left, words_right = set(left.split()), set(right.split())
            if words_left & words_right or left in right or right in left:
                return "incomparable"
            if _initials(left) == right or _initials(right) == left or _rank(left) != _rank(right):
                return "incomparable"
    return "different"


@lru_cache(maxsize=4_096)
def _rank(key: str) -> str:
    """The kind of place a name gives itself out for: a city in a region contradicts no region."""
    if key in _REGIONS:
        return "region"
    return key[-1] if key[-1] in "国省州市区县镇乡村路街道站" and len(key) > 1 else ""


def _initials(key: str) -> str:
    return "".join(word[0] for word in key.split())


def _rounds_to(a: Slot, b: Slot) -> bool:
    gap = a.low - b.high if a.low > b.high else b.low - a.high
    size = max(abs(value) for value in (a.low, a.high, b.low, b.high) if math.isfinite(value)) or 1.0
    if a.loose or b.loose:
        return gap <= 0.1 * size
    if a.scale != b.scale:
        # feet and metres are both rounded
        return gap <= 0.03 * size
    if a.step == b.step:
        return gap <= 1e-9 * size
    coarse = max(a.step, b.step)
    return gap <= coarse / 2 + 1e-9 * size and gap <= 0.05 * size
