"""Yes or no, and the choice between two: what two hops say about the same property, side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from amb_bench.hotpotqa.rules.answer_words import ADJECTIVAL, ADJECTIVE, COMPLEMENT, COUNTRIES, PROVINCES
from amb_bench.hotpotqa.rules.question_reader import term_places
from amb_bench.hotpotqa.rules.question_types import compared, focus_of
from amb_bench.hotpotqa.rules.relation_words import RELATIONS
from amb_core.text import date_terms, detect_language, index_tokens, name_key, values
from amb_core.text.proper_names import core_names

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
_ALL_OF = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the)? ?(?P<value>[^.;()]{2,160}?)"
    r"(?=[.;(]| (?:who|that|which|from|in|at|by|of|for|known|best|born|based)\b|$)"
)
_PARTS = re.compile(r",\s*(?:and )?|\s+and\s+|、|和|以及")
_WORK = re.compile(r"\b(?:occupation|profession|job|role|career)s?\b|职业")
_PLACE = re.compile(r"\b(?:state|province|city|county|town|region|district|borough|country|continent)\b")
_DIMENSIONS = tuple(
    (re.compile(cue), words)
    for cue, words in (
        (r"\bdeep", "depth deep"),
        (r"\btall|\bhigh", "height tall high elevation"),
        (r"\blong", "length long"),
        (r"\b(?:larg|bigg|great)", "capacity area population seats employees holds"),
        (r"\bheav", "weight weighs mass"),
        (r"\bmore\b|\bmost\b|\bfew", "total number produced built"),
        ("深", "深度 最深"),
        ("高", "高度 海拔 塔高"),
        ("长", "长度 全长"),
        ("大", "面积 人口 容量"),
    )
)
"""What is measured where a question compares."""
_PROVINCE_ASKED = re.compile(r"同省|[一个相同]{1,3}省|省份")
_PROVINCE_SAID = re.compile(PROVINCES)
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d{2}(?!\d)|(?<!\d)\d{4}(?=年)")
_CAPITAL = re.compile(r"(?<=[a-z,] )(?P<word>[A-Z][a-z]{3,})\b")
_PLACE_SAID = re.compile(r"(?:\b(?:in|of|at|near|from)(?: the)?|,) (?P<place>[A-Z]\w+(?: [A-Z]\w+){0,3})")
_NO_RELATIONS = frozenset(("location", "birthplace", "nationality", "birth date", "capital"))
"""Relations whose values are compared as places and dates."""
_EMPTY = frozenset("both same similar common either two different".split())


_IS_MEANT = 0.5
"""Share of the words of a name that a text about it has."""


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    text: str


def compare(task: str, *, title: str, text: str, known: Sequence[str]) -> str | None:
    """The answer to a yes-no question or a choice, when there is something on both sides; None when there is not.

    The answer is yes or no (是, 否), or one of the two as the task names it.
    """
    focus, two = focus_of(task), compared(task)
    kind = focus.kind
    if kind not in ("yes-no", "choice") and not (focus.head == "common" and len(two) == 2):
        return None
    if len(two) != 2:
        return _holds(task, text) if kind == "yes-no" else None
    sides = _sides(two, title, text, known)
    if sides is None:
        return None
    if kind == "choice":
        return _chosen(task, *sides)
    return _yes_or_no(task, *sides) if kind == "yes-no" else _in_common(task, *sides)


def _in_common(task: str, one: _Side, other: _Side) -> str | None:
    """What both are said to be: writer, poet; where that is nothing, where both are from."""
    said = [COMPLEMENT.search(side.text) for side in (one, other)]
    told = [match["value"] or match["chinese"] or "" if match else "" for match in said]
    origins = [match["origin"] if (match := ADJECTIVE.match(text)) else "" for text in told]
    kinds = [
        [part.strip() for part in _PARTS.split(text.removeprefix(origin).strip()) if part.strip()]
        for text, origin in zip(_whole_lists(one, other), origins, strict=True)
    ]
    for kind in kinds[0]:
        if kind in kinds[1]:
            return kind
    return origins[0] if origins[0] and origins[0] == origins[1] and not _WORK.search(task) else None


def _whole_lists(*sides: _Side) -> list[str]:
    """All that the first sentence says each is: architect, painter and furniture designer."""
    found = (_ALL_OF.search(side.text) for side in sides)
    return [match["value"] if match else "" for match in found]


def _sides(two: Sequence[str], title: str, text: str, known: Sequence[str]) -> tuple[_Side, _Side] | None:
    """What is said of each; the observation is about the one its action or its beginning names."""
    here = max(range(2), key=lambda at: (_likeness(two[at], title), _likeness(two[at], text[:200]), -at))
    if max(_likeness(two[here], title), _likeness(two[here], text[:200])) < _IS_MEANT:
        return None
    about: list[list[str]] = [[], []]
    about[here].append(text)
    unclear = []
    for fact in known:
        scores = [_likeness(name, fact) for name in two]
        if max(scores) < _IS_MEANT:
            unclear.append(fact)
        else:
            about[here if scores[here] > scores[1 - here] else 1 - here].append(fact)
    about[1 - here] = about[1 - here] or unclear
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
    asked |= {term for cue, words in _DIMENSIONS if cue.search(task) for term, _ in term_places(words)}
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
    needed = _origins(task, one, other)
    if not all(needed <= {*index_tokens(side.text)} for side in (one, other)):
        return no
    shares = [_share(asked, side.text) for side in (one, other)]
    return yes if min(shares) >= 0.5 else no


def _origins(task: str, one: _Side, other: _Side) -> set[str]:
    """The terms of words that say where both should be from: American in both American directors."""
    named = set(index_tokens(f"{one.name} {other.name}"))
    words = (match["word"] for match in _CAPITAL.finditer(task))
    return {term for word in words if ADJECTIVAL.search(word) for term in index_tokens(word)} - named


def _share(asked: set[str], text: str) -> float:
    return len(asked & {term for term, _ in term_places(text)}) / max(len(asked), 1)


def _property(task: str, side: _Side) -> frozenset[str]:
    """The values of what the two are said to have in common: origins, years or names."""
    if _OF_TIME.search(task) and not re.search(r"\b(?:country|state|city|province)\b", task):
        return frozenset(_YEAR.findall(side.text)[:1]) or frozenset(date_terms(side.text))
    if _PROVINCE_ASKED.search(task) and (provinces := frozenset(_PROVINCE_SAID.findall(side.text))):
        return provinces
    if re.search(r"\bnationality|国籍|哪国|同国", task):
        found = COMPLEMENT.search(side.text)
        origin = ADJECTIVE.match(found["value"] or "") if found else None
        return frozenset((origin["origin"],)) if origin else frozenset()
    asked = [relation for relation in RELATIONS if relation.asked.search(task) and relation.name not in _NO_RELATIONS]
    stated = {
        name_key(match["value"])
        for relation in asked
        for pattern in relation.stated
        for match in pattern.finditer(side.text)
    }
    if stated:
        return frozenset(stated)
    own = set(index_tokens(side.name))
    places = [match["place"] for match in _PLACE_SAID.finditer(side.text)] if _PLACE.search(task) else []
    names = (name_key(name) for name in places or [entity.name for entity in core_names(side.text)])
    names = (name for name in names if name and not own >= set(index_tokens(name)))
    smaller = bool(_SMALLER.search(task))
    return frozenset(name for name in names if not (smaller and name in COUNTRIES))


def _holds(task: str, text: str) -> str | None:
    """Whether one text says what a yes-no question about one thing asks."""
    asked = {term for term, _ in term_places(task)} - _EMPTY
    yes, no = ("是", "否") if detect_language(task) == "zh" else ("yes", "no")
    return (yes if _share(asked, text) >= 0.6 else no) if asked else None
