"""Everything in a text that is compared to the letter: numbers with their units, dates, paths, identifiers, SQL."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from amb_core.longterm.sameness.sql_text import sql_statements
from amb_core.longterm.sameness.word_meanings import lexicon
from amb_core.text.chinese_numerals import han_number
from amb_core.text.dates import moments
from amb_core.text.numerals import numerals
from amb_core.text.units import unit_after, unit_before

__all__ = ["Figure", "figures"]


class Figure(NamedTuple):
    """Characters `start:end` with the key equal figures share; of one `kind` only one holds."""

    start: int
    end: int
    key: str
    kind: str


# A path or an address may start at every word of a run: each is followed so far only.
_CODE = re.compile(
    r"https?://[^\s，。；、）)]*[\w/]"
    r"|(?<![\w/])(?:[A-Za-z]:\\|~?\.{0,2}/)[\w./\\~%@+-]*[\w/]"
    r"|\b[A-Za-z][\w-]{0,99}(?:/[\w.-]{1,99}){0,20}/(?![\w])(?=[\s，。；、.)]|$)"
    r"|\b[A-Za-z][\w-]{0,99}(?:/[\w-]{1,99}){1,20}\.\w+"
    r"|\b[A-Za-z]\w*(?:[._][A-Za-z0-9]\w*)+|\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|\b[a-z]+-\d+\b|\b[A-Za-z]+\d[\w-]*",
    re.ASCII,
)
_PLAIN_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?|[eE]\.g|[iI]\.e|a\.m|p\.m")
_NTH = "first|second|third|fourth|1st|2nd|3rd|4th"
_PART_OF_YEAR = re.compile(
    rf"\b(?P<letter>[QHqh])(?P<digit>[1-4])(?!\d)|\b(?P<nth>{_NTH})[ -](?P<part>quarter|half(?= of\b| year\b))"
    r"|第?(?P<han>[一二三四1-4])个?季度?(?!节)(?=[度的收营利销成增同环比，。、]|$)|(?P<half>[上下])半年",
    re.IGNORECASE,
)
_PATTERN = re.compile(r"\b(?:[YyMDdHhms]{1,4}[-/.:年月]){1,5}[YyMDdHhms]{1,4}(?:日|\b)", re.ASCII)
_HAN_MONTH = re.compile(
    r"(?<![\d个年一二三四五六七八九十])(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?(?!\d|[一二三十]*[日号])"
)
_A_UNIT = re.compile(
    r"\b(?:(?P<before>within|after|in|for|than|last|past|least|every|up to) )?an? "
    r"(?P<unit>second|minute|hour|day|week|month|year)\b"
    r"(?P<behind> (?:before|after|later|ago|in advance|ahead|earlier|prior))?"
)
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_HOUR = re.compile(
    rf"\b(?P<hour>1[0-2]|[1-9]|{'|'.join(_HOURS)})(?: o'clock)?,? "
    r"(?:(?:in the |every |each )(?P<part>morning|afternoon|evening)s?|at night)\b",
    re.IGNORECASE,
)
"""A clock time said with the part of the day: "six in the evening"."""
_NAME_PART = re.compile(r"first[ -](?:names?|class|party)\b", re.IGNORECASE)
_HAN_SPAN = re.compile(
    r"(?<![一二三四五六七八九十百第每])([一二两三四五六七八九十]{1,3})(?:个?(小时|星期)|(周))(?![一二三四五六日末年岁])"
)
_EST = re.compile(r"(?:[a-z]est|recent)[ -]$")
_ZHE = re.compile(r"打?([\d.]{1,3}|[一二三四五六七八九]{1,2})折")
_HAN_DIGIT = {char: str(value) for value, char in enumerate("零一二三四五六七八九")}
_SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600, "day": 86400, "week": 604800}
_DURATIONS = frozenset(("s", "month", "year", "decade", "century"))
_MEASURE = re.compile(r"[次名位个家条台件份张座辆只项款](?![^\W\d_]?[件位])")
_RANGE = re.compile(r"\s?(?:to|and|or|-|–|~|至|到)\s?\d[\d.,]*(?<![.,])")
_ONE = re.compile(r"一(?=[位次家名个条种倍封份张件台只间辆项款]|小时|天|周|年|行)")


def figures(text: str) -> list[Figure]:
    """Everything that is compared to the letter, in text order, without overlaps."""
    found = [Figure(start, end, f"code:{folded}", "code") for start, end, folded in sql_statements(text)]
    found += [Figure(*match.span(), f"code:{match.group()}", "code") for match in _PATTERN.finditer(text)]
    inside = bytearray(len(text))
    for figure in found:
        inside[figure.start : figure.end] = b"\1" * (figure.end - figure.start)
    found += [
        Figure(*match.span(), f"code:{match.group().rstrip('.')}", "code")
        for match in _CODE.finditer(text)
        if not inside[match.start()]
        and not _PLAIN_DOTTED.fullmatch(match.group())
        and not _PART_OF_YEAR.fullmatch(match.group())
    ]
    known = lexicon().words
    found = [figure for figure in found if text[figure.start : figure.end].lower() not in known]
    found += [Figure(*m.span(), _part_key(m), "part of year") for m in _PART_OF_YEAR.finditer(text)]
    found += [Figure(*m.span(), f"date:--{_han_month(m[1]):02d}", "month") for m in _HAN_MONTH.finditer(text)]
    found += [_a_unit(match) for match in _A_UNIT.finditer(text) if match["before"] or match["behind"]]
    found += [_han_span(match) for match in _HAN_SPAN.finditer(text)]
    found += [_hour(match) for match in _HOUR.finditer(text) if text[match.start() - 1] not in ":."]
    found += [Figure(*m.span(), f"number:{_discount(m[1])}|折", "number of 折") for m in _ZHE.finditer(text)]
    taken = bytearray(len(text))
    for figure in found:
        taken[figure.start : figure.end] = b"\1" * (figure.end - figure.start)
    found += _dates(text, taken)
    for numeral in numerals(text):
        if not any(taken[numeral.start : numeral.end]) and not _is_worded(text, numeral.start):
            found.append(_number(text, numeral.key, numeral.start, numeral.end, numeral.unit))
            taken[found[-1].start : found[-1].end] = b"\1" * (found[-1].end - found[-1].start)
    if "一" in text:
        found += [Figure(*m.span(), "number:1|", "number") for m in _ONE.finditer(text) if not taken[m.start()]]
    found.sort()
    return found


def _part_key(match: re.Match[str]) -> str:
    """The key of a quarter or half of a year."""
    if match["letter"]:
        return f"{match['letter'].lower()}:{match['digit']}"
    if match["nth"]:
        number = list[str](_NTH.split("|")).index(match["nth"].lower()) % 4 + 1
        return f"{'q' if match['part'].lower() == 'quarter' else 'h'}:{number}"
    if match["half"]:
        return f"h:{1 if match['half'] == '上' else 2}"
    return f"q:{_HAN_DIGIT.get(match['han'], match['han'])}"


def _han_month(said: str) -> int:
    return int(said) if said.isdecimal() else int(han_number(said))


def _a_unit(match: re.Match[str]) -> Figure:
    """A duration said without its number: "within a day"."""
    unit = {"second": "s", "minute": "min", "hour": "h"}.get(match["unit"], match["unit"])
    key, unit = (f"{_SECONDS[unit]:g}", "s") if unit in _SECONDS else ("1", unit)
    start = match.start("unit") - (2 if match.group()[: -len(match["behind"] or "") or None].count(" an ") == 0 else 3)
    return Figure(start, match.end("unit"), f"number:{key}|{unit}", "duration")


def _han_span(match: re.Match[str]) -> Figure:
    """Hours and weeks counted in Chinese: 四周."""
    seconds = _SECONDS["h" if match[2] == "小时" else "week"] * int(han_number(match[1].replace("两", "二")))
    return Figure(*match.span(), f"number:{seconds:g}|s", "duration")


def _is_worded(text: str, start: int) -> bool:
    """Whether "first" is part of a phrase: "first name", "newest first"."""
    if text[start] not in "fF":
        return False
    return bool(_NAME_PART.match(text, start) or _EST.search(text[max(0, start - 12) : start]))


def _hour(match: re.Match[str]) -> Figure:
    said = match["hour"].lower()
    hour = int(said) if said.isdecimal() else list[str](_HOURS).index(said) + 1
    late = hour > 5 if match["part"] is None else match["part"].lower() != "morning"
    return Figure(*match.span(), f"date:T{hour % 12 + 12 * late:02d}:00", "clock")


def _discount(said: str) -> str:
    """Tenths of the price: 八折 and 8折 are one, 八五折 is 8.5折."""
    digits = "".join(_HAN_DIGIT.get(char, char) for char in said)
    return f"{digits[0]}.{digits[1]}" if len(digits) == 2 and digits.isdecimal() else digits


def _dates(text: str, taken: bytearray) -> Iterator[Figure]:
    """Dates and times outside what is taken; two of one place ("1930-1997") are one."""
    kept: dict[tuple[int, int], list[str]] = {}
    for moment in moments(text):
        if not _counts_weeks(text, moment.end):
            kept.setdefault((moment.start, moment.end), []).append(moment.key)
    for (start, end), keys in kept.items():
        if len(keys) == 1 and "-Q" in keys[0]:
            for year in re.finditer(r"\d{4}", text[start:end]):
                yield Figure(start + year.start(), start + year.end(), f"date:{year.group()}", "date")
        elif not any(taken[start:end]):
            yield Figure(start, end, "date:" + "/".join(keys), _kind_of_moment(keys[0]))
        else:
            continue
        taken[start:end] = b"\1" * (end - start)


def _counts_weeks(text: str, end: int) -> bool:
    """Whether 每周三 goes on as 每周三次: a count, no weekday."""
    return text[end : end + 1] in ("次", "天") and text[end - 1 : end] in "一二三四五六"


def _kind_of_moment(key: str) -> str:
    if key.startswith("--") and len(key) == len("--05"):
        return "month"
    return "clock" if key[0] == "T" else "weekday" if key.isalpha() else "date"


def _number(text: str, key: str, start: int, end: int, unit: str) -> Figure:
    """A number with the unit beside it; what is measured in several units is put in one."""
    if text[start:end].endswith("0") and "." in text[start:end] and text[start - 2 : start - 1].isalpha():
        key = text[start:end]  # a version: 3.10 is not 3.1
    before, after = unit_before(text, start), unit_after(text, end)
    if before:
        unit, start = before[0], before[1]
    elif after and after[0] != "x":
        unit, end = after[0], after[2]
    elif after:
        end = after[2]
    elif measure := _MEASURE.match(text, end):
        end = measure.end()
    elif (until := _RANGE.match(text, end)) and (shared := unit_after(text, until.end())):
        unit = shared[0]  # "21 to 24 percent"
    if key == "0.5" and not unit and not any(char.isdigit() for char in text[start:end]):
        key, unit = "50", "%"
    if key == "1th" and not unit:
        return Figure(start, end, "first", "edge")
    if key.endswith("th") and not unit:
        return Figure(start, end, f"number:{key}", "ordinal")
    if unit in _SECONDS:
        with contextlib.suppress(ValueError):
            key, unit = f"{round(float(key) * _SECONDS[unit], 6):g}", "s"
    return Figure(start, end, f"number:{key}|{unit}", _kind_of_number(unit))


def _kind_of_number(unit: str) -> str:
    return "duration" if unit in _DURATIONS else f"number of {unit}" if unit else "number"
