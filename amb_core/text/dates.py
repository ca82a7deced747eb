"""Calendar dates, years, weekdays and times of day, whole or in part, under one key for one moment."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from amb_core.text.numerals import han_number

__all__ = ["Moment", "moments"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or time at characters `start:end`.

    Keys: "2021-05-03", "2021-05", "2021", "--05-03", "--05", "199X" (decade), "C19" (century), "2021-Q3", "mon", "T15:30".
    """

    key: str
    start: int
    end: int


_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: number for number, name in enumerate(_NAMES, start=1)}
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_FULL_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b"
_YEAR = r"(?:1\d{3}|20\d{2})\b"
_TO = r"\s?(?:[-–—]|to|and|until)\s?"
_HAN = "零〇一二三四五六七八九十"
_HAN_YEAR = rf"(?:\d{{3,4}}|[{_HAN}]{{4}})"
_HAN_SMALL = rf"(?:\d{{1,2}}|[{_HAN}]{{1,3}})"

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "sun")

_Reader = Callable[[re.Match[str]], Iterator[str]]


def _month(word: str) -> int:
    return _MONTHS[word[:3].lower()]


def _day(word: str) -> int:
    return int(re.sub(r"\D", "", word))


def _number(word: str) -> int:
    return int(word) if word.isdigit() else int(han_number(word))


def _key(year: int | None, month: int | None = None, day: int | None = None) -> str:
    head = "-" if year is None else f"{year:04d}"
    return head + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")


def _written(match: re.Match[str]) -> Iterator[str]:
    """May 3, 2021 · 3 May 2021 · May 3–5, 2021 · May 2021 · May 3."""
    part = match.groupdict()
    month, year = _month(part["month"]), int(part["year"]) if part["year"] else None
    for name in ("day", "last"):
        if part.get(name):
            yield _key(year, month, _day(part[name]))
    if not part.get("day"):
        yield _key(year, month)


def _numeric(match: re.Match[str]) -> Iterator[str]:
    """2021-05-03 · 2021/5/3 · 2021.05.03, and 5/3/2021 read month first unless that is impossible."""
    first, second, third = (int(number) for number in re.findall(r"\d+", match.group())[:3])
    if first > 31:
        year, month, day = first, second, third
    elif "." in match.group() or first > 12:
        day, month, year = first, second, third
    else:
        month, day, year = first, second, third
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield _key(year, month, day)


def _chinese(match: re.Match[str]) -> Iterator[str]:
    part = match.groupdict()
    year = _number(part["year"]) if part["year"] else None
    if year is not None and part["era"]:
        year = year + 1911 if part["era"] == "民国" else -year
    month = _number(part["month"]) if part["month"] else None
    day = _number(part["day"]) if part["day"] else None
    if (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31):
        yield _key(year, month, day)


def _clock(match: re.Match[str]) -> Iterator[str]:
    part = match.groupdict()
    if part["hour"] is None:
        noon = match.group()[:2]
        part = {"hour": match.group()[2:-1], "noon": noon}
    hour, minute = _number(part["hour"] or "0"), _number(part["minute"]) if part.get("minute") else 0
    if part.get("half"):
        minute = 30
    half = (part.get("noon") or "").lower().replace(".", "")
    if half in ("pm", "下午", "晚上", "傍晚", "中午") and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    if hour <= 24 and minute < 60:
        yield f"T{hour:02d}:{minute:02d}"


def _years(match: re.Match[str]) -> Iterator[str]:
    first, last = match["first"], match["last"]
    yield first
    yield last if len(last) == 4 else first[: 4 - len(last)] + last


def _month_alone(match: re.Match[str]) -> Iterator[str]:
    yield _key(None, _month(match.group()))


def _decade(match: re.Match[str]) -> Iterator[str]:
    if len(match.groups()) == 1:
        yield f"{match[1]}X"
    else:
        yield f"{_number(match[1]) - 1}{str(_number(match[2]))[0]}X"


def _century(match: re.Match[str]) -> Iterator[str]:
    yield f"C{_number(match[1])}"


def _quarter(match: re.Match[str]) -> Iterator[str]:
    year, quarter = (match["year"], _number(match["quarter"]))
    yield f"{year}-Q{quarter}"


def _weekday(match: re.Match[str]) -> Iterator[str]:
    name = match[1]
    yield _WEEKDAYS["一二三四五六日天".index(name)] if len(name) == 1 else name[:3].lower()


def _before_christ(match: re.Match[str]) -> Iterator[str]:
    yield _key(-int(match[1]))


