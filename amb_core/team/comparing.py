"""Yes or no, and the choice between two: what two hops say about the same property, side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.team.answer_words import ADJECTIVE, COMPLEMENT, COUNTRIES
from amb_core.team.question_types import compared, focus_of
from amb_core.team.reading import term_places
from amb_core.text import date_terms, detect_language, index_tokens, name_key, values
from amb_core.text.mentions import core_names

__all__ = ["compare"]

_EARLIER = re.compile(
    r"\b(?:first|earlier|earliest|older|oldest|before|longest running|longer ago)\b"
    r"|更早|较早|更年长|年长|更老|先|更古老"
)
_LATER = re.compile(
    r"\b(?:later|latest|younger|youngest|newer|most recent(?:ly)?|more recent(?:ly)?|last)\b|更晚|较晚|更年轻|年轻|后"
)
_FEWER = re.compile(
    r"\b(?:fewer|fewest|less|least|smaller|smallest|shorter|shortest|lower|lowest|lighter)\b|更少|更小|更短|更矮|更低|较小|较少"
)
_MORE = re.compile(
    r"\b(?:more|most|larger|largest|bigger|biggest|taller|tallest|longer|longest|higher|highest|greater|farther|heavier|wider|deeper)\b"
    r"|更多|更大|更长|更高|更远|更重|更深|更宽|较大|较多|较高"
)
_SAME = re.compile(r"\b(?:same|similar)\b|同一|相同|一样|同年|同国|同省")
_OF_TIME = re.compile(
    r"\b(?:born|birth|founded|formed|released|established|published|opened|old|created|began|started|year)\b|出生|成立|出版|上映|始建|成书|建成|年"
)
_ORIGIN = re.compile(r"\b(?:nationality|country|American|countries)\b|国")
_SMALLER = re.compile(r"\b(?:state|province|city|county|town|region|district|borough)\b|省|市|区|县")
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d{2}(?!\d)|(?<!\d)\d{4}(?=年)")
_EMPTY = frozenset("both same similar common either two different".split())


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    text: str


def compare(task: str, *, title: str, text: str, known: Sequence[str]) -> str | None:
    """The answer to a yes-no question or a choice, when there is something on both sides; None when there is not.

    The answer is yes or no (是, 否), or one of the two as the task names it.
    """
    kind = focus_of(task).kind
    if kind not in ("yes-no", "choice"):
        return None
    two = compared(task)
    if len(two) != 2:
        return _holds(task, text) if kind == "yes-no" else None
    sides = _sides(two, title, text, known)
    if sides is None:
        return None
    if kind == "choice":
        return _chosen(task, *sides)
    return _yes_or_no(task, *sides)


def _sides(two: Sequence[str], title: str, text: str, known: Sequence[str]) -> tuple[_Side, _Side] | None:
    """What is said of each; the observation is about the one its action or its beginning names."""
    here = max(range(2), key=lambda at: (_likeness(two[at], title), _likeness(two[at], text[:200]), -at))
    about: list[list[str]] = [[], []]
    about[here].append(text)
    for fact in known:
        scores = [_likeness(name, fact) for name in two]
        about[here if scores[here] > scores[1 - here] else 1 - here].append(fact)
    if not all(about):
        return None
    one, other = (_Side(name, " ".join(said)) for name, said in zip(two, about, strict=True))
    return one, other


def _likeness(name: str, text: str) -> float:
    """The share of a name's words that a text has."""
    if name_key(name) in name_key(text):
        return 1.5
    wanted = set(index_tokens(name))
    return len(wanted & set(index_tokens(text))) / max(len(wanted), 1)


def _chosen(task: str, one: _Side, other: _Side) -> str | None:
    if found := _by_order(task, one, other):
        return found
    asked = {term for term, _ in term_places(task)} - {term for term, _ in term_places(f"{one.name} {other.name}")}
    met = [len(asked & {term for term, _ in term_places(side.text)}) for side in (one, other)]
    if met[0] == met[1]:
        return None
    return one.name if met[0] > met[1] else other.name


def _by_order(task: str, one: _Side, other: _Side) -> str | None:
    """By which came earlier, or of which there is more."""
    late, early = bool(_LATER.search(task)), bool(_EARLIER.search(task))
    if late or early:
        a, b = _year(one, task), _year(other, task)
        if a is None or b is None or a == b:
            return None
        return (one if (a < b) != (late and not early) else other).name
    few, many = bool(_FEWER.search(task)), bool(_MORE.search(task))
    if few or many:
        x, y = _amount(one, task), _amount(other, task)
        if x is None or y is None or x == y:
            return None
        return (one if (x > y) != (few and not many) else other).name
    return None


def _year(side: _Side, task: str) -> str | None:
    """The year closest to what the task says happened; as a sortable text, with month and day where told."""
    asked = {term for term, _ in term_places(task)}
    dates = [value for value in values(side.text) if value.kind == "date" and value.key[:4].isdigit()]
    if not dates:
        return None
    places = [at for term, at in term_places(side.text) if term in asked]
    best = min(dates, key=lambda value: (min((abs(value.start - at) for at in places), default=0) > 60, value.start))
    return best.key


def _amount(side: _Side, task: str) -> float | None:
    asked = {term for term, _ in term_places(task)}
    numbers = [value for value in values(side.text) if value.kind == "number"]
    places = [at for term, at in term_places(side.text) if term in asked]
    ranked = sorted(numbers, key=lambda value: (min((abs(value.start - at) for at in places), default=0), value.start))
    for value in ranked:
        try:
            return float(value.key)
        except ValueError:
            continue
    return None


def _yes_or_no(task: str, one: _Side, other: _Side) -> str | None:
    yes, no = ("是", "否") if detect_language(task) == "zh" else ("yes", "no")
    if _SAME.search(task):
        a, b = _property(task, one), _property(task, other)
        if a and b:
            return yes if a & b else no
        return None
    asked = {term for term, _ in term_places(task)} - _EMPTY
    asked -= {term for term, _ in term_places(f"{one.name} {other.name}")}
    shares = [_share(asked, side.text) for side in (one, other)]
    return yes if min(shares) >= 0.5 else no


def _share(asked: set[str], text: str) -> float:
    return len(asked & {term for term, _ in term_places(text)}) / max(len(asked), 1)


def _property(task: str, side: _Side) -> frozenset[str]:
    """The values of what the two are said to have in common: origins, years or names."""
    if _OF_TIME.search(task) and not re.search(r"\b(?:country|state|city|province)\b", task):
        return frozenset(_YEAR.findall(side.text)[:1]) or frozenset(date_terms(side.text))
    if re.search(r"\bnationality|国籍|哪国|同国", task):
        found = COMPLEMENT.search(side.text)
        origin = ADJECTIVE.match(found["value"] or "") if found else None
        return frozenset((origin["origin"],)) if origin else frozenset()
    own = set(index_tokens(side.name))
    names = (name_key(entity.name) for entity in core_names(side.text))
    names = (name for name in names if name and not own >= set(index_tokens(name)))
    smaller = bool(_SMALLER.search(task))
    return frozenset(name for name in names if not (smaller and name in COUNTRIES))


def _holds(task: str, text: str) -> str | None:
    """Whether one text says what a yes-no question about one thing asks."""
    asked = {term for term, _ in term_places(task)} - _EMPTY
    yes, no = ("是", "否") if detect_language(task) == "zh" else ("yes", "no")
    return (yes if _share(asked, text) >= 0.6 else no) if asked else None
