"""The keys of dates and times, and the dates and times that Chinese texts write."""

from collections.abc import Iterator
from dataclasses import dataclass

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.numerals import han_number

__all__ = ["Moment", "calendar_key", "clock_key", "han_moments"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or time at characters `start:end`.

    Keys: "2021-05-03", "2021-05", "2021", "--05-03" and "--05" without a year, "199X" (decade), "C19" (century),
    "2021-Q3", "mon" (weekday), "T15:30".
    """

    key: str
    start: int
    end: int


def calendar_key(year: int | None, month: int | None = None, day: int | None = None) -> str:
    """The key of a date that may lack its year, its month and day, or its day; a negative year is BC."""
    head = "-" if year is None else f"{year:04d}"
    return head + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")


def clock_key(hour: int, minute: int, *, half: str) -> str | None:
    """The key of a time of day; `half` is "a", "p" or ""; None when there is no such time."""
    if half.lower() == "p" and hour < 12:
        hour += 12
    elif half.lower() == "a" and hour == 12:
        hour = 0
    return f"T{hour:02d}:{minute:02d}" if hour <= 24 and minute < 60 else None


_HAN = "零〇一二三四五六七八九十"
_SMALL = rf"(?:\d{{1,2}}(?!\d)|[{_HAN}]{{1,3}})"
_NOON = ("上午", "下午", "早上", "晚上", "凌晨", "中午", "傍晚", "清晨", "早晨", "深夜", "")
_DATE = lazy_pattern(
    rf"[\d{_HAN}](?<!\d\d)(?:(?P<year>[\d{_HAN}]{{0,3}})年(?!代)(?:(?P<month>{_SMALL})月(?:(?P<day>{_SMALL})[日号])?)?"
    rf"|(?P<m>[\d{_HAN}]{{0,2}})月(?:份|(?P<d>{_SMALL})[日号])(?!数))"
)
_CLOCK = lazy_pattern(rf"[\d{_HAN}](?<!\d\d)(?P<hour>[\d{_HAN}]{{0,2}})[点时](?:(?P<minute>{_SMALL})分|(?P<half>半))?")
_CENTURY = lazy_pattern(rf"(?<!\d)({_SMALL})世纪(?:([1-9]0|[{_HAN}]十?)年代)?")
_QUARTER = lazy_pattern(r"(\d{4})年第?([1-4一二三四])季度")
_WEEKDAY = lazy_pattern(r"(?:星期|周|礼拜)([一二三四五六日天])(?![年岁期])")
_DAYS = dict(zip("一二三四五六日天", ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "sun"), strict=True))
_AFTERNOON = ("下午", "晚上", "傍晚", "中午")
_REPUBLIC = 1911


def _number(word: str) -> int | None:
    """The value of digits or of numerals; None where a text mixes them ("2零21")."""
    if word.isdecimal():
        return int(word)
    return None if any(char.isdecimal() for char in word) else int(han_number(word))


def _dates(text: str) -> Iterator[Moment]:
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
            yield Moment(calendar_key(year, month_number, day_number), start, end)


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


def _clocks(text: str) -> Iterator[Moment]:
    for found in _CLOCK.finditer(text):
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
        if key := clock_key(hour, minute, half="p" if noon in _AFTERNOON else ""):
            yield Moment(key, start - len(noon), end)


def _ages(text: str) -> Iterator[Moment]:
    for found in _CENTURY.finditer(text):
        century = _number(found[1])
        if century is None:
            continue
        decade = f"{century - 1}{str(_number(found[2]))[0]}X" if found[2] else f"C{century}"
        yield Moment(decade, *found.span())


def han_moments(text: str) -> Iterator[Moment]:
    """Every Chinese date and time, in no particular order; readings may overlap."""
    if "年" in text or "月" in text:
        yield from _dates(text)
        yield from (Moment(f"{found[1]}-Q{_number(found[2])}", *found.span()) for found in _QUARTER.finditer(text))
    if "点" in text or "时" in text:
        yield from _clocks(text)
    if "世纪" in text:
        yield from _ages(text)
    if "周" in text or "期" in text or "拜" in text:
        yield from (Moment(_DAYS[found[1]], *found.span()) for found in _WEEKDAY.finditer(text))