_I = re.IGNORECASE
_MONTH_BEFORE = "".join(
    f"(?<=\\b{word} )|"
    for word in ("in", "of", "by", "since", "until", "during", "last", "next", "this", "early", "late", "mid")
).rstrip("|")
_HAN_NOON = "上午|下午|早上|晚上|凌晨|中午|傍晚"
_PATTERNS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (
        re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?(?:,? (?P<year>{_YEAR}))?", _I),
        _written,
    ),
    (
        re.compile(
            rf"\b(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))? (?:of )?(?P<month>{_MONTH})(?:,? (?P<year>{_YEAR}))?", _I
        ),
        _written,
    ),
    (re.compile(rf"\b(?P<month>{_MONTH}),? (?:of )?(?P<year>{_YEAR})", _I), _written),
    (
        re.compile(r"(?<![\d.])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.](?:1[5-9]|20)\d{2})(?![\d.]\d)"),
        _numeric,
    ),
    (
        re.compile(
            rf"(?P<era>民国|公元前)?(?P<year>{_HAN_YEAR}|(?<=民国)\d{{1,3}}|(?<=公元前)\d{{1,4}}|(?<=民国)[{_HAN}]{{1,4}})年(?!代)"
            rf"(?:(?P<month>{_HAN_SMALL})月(?:(?P<day>{_HAN_SMALL})[日号])?)?"
        ),
        _chinese,
    ),
    (
        re.compile(rf"(?P<era>)(?P<year>)(?P<month>{_HAN_SMALL})月(?:份|(?P<day>{_HAN_SMALL})[日号])(?!数)"),
        _chinese,
    ),
    (
        re.compile(
            r"(?<![\d:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d)(?:\s?(?P<noon>[ap]\.?m\b\.?))?",
            _I,
        ),
        _clock,
    ),
    (re.compile(r"(?<![\d:.])(?P<hour>1[0-2]|0?[1-9])\s?(?P<noon>[ap]\.?m)\b\.?", _I), _clock),
    (
        re.compile(
            rf"(?P<noon>{_HAN_NOON})?(?P<hour>{_HAN_SMALL})[点时](?:(?P<minute>{_HAN_SMALL})分|(?P<half>半))"
            rf"|(?:{_HAN_NOON}){_HAN_SMALL}[点时]"
        ),
        _clock,
    ),
    (re.compile(r"\b(?P<first>(?:1\d|20)\d{2})\s?[-–—]\s?(?P<last>(?:1\d|20)\d{2}|\d{2})\b(?![-–/%])"), _years),
    (re.compile(r"\b((?:1\d|20)\d)0['’]?s\b"), _decade),
    (re.compile(rf"(\d{{1,2}}|[{_HAN}]{{1,3}})世纪([1-9]0|[{_HAN}]十?)年代"), _decade),
    (re.compile(rf"(\d{{1,2}}|[{_HAN}]{{1,3}})世纪"), _century),
    (re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)[ -](?:century|centuries)\b", _I), _century),
    (re.compile(r"\bQ(?P<quarter>[1-4])(?: of)?,? (?P<year>\d{4})\b"), _quarter),
    (re.compile(r"\b(?P<year>\d{4}) Q(?P<quarter>[1-4])\b"), _quarter),
    (re.compile(r"(?P<year>\d{4})年第?(?P<quarter>[1-4一二三四])季度"), _quarter),
    (re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"), _weekday),
    (re.compile(r"(?:星期|周|礼拜)([一二三四五六日天])(?![年岁期])"), _weekday),
    (
        re.compile(
            rf"(?:{_MONTH_BEFORE}){_FULL_MONTH}\b|\b(?:January|February|April|June|July|September|October|November|December)\b"
        ),
        _month_alone,
    ),
    (re.compile(r"\b(\d{1,4}) (?:BC|BCE)\b"), _before_christ),
)
_LONE_YEAR = re.compile(r"(?<![\d.,/\w-])(1[0-9]{3}|20[0-9]{2})(?![\d%]|[.,]\d|-\d|年|[A-Za-z])")
_TIME_WORD = re.compile(
    r"\b(?:in|since|during|until|till|year|circa|early|late|mid|spring|summer|autumn|fall|winter|born|fiscal|c\.|ca\.)"
    r"[ (]+(?:the )?(?:year )?$",
    _I,
)
_COUNT_WORD = re.compile(
    r"(?:\b(?:was|were|is|are|reached|about|approximately|nearly|almost|roughly|over|under|than|least|most|total|population)"
    r"(?: of)? |[=:~≈约共达])$",
    _I,
)
_COUNTED = re.compile(r" (?:[a-z]+s|people|men|women|children)\b|\s?[个名位人条座家次吨元米公千万亿多余]")


def _lone_years(text: str) -> Iterator[Moment]:
    """Four digits that are a year where they stand: after a word of time, or not counting anything."""
    for match in _LONE_YEAR.finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        if _TIME_WORD.search(before):
            yield Moment(match[1], match.start(), match.end())
        elif int(match[1]) >= 1500 and not _COUNTED.match(text, match.end()) and not _COUNT_WORD.search(before):
            yield Moment(match[1], match.start(), match.end())


def moments(text: str) -> list[Moment]:
    """Every date and time in text order; where two readings overlap the longer one holds."""
    found = [
        (Moment(key, match.start(), match.end()), rank)
        for rank, (pattern, read) in enumerate(_PATTERNS)
        for match in pattern.finditer(text)
        for key in read(match)
    ]
    found.extend((moment, len(_PATTERNS)) for moment in _lone_years(text))
    found.sort(key=lambda pair: (pair[0].start, -pair[0].end, pair[1]))
    kept: list[tuple[Moment, int]] = []
    for moment, rank in found:
        if not kept or moment.start >= kept[-1][0].end:
            kept.append((moment, rank))
        elif moment.start == kept[-1][0].start and moment.end == kept[-1][0].end and rank == kept[-1][1]:
            kept.append((moment, rank))
    return [moment for moment, _ in kept]
