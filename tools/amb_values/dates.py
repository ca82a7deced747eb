"""Dates and times a text states, English and Chinese, whole or in part, under one key for one moment."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_core.text.han_numbers import han_number
from amb_core.text.lazy_patterns import lazy_pattern
from amb_values.word_anchors import word_anchors

__all__ = ["moments"]


@dataclass(frozen=True, slots=True)
class StatedDate:
    """A date or time at characters `start:end`.

    Keys: "2021-05-03", "2021-05", "2021", "--05-03" and "--05" without a year, "199X" (decade), "mon" (weekday),
    "T15:30".
    """

    key: str
    start: int
    end: int


def _calendar_key(year: int | None, month: int | None = None, day: int | None = None) -> str:
    """The key of a date that may lack its year, its month and day, or its day; a negative year is BC."""
    head = "-" if year is None else f"{year:04d}"
    return head + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")


def _clock_key(hour: int, minute: int, *, half: str) -> str | None:
    """The key of a time of day; `half` is "a", "p" or ""; None when there is no such time."""
    if half.lower() == "p" and hour < 12:
        hour += 12
    elif half.lower() == "a" and hour == 12:
        hour = 0
    return f"T{hour:02d}:{minute:02d}" if hour <= 24 and minute < 60 else None


# --- Chinese dates ----------------------------------------------------------------------------------------------------

_HAN = "零〇一二三四五六七八九十"
_SMALL = rf"(?:\d{{1,2}}(?!\d)|[{_HAN}]{{1,3}})"
_NOON = ("上午", "下午", "早上", "晚上", "凌晨", "中午", "傍晚", "清晨", "早晨", "深夜", "")
_DATE = lazy_pattern(
    rf"[\d{_HAN}](?<!\d\d)(?:(?P<year>[\d{_HAN}]{{0,3}})年(?!代)(?:(?P<month>{_SMALL})月(?:(?P<day>{_SMALL})[日号])?)?"
    rf"|(?P<m>[\d{_HAN}]{{0,2}})月(?:份|(?P<d>{_SMALL})[日号])(?!数))"
)
_HAN_CLOCK = lazy_pattern(
    rf"[\d{_HAN}](?<!\d\d)(?P<hour>[\d{_HAN}]{{0,2}})[点时](?:(?P<minute>{_SMALL})分|(?P<half>半))?"
)
_WEEKDAY = lazy_pattern(r"(?:星期|周|礼拜)([一二三四五六日天])(?![年岁期])")
_DAYS = dict(zip("一二三四五六日天", ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "sun"), strict=True))
_AFTERNOON = ("下午", "晚上", "傍晚", "中午")
_REPUBLIC = 1911


def _number(word: str) -> int | None:
    """The value of digits or of numerals; None where a text mixes them ("2零21")."""
    if word.isdecimal():
        return int(word)
    return None if any(char.isdecimal() for char in word) else int(han_number(word))


def _dates(text: str) -> Iterator[StatedDate]:
    for found in _DATE.finditer(text):
        start, end = found.span()
        if found["year"] is None:
            year, month, day = None, text[start] + found["m"], found["d"]
        else:
            year, month, day = _year(text, start, text[start] + found["year"]), found["month"], found["day"]
            if year is None:
                continue
        month_number, day_number = _number(month) if month else None, _number(day) if day else None
        if (not month or (month_number and month_number <= 12)) and (not day or (day_number and day_number <= 31)):
            yield StatedDate(_calendar_key(year, month_number, day_number), start, end)


def _year(text: str, start: int, word: str) -> int | None:
    """The year AD of the word before 年; None where it counts years instead ("三年") or is no number."""
    number = _number(word)
    if number is None:
        return None
    if text.startswith("民国", start - 2) and start > 1:
        return number + _REPUBLIC
    if text.startswith("公元前", start - 3) and start > 2:
        return -number
    if len(word) == 4 or (len(word) == 3 and word.isdecimal()):
        return number
    return None


def _clocks(text: str) -> Iterator[StatedDate]:
    for found in _HAN_CLOCK.finditer(text):
        start, end = found.span()
        noon = text[start - 2 : start] if start > 1 else ""
        if noon not in _NOON or not (noon or found["minute"] or found["half"]):
            if not (found["minute"] or found["half"]):
                continue
            noon = ""
        minute = 30 if found["half"] else _number(found["minute"] or "0")
        hour = _number(text[start] + found["hour"])
        if hour is None or minute is None:
            continue
        if key := _clock_key(hour, minute, half="p" if noon in _AFTERNOON else ""):
            yield StatedDate(key, start - len(noon), end)


def _han_dates(text: str) -> Iterator[StatedDate]:
    """Every Chinese date and time, in no particular order; readings may overlap."""
    if "年" in text or "月" in text:
        yield from _dates(text)
    if "点" in text or "时" in text:
        yield from _clocks(text)
    if "周" in text or "期" in text or "拜" in text:
        yield from (StatedDate(_DAYS[found[1]], *found.span()) for found in _WEEKDAY.finditer(text))


# --- English dates, and those in figures ------------------------------------------------------------------------------

_NAMES = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november")
_MONTHS = {name: number for number, name in enumerate((*_NAMES, "december"), start=1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_WEEKDAYS = frozenset(
    f"{day}day{plural}" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun") for plural in ("", "s")
)
_ANCHORS = frozenset(_MONTHS) | _WEEKDAYS
_BEGINNINGS = frozenset(word[:3] for word in _ANCHORS)
_WORDS_TOO = frozenset(("may", "march", "mar", "sept", "dec", "jan", "jun", "sun"))
"""Month names that are common words as well: only with a day, a year or a preposition."""

_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:1\d{3}|20\d{2})(?!\d)"
_TO = r"\s?(?:[-–—]|to|and|until)\s?"
_AFTER_MONTH = lazy_pattern(
    rf"\.?(?: (?P<day>{_DAY})(?![\d:])(?:{_TO}(?P<last>{_DAY})(?![\d:]|[ ][ap]\.?m))?(?:,? (?P<year>{_YEAR}))?|,? (?:of )?(?P<only>{_YEAR}))"
)
_BEFORE_MONTH = lazy_pattern(rf"(?<![\d.])(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?[ -](?:of )?$")
_YEAR_AFTER = lazy_pattern(rf"\.?,?[ -](?P<year>{_YEAR})")
_MONTH_BEFORE = lazy_pattern(
    r"\b(?:in|of|by|since|until|during|last|next|this|early|late|mid|every|from|through)[ -]$", re.IGNORECASE
)

_DIGITS = lazy_pattern(r"\d+")
_NUMERIC = lazy_pattern(
    r"(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([/.-])(\d{1,2})\6((?:1[5-9]|20)\d{2}))(?![\d]|[.-]\d)"
)
_CLOCK = lazy_pattern(r"(\d{1,2}):([0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?!\d)(?:\s?([AaPp])\.?[Mm]\b\.?)?")
_HOUR = lazy_pattern(r"(1[0-2]|0?[1-9])\s?([AaPp])\.?[Mm]\b\.?")
_YEARS = lazy_pattern(r"((?:1\d|20)\d{2})\s?[-–—]\s?((?:1\d|20)\d{2}|\d{2})(?![\w]|[-–/%.,]\d)")
_AFTER_YEAR, _AFTER_SPACE = "-–—/.'’s", "-–—"
"""What four digits go on with, at once or after a blank, when they are more than a year by themselves."""
_DECADE = lazy_pattern(r"((?:1\d|20)\d)0['’]?s\b")
_LONE_YEAR = lazy_pattern(r"(1[0-9]{3}|20[0-9]{2})(?![\d%年A-Za-z]|[.,]\d|-\d)")
_TIME_WORD = lazy_pattern(
    r"\b(?:in|since|during|until|till|year|circa|early|late|mid|spring|summer|autumn|fall|winter|born|fiscal|c\.|ca\.)"
    r"[ (]+(?:the )?(?:year )?$",
    re.IGNORECASE,
)
_COUNT_WORD = lazy_pattern(
    r"(?:\b(?:was|were|is|are|reached|about|approximately|nearly|almost|roughly|over|under|than|least|most|total|population)"
    r"(?: of)? |[=:~≈约共达])$",
    re.IGNORECASE,
)
_COUNTED = lazy_pattern(r" (?:[a-z]+s|people|men|women|children)\b|\s?[个名位人条座家次吨元米公千万亿多余]")


def _day(word: str) -> int:
    return int(re.sub(r"\D", "", word))


def _days(found: re.Match[str], year: int | None, month: int, end: int) -> Iterator[StatedDate]:
    """The one day, or the two days of a range, that the match holds."""
    for day in (found["day"], found["last"]):
        if day:
            yield StatedDate(_calendar_key(year, month, _day(day)), found.start(), end)


def _month_at(text: str, start: int, word: str) -> Iterator[StatedDate]:
    """May 3, 2021 · May 3–5 · May 2021 · 3 May 2021 · 3rd of May · in May."""
    month, end = _MONTHS[word.lower()], start + len(word)
    if found := _AFTER_MONTH.match(text, end):
        year = int(found["year"] or found["only"] or 0) or None
        for name in ("day", "last"):
            if found[name]:
                yield StatedDate(_calendar_key(year, month, _day(found[name])), start, found.end())
        if not found["day"]:
            day = _BEFORE_MONTH.search(text, max(0, start - 16), start)
            if day is None:
                yield StatedDate(_calendar_key(year, month), start, found.end())
            else:
                yield from _days(day, year, month, found.end())
        return
    if before := _BEFORE_MONTH.search(text, max(0, start - 16), start):
        year_after = _YEAR_AFTER.match(text, end)
        year = int(year_after["year"]) if year_after else None
        yield from _days(before, year, month, year_after.end() if year_after else end)
    elif (word[0].isupper() and len(word) > 3 and word.lower() not in _WORDS_TOO) or (
        word[0].isupper() and _MONTH_BEFORE.search(text, max(0, start - 8), start)
    ):
        yield StatedDate(_calendar_key(None, month), start, end)


def _named(text: str) -> Iterator[StatedDate]:
    folded = text.lower()
    if not any(beginning in folded for beginning in _BEGINNINGS):
        return
    for start, end in word_anchors(text, _ANCHORS):
        word = text[start:end]
        if word.lower() in _MONTHS:
            yield from _month_at(text, start, word)
        elif word[0].isupper():
            yield StatedDate(word[:3].lower(), start, end)


def _numeric(text: str, start: int) -> StatedDate | None:
    """2021-05-03 · 2021/5/3 · 3.5.2021, and 5/3/2021 read month first unless that is impossible."""
    found = _NUMERIC.match(text, start)
    if found is None:
        return None
    if found[1]:
        year, month, day = int(found[1]), int(found[3]), int(found[4])
    else:
        first, second, year = int(found[5]), int(found[7]), int(found[8])
        month, day = (second, first) if found[6] == "." or first > 12 else (first, second)
    if 1 <= month <= 12 and 1 <= day <= 31:
        return StatedDate(_calendar_key(year, month, day), start, found.end())
    return None


def _clock(text: str, start: int) -> StatedDate | None:
    if found := _CLOCK.match(text, start):
        key = _clock_key(int(found[1]), int(found[2]), half=found[3] or "")
    elif found := _HOUR.match(text, start):
        key = _clock_key(int(found[1]), 0, half=found[2])
    else:
        return None
    return StatedDate(key, start, found.end()) if key else None


def _lone_year(text: str, start: int) -> StatedDate | None:
    """Four digits that are a year where they stand: after a word of time, or not counting anything."""
    found = _LONE_YEAR.match(text, start)
    if found is None or text[start - 1 : start] in tuple(".,/-_"):
        return None
    before = text[max(0, start - 24) : start]
    is_year = _TIME_WORD.search(before) is not None or (
        int(found[1]) >= 1500 and not _COUNTED.match(text, found.end()) and not _COUNT_WORD.search(before)
    )
    return StatedDate(found[1], start, found.end()) if is_year else None


def _four_digits(text: str, start: int) -> Iterator[StatedDate]:
    after = text[start + 4 : start + 6]
    goes_on = after[1:] in _AFTER_SPACE if after[:1].isspace() else after[:1] in _AFTER_YEAR
    if not goes_on or not after:
        if moment := _lone_year(text, start):
            yield moment
    elif moment := _numeric(text, start):
        yield moment
    elif found := _YEARS.match(text, start):
        first, last = found[1], found[2]
        yield StatedDate(first, start, found.end())
        yield StatedDate(last if len(last) == 4 else first[:2] + last, start, found.end())
    elif found := _DECADE.match(text, start):
        yield StatedDate(f"{found[1]}X", start, found.end())
    elif moment := _lone_year(text, start):
        yield moment


def _digits(text: str) -> Iterator[StatedDate]:
    for run in _DIGITS.finditer(text):
        start, length = run.start(), run.end() - run.start()
        if text[start - 1 : start].isalpha() and text[start - 1].isascii() and start > 0:
            continue
        if length == 4:
            yield from _four_digits(text, start)
        elif length <= 2 and (moment := _clock(text, start) or _numeric(text, start)):
            yield moment


def moments(text: str) -> list[StatedDate]:
    """Every date and time in text order; where two readings overlap the longer one holds."""
    found = [*_named(text), *_digits(text)]
    if not text.isascii():
        found += _han_dates(text)
    found.sort(key=lambda moment: (moment.start, -moment.end))
    kept: list[StatedDate] = []
    for moment in found:
        last = kept[-1] if kept else None
        if last is None or moment.start >= last.end or (moment.start, moment.end) == (last.start, last.end):
            kept.append(moment)
    return kept
