"""The names in a question that are worth a search of their own."""

from __future__ import annotations

import re
from functools import lru_cache

from amb_bench.hotpotqa.rules.answer_words import ADJECTIVAL
from amb_bench.hotpotqa.rules.question_reader import is_adjective
from amb_bench.hotpotqa.rules.question_types import compared
from amb_core.text import entities, index_tokens, name_key
from amb_core.text.chinese_words import COMMON_WORDS, chinese_segments
from amb_core.text.english_vocabulary import REGIONS

__all__ = ["names_of_question"]

_YEARS_BEFORE = re.compile(r"^\d{4}[–-]\d{2,4} (?=[A-Z])")
_OF_WHAT = re.compile(
    r"^(?:在|由|担任|出版|发行)?(?:电影|小说|歌曲|专辑|电视剧|公司)?(?P<name>[\u4e00-\u9fff·]{2,12}?)(?:的|中)"
)
_LEAD = re.compile(r"(?:^|(?<=[，。？、：]))[\u4e00-\u9fff]{1,3}$")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_TAIL = re.compile(r" (?:in|of|at|on|from) (?:\d+|[A-Z])$")
_JOINED = re.compile(r" (?:and|or) ")
_INSIDE = re.compile(r" in |(?<=[a-z]) to the (?=[A-Z\d])")
_ONE_WORD = re.compile(r"^\S+ to the \S+$")
_QUOTES = "\"“'‘"
_WHOLE, _SHORT, _REGION = 1.0, 0.75, 0.5
_LONG_NAME = 9


@lru_cache(maxsize=64)
def names_of_question(question: str) -> tuple[tuple[str, float], ...]:
    """The names, in the order of the question, each with what a search for it is worth in (0, 1].

    Two things that are compared count most; a country or a state least; a word that only says where something is from
    (an American writer) is none.
    """
    two = compared(question)
    found: dict[str, float] = dict.fromkeys(two, _WHOLE)
    places: list[tuple[int, int]] = [(at, at + len(name)) for name in two if (at := question.find(name)) >= 0]
    for entity in sorted(entities(question), key=lambda each: (each.start, -each.end)):
        name, start = entity.name, entity.start
        start = _begins(question, name, start)
        name = question[start : entity.end]
        if years := _YEARS_BEFORE.match(name):
            start, name = start + years.end(), name[years.end() :]
        if any(begin <= start and entity.end <= end for begin, end in places):
            continue
        if not _is_name(question, name, start, entity.end, joined=bool(two)):
            continue
        places.append((start, entity.end))
        if question[max(0, start - 4) : start] == "The " and " " not in name:
            name = f"The {name}"
        found.setdefault(name, _worth(name))
    if not found and (described := _OF_WHAT.search(question)):
        found[described["name"]] = _WHOLE
    return tuple(found.items())


def _begins(question: str, name: str, start: int) -> int:
    """Where a Chinese name begins that was cut at a character which is often a particle: 阿里巴巴集团."""
    lead = _LEAD.search(question[:start]) if _HAN.match(name) else None
    unknown = lead and all(segment.kind == "unknown" for segment in chinese_segments(lead.group()))
    return lead.start() if lead and unknown else start


def _is_name(question: str, name: str, start: int, end: int, *, joined: bool) -> bool:
    quoted = question[max(0, start - 1) : start] in _QUOTES and start > 0
    if quoted or _HAN.search(name):
        marked = quoted or question[start - 1 : start] in ("《", "「")
        return len(name_key(name)) > 1 and (marked or name not in COMMON_WORDS)
    inside = _INSIDE.search(name) and not _ONE_WORD.match(name)
    if _TAIL.search(name) or inside or (joined and _JOINED.search(name)):
        return False
    if len(name) < 2 or is_adjective(question, name, end):
        return False
    words = name.split()
    capitals = [word for word in words if word[:1].isupper()]
    return not (len(capitals) == 1 < len(words) and ADJECTIVAL.search(capitals[0]))


def _worth(name: str) -> float:
    if name in REGIONS:
        return _REGION
    return _WHOLE if len(index_tokens(name)) > 1 or len(name) > _LONG_NAME else _SHORT
