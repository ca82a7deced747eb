"""Values that statements can differ in: figures with units, dates as stretches of days, and names; how two compare."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

from amb_core.text.pure_cache import text_cache
from amb_values import Value, name_key, values
from amb_values.english_data import REGIONS

__all__ = ["Comparison", "Slot", "compare", "find_slots"]

Comparison = Literal["same", "different", "incomparable"]

_ROUNDED = 0.05
"""Relative gap up to which a rounded figure and a more exact one agree."""
_IDENTIFIED_ZH = "号届季期版章条集级路线世型代班中系行"
_LABEL = re.compile(r"(?:[A-Za-z]-?|[\w][./:_,]|#\s?)$|\b([A-Z][\w'’.]*|[Rr]ow|[Cc]hapter|[Vv]ersion|[Pp]age)[\s-]$")
_CODE = re.compile(r"\s?lines?\b|[A-Za-z_]\w*\d|[A-Z]\b(?!-)|[.:/]\d|\s?[-–—:]\s?\d")
_DAY = re.compile(r"(\d{1,4})(?:-(\d\d))?(?:-(\d\d))?")
_OTHER_TIMES = re.compile(r"(?P<decade>\d{1,3})X|--(?P<month>\d\d)(?:-(?P<day>\d\d))?")
_REGIONS = frozenset(map(name_key, REGIONS))
_KINDS_OF_PLACE = "国省州市区县镇乡村路街道站"


@dataclass(frozen=True, slots=True)
class Slot:
    """One value at characters `start:end`.

    `low`..`high` is what it may be (in its `unit`; days for dates), `step` the precision it was given with, `key` the
    folded name. `fixed` marks a figure that names something (version 3, Apollo 11) and measures nothing.
    """

    kind: Literal["number", "date", "name"]
    surface: str
    start: int
    end: int
    unit: str = ""
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    key: str = ""
    fixed: bool = False


def compare(a: Slot, b: Slot) -> Comparison:
    """Whether two values agree, cannot both be meant, or cannot be held against each other."""
    if a.kind != b.kind or a.unit != b.unit or a.fixed or b.fixed:
        return "incomparable"
    if a.kind == "name":
        return _compare_names(a.key, b.key)
    if a.kind == "number":
        return "same" if _rounds_to(a, b) else "different"
    if a.low > b.high or b.low > a.high:
        return "different"
    inside = (a.low <= b.low and b.high <= a.high) or (b.low <= a.low and a.high <= b.high)
    return "same" if inside else "incomparable"


def _rounds_to(a: Slot, b: Slot) -> bool:
    gap, size = abs(a.low - b.low), max(abs(a.low), abs(b.low)) or 1.0
    tiny = 1e-9 * size
    return gap <= tiny or (a.step != b.step and gap <= max(a.step, b.step) / 2 + tiny and gap <= _ROUNDED * size)


def _compare_names(a: str, b: str) -> Comparison:
    """Names that may be one thing, or a place and a wider one, are not held against each other."""
    if a == b:
        return "same"
    if a in b or b in a or not set(a.split()).isdisjoint(b.split()):
        return "incomparable"
    ranks = {"region" if key in _REGIONS else key[-1] if key[-1] in _KINDS_OF_PLACE else "" for key in (a, b)}
    return "different" if len(ranks) == 1 else "incomparable"


@text_cache(most=8_192)
def find_slots(text: str) -> tuple[Slot, ...]:
    """The values of a sentence in order; of a figure and a name that overlap, the figure unless it only counts."""
    found = values(text)
    figures = [slot for value in found if (slot := _figure(text, value, found)) is not None]
    for value in found:
        if value.kind != "name" or not (key := name_key(value.surface)):
            continue
        inside = [slot for slot in figures if slot.start < value.end and value.start < slot.end]
        if all(slot.fixed or slot.unit in ("count", "ordinal") for slot in inside):
            figures = [slot for slot in figures if slot not in inside]
            figures.append(Slot("name", value.surface, value.start, value.end, "name", key=key))
    return tuple(sorted(_apart(figures), key=lambda slot: slot.start))


def _apart(slots: list[Slot]) -> Iterator[Slot]:
    """The slots without those that lie in another of their kind."""
    done = -1
    for slot in sorted(slots, key=lambda slot: (slot.start, -slot.end)):
        if slot.start >= done:
            done = slot.end
            yield slot


def _figure(text: str, value: Value, found: tuple[Value, ...]) -> Slot | None:
    if value.kind == "date":
        interval = _interval(value.key)
        return Slot("date", value.surface, value.start, value.end, *interval) if interval else None
    return _number(text, value, found) if value.kind == "number" else None


# --- dates -----------------------------------------------------------------------------------------------------------


def _day(year: int, month: int, day: int) -> float:
    try:
        return float(date(max(1, min(9999, year)), month, day).toordinal())
    except ValueError:
        return float(date(max(1, min(9999, year)), month, 28).toordinal())


def _interval(key: str) -> tuple[str, float, float] | None:
    """(unit, low, high) of a date key; None for what is no stretch of days."""
    if found := _DAY.fullmatch(key):
        year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
        return "day", _day(year, month or 1, day or 1), _day(year, month or 12, day or 31)
    if not (found := _OTHER_TIMES.fullmatch(key)):
        return None
    if found["decade"]:
        return "day", _day(int(found["decade"]) * 10, 1, 1), _day(int(found["decade"]) * 10 + 9, 12, 31)
    first = int(found["month"]) * 100
    return "day of the year", float(first + int(found["day"] or 1)), float(first + int(found["day"] or 31))


# --- numbers ---------------------------------------------------------------------------------------------------------


def _number(text: str, value: Value, found: tuple[Value, ...]) -> Slot:
    unit = next((one for one in found if one.kind == "unit" and _belongs(one, value)), None)
    try:
        number = float(Fraction(value.key.removesuffix("th")))
    except (ValueError, ZeroDivisionError, OverflowError):
        return Slot("number", value.surface, value.start, value.end, "id", fixed=True)
    if value.key.endswith("th"):
        fixed = "第" in value.surface
        return Slot("number", value.surface, value.start, value.end, "ordinal", number, number, fixed=fixed)
    if unit is None:
        fixed = value.surface[:1].isdigit() and _identifies(text, value)
        step = _precision(value.surface, number)
        return Slot("number", value.surface, value.start, value.end, "count", number, number, step, fixed=fixed)
    start, end = min(value.start, unit.start), max(value.end, unit.end)
    step = _precision(value.surface, number)
    return Slot("number", text[start:end], start, end, unit.key, number, number, step)


def _belongs(unit: Value, number: Value) -> bool:
    """Whether a unit stands in, directly before or directly after a number."""
    inside = number.start <= unit.start and unit.end <= number.end
    return inside or 0 <= unit.start - number.end <= 2 or 0 <= number.start - unit.end <= 2


def _identifies(text: str, value: Value) -> bool:
    """Whether a figure names something (version 3, Apollo 11, HAT083), counts lines or is one of a pair (3:1)."""
    after = text[value.end : value.end + 16].lstrip()
    if after[:1] and after[0] in _IDENTIFIED_ZH:
        return True
    before = _LABEL.search(text, max(0, value.start - 24), value.start)
    if before is not None and before[1] and len(before[1]) == 1:
        return False
    return before is not None or _CODE.match(text, value.end) is not None


def _precision(surface: str, number: float) -> float:
    """The step of a figure as written: its decimals, or from two trailing zeros on its last digit that is not zero."""
    digits = "".join(char for char in surface if char.isdecimal() or char == ".").strip(".")
    if not digits or digits.count(".") > 1 or not float(digits):
        return 1.0
    factor = number / float(digits)
    if "." in digits:
        return float(10.0 ** -len(digits.split(".", 1)[1])) * factor
    if factor > 1:
        return factor
    zeros = len(digits) - len(digits.rstrip("0"))
    return float(10.0 ** (zeros if zeros >= 2 else 0))
