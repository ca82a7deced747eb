"""Values a text states: numbers, dates, units, negations and names, in a form that can be compared."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from amb_core.text.english_vocabulary import word_set
from amb_core.text.index_terms import WORD
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import remembered
from amb_values.dates import moments
from amb_values.names import name_key
from amb_values.numerals import numerals
from amb_values.proper_names import core_names, entities
from amb_values.units import unit_after, unit_before
from amb_values.word_anchors import opening_with, word_anchors

__all__ = ["Value", "ValueKind", "date_terms", "find_unsupported", "value_signature", "values"]

_ENGLISH = lazy_pattern(
    r"(?:no longer|not|never|cannot|without|none|nobody|nothing|nowhere|neither|nor|no one|"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|might|need|ought|ca|wo|sha|ai)n?['’]?t|"
    r"(?:fail|fails|failed|failing) to|unable to|incapable of|(?:refuse|refuses|refused|decline|declines|declined) to|"
    r"lack|lacks|lacked|lacking|absence of|hardly|barely|scarcely|no(?!\.?\s?\d))\b",
    re.IGNORECASE,
)
_STARTS = word_set(
    "no not never cannot without none nobody nothing nowhere neither nor isn aren wasn weren don doesn didn hasn haven hadn",
    "can couldn won wouldn shouldn mustn mightn needn oughtn shan ain isnt arent wasnt werent dont doesnt didnt hasnt havent",
    "hadnt cant couldnt wont wouldnt shouldnt fail fails failed failing unable incapable refuse refuses refused decline",
    "declines declined lack lacks lacked lacking absence hardly barely scarcely",
)
_ENGLISH_TRAP = lazy_pattern(
    r"not (?:only|just|merely|simply|to mention)\b|no (?:doubt|wonder|sooner|matter (?:how|what|who|where|when|which))\b|"
    r"without (?:a )?doubt\b|nothing but\b|(?:none|nothing) other than\b|wont\b|cant\b(?= of)",
    re.IGNORECASE,
)
_CHINESE_TRAP = lazy_pattern(
    opening_with(
        r"不得不|不能不|不会不|无不|并非不|不[仅但断过同少久论管禁愧料锈丹时妨止单光已惜惑倒]|不动产|不一[样致定]?|不可避免|差不多|对不起|"
        r"了不起|无[论疑数锡线比奈限机敌双名产印聊意]|无人机|非[常洲凡典得遗物]|[除是南北西东中莫无韩]非|未[来免央]|[乙丁己辛癸]未|没[收落关]|"
        r"[沉淹埋出吞覆湮隐]没|南无|虚无|是否",
        "不无并差对了非除是南北西东中莫韩未乙丁己辛癸没沉淹埋出吞覆湮隐虚",
    )
)
_CHINESE = lazy_pattern(
    opening_with(
        r"从未|从不|从来没有?|并未|并不|并非|尚未|还没有?|没有|毫无|不再|绝不|决不|不[是会能可要得]?|未能?|无法?|非|没|勿|莫",
        "从并尚还没毫不绝决未无非勿莫",
    )
)


def _negation_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every negation, in text order."""
    spans = [
        found.span()
        for start, _ in word_anchors(text, _STARTS)
        if (found := _ENGLISH.match(text, start)) and not _ENGLISH_TRAP.match(text, start)
    ]
    if text.isascii():
        return spans
    index = 0
    traps = [found.span() for found in _CHINESE_TRAP.finditer(text)]
    for found in _CHINESE.finditer(text):
        while index < len(traps) and traps[index][1] <= found.start():
            index += 1
        if index == len(traps) or traps[index][0] >= found.end():
            spans.append(found.span())
    return sorted(spans)


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


def _names(text: str, taken: bytearray) -> Iterator[_Found]:
    """Names, without those that are part of a date, a number or a unit."""
    for entity in core_names(text):
        key = name_key(entity.name)
        if key and not all(taken[at] or text[at].isspace() for at in range(entity.start, entity.end)):
            yield "name", key, entity.start, entity.end


def _dates(text: str) -> Iterator[_Found]:
    for moment in moments(text):
        yield "date", moment.key, moment.start, moment.end


def _negations(text: str) -> Iterator[_Found]:
    for start, end in _negation_spans(text):
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


def find_unsupported(text: str, sources: Sequence[str]) -> str | None:
    """The first number, date or name of a text that occurs in none of the sources; None when there is none."""
    known = {pair for source in sources for pair in value_signature(source)}
    for value in values(text):
        if value.kind in ("number", "date") and (value.kind, value.key) not in known:
            return value.surface
    folded = "\n".join(sources).casefold()
    words = set(WORD.findall(folded))
    for entity in entities(text):
        name = entity.name.strip().casefold()
        if name not in folded and not set(WORD.findall(name)) <= words:
            return entity.name
    return None
