"""Values a text states: numbers, dates, units, negations and names, in a form that can be compared."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from amb_core.text.dates import moments
from amb_core.text.names import Entity, name_key
from amb_core.text.negations import negation_spans
from amb_core.text.numerals import numerals
from amb_core.text.proper_names import core_names
from amb_core.text.pure_cache import remembered
from amb_core.text.units import unit_after, unit_before

__all__ = ["Value", "ValueKind", "date_terms", "value_signature", "values"]

ValueKind = Literal["number", "date", "negation", "unit", "name"]
_NUMERALS = "二两三四五六七八九十百千万亿"
_Found = tuple[ValueKind, str, int, int]


@dataclass(frozen=True, slots=True)
class Value:
    """One value at characters `start:end`; equal (kind, key) means equal value."""

    kind: ValueKind
    key: str
    surface: str
    start: int
    end: int


def _numbers(text: str, taken: bytearray) -> Iterator[_Found]:
    done = 0
    for numeral in numerals(text):
        if numeral.start < done or any(taken[numeral.start : numeral.end]):
            continue
        yield "number", numeral.key, numeral.start, numeral.end
        if numeral.unit:
            yield "unit", numeral.unit, numeral.start, numeral.end
        for unit in (unit_before(text, numeral.start), unit_after(text, numeral.end)):
            if unit:
                done = max(done, unit[2])
                yield "unit", *unit


def _all_taken(text: str, taken: bytearray, entity: Entity) -> bool:
    return all(taken[index] or text[index].isspace() for index in range(entity.start, entity.end))


def _names(text: str, taken: bytearray) -> Iterator[_Found]:
    """Names, without those that are part of a date, a number or a unit."""
    for entity in core_names(text):
        key = name_key(entity.name)
        if key and not _all_taken(text, taken, entity):
            yield "name", key, entity.start, entity.end


def _dates(text: str) -> Iterator[_Found]:
    for moment in moments(text):
        yield "date", moment.key, moment.start, moment.end


def _negations(text: str) -> Iterator[_Found]:
    for start, end in negation_spans(text):
        yield "negation", "not", start, end


@remembered(most=256, longest=4_000)
def values(text: str) -> tuple[Value, ...]:
    """Every value in text order; "3.5 MW" is the number 3.5 and the unit MW."""
    taken = bytearray(len(text))
    found = list(_dates(text))
    for _, _, start, end in found:
        taken[start:end] = b"\1" * (end - start)
    figures = list(_numbers(text, taken))
    for _, _, start, end in figures:
        taken[start:end] = b"\1" * (end - start)
    found = [*found, *figures, *_negations(text), *_names(text, taken)]
    found.sort(key=lambda value: (value[2], value[3], value[0]))
    return tuple(Value(kind, key, text[start:end], start, end) for kind, key, start, end in found)


def value_signature(text: str) -> Counter[tuple[str, str]]:
    """(kind, key) → count; two texts with different signatures are no repeats of each other.

    Chinese numerals inside words (四川, 三大) count here as well, though they are no values: rather one difference too
    many than one too few.
    """
    found = values(text)
    signature = Counter((str(value.kind), value.key) for value in found)
    if not text.isascii():
        numbers = [value for value in found if value.kind in ("number", "date")]
        signature.update(("number", f"{char}·") for char in _uncounted(text, numbers))
    return signature


def _uncounted(text: str, numbers: list[Value]) -> Iterator[str]:
    """The Chinese numerals outside the given values."""
    start = 0
    for value in (*numbers, None):
        end = value.start if value else len(text)
        yield from (char for char in text[start:end] if char in _NUMERALS)
        start = max(start, value.end) if value else end


def date_terms(text: str) -> frozenset[str]:
    """The calendar parts of the dates in `text` ("2021", "2021-05", "--05", "--05-03", "2021-05-03"), without times."""
    terms: set[str] = set()
    for moment in moments(text):
        key = moment.key
        if key.startswith("T"):
            continue
        terms.add(key)
        year, _, rest = key.partition("-") if not key.startswith("-") else ("", "", key.lstrip("-"))
        month, _, day = rest.partition("-")
        if year.isdigit():
            terms.add(year)
        if month.isdigit():
            terms.add(f"--{month}")
            if year:
                terms.add(f"{year}-{month}")
            if day:
                terms.add(f"--{month}-{day}")
    return frozenset(terms)
