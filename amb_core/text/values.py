"""Values a text states: numbers, dates, units, negations and names, in a form that can be compared."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from amb_core.text.entities import entities
from amb_core.text.names import name_key

__all__ = ["Value", "date_terms", "value_signature", "values"]

ValueKind = Literal["number", "date", "negation", "unit", "name"]


@dataclass(frozen=True, slots=True)
class Value:
    """One value at characters `start:end`; equal (kind, key) means equal value."""

    kind: ValueKind
    key: str
    surface: str
    start: int
    end: int


_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = {name: index for index, name in enumerate(_MONTHS, 1)} | {
    name[:3]: index for index, name in enumerate(_MONTHS, 1)
}
_MONTH_WORD = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DATE = re.compile(
    rf"\b(?P<m1>{_MONTH_WORD}) (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y1>\d{{4}})\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m2>{_MONTH_WORD}),? (?P<y2>\d{{4}})\b"
    rf"|\b(?P<m3>{_MONTH_WORD}),? (?P<y3>\d{{4}})\b"
    r"|\b(?P<y4>\d{4})-(?P<n4>\d{1,2})-(?P<d4>\d{1,2})\b"
    r"|(?P<y5>\d{4})年(?:(?P<n5>\d{1,2})月(?:(?P<d5>\d{1,2})[日号])?)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_UNIT = re.compile(
    r"\s?(%|percent\b|[kMGT]?W(?:h)?\b|[kMGT]B\b|k[gm]\b|km/h\b|mph\b|lb\b|°[CF]|美元|元|公里|千克|公斤|米)"
)
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|without|cannot|\w+n['’]t|no|fails? to|failed to)\b|没有|从未|不(?!仅|断|但)|未|无(?!论)|非(?!常)",
    re.IGNORECASE,
)


def _dates(text: str) -> list[Value]:
    found: list[Value] = []
    for match in _DATE.finditer(text):
        part = {key: value for key, value in match.groupdict().items() if value}
        year = next(value for key, value in part.items() if key[0] == "y")
        month = next((_MONTH[value.lower()[:3]] for key, value in part.items() if key[0] == "m"), None)
        month = month or next((int(value) for key, value in part.items() if key[0] == "n"), None)
        day = next((int(value) for key, value in part.items() if key[0] == "d"), None)
        key = year + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")
        found.append(Value("date", key, match.group(), match.start(), match.end()))
    return found


def values(text: str) -> tuple[Value, ...]:
    """Every value in text order; one figure may give a number and a unit."""
    found = _dates(text)
    taken = {index for value in found for index in range(value.start, value.end)}
    for match in _NUMBER.finditer(text):
        if match.start() in taken:
            continue
        surface = match.group().rstrip(",")
        number = surface.replace(",", "")
        key = number.rstrip("0").rstrip(".") if "." in number else number
        end = match.start() + len(surface)
        found.append(Value("number", key, surface, match.start(), end))
        if unit := _UNIT.match(text, end):
            name = {"percent": "%"}.get(unit[1], unit[1])
            found.append(Value("unit", name, unit[1], unit.start(1), unit.end(1)))
    found.extend(
        Value("negation", "not", match.group(), match.start(), match.end()) for match in _NEGATION.finditer(text)
    )
    found.extend(
        Value("name", name_key(entity.name), entity.name, entity.start, entity.end)
        for entity in entities(text)
        if name_key(entity.name)
    )
    return tuple(sorted(found, key=lambda value: (value.start, value.end, value.kind)))


def value_signature(text: str) -> Counter[tuple[str, str]]:
    """(kind, key) → count; two texts with different signatures are no repeats of each other."""
    return Counter((value.kind, value.key) for value in values(text))


def date_terms(text: str) -> frozenset[str]:
    """Calendar parts of the dates in `text`: the date itself, its month and its year."""
    return frozenset(
        key[:length] for value in _dates(text) for key in (value.key,) for length in (4, 7, 10) if len(key) >= length
    )
