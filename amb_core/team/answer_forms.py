"""Whether an answer has the form that a question asks for; never whether it is right. English and Chinese."""

from __future__ import annotations

import re
from typing import Literal

from amb_core.team.question_types import Focus, choices, focus_of
from amb_core.text import name_key

__all__ = ["Problem", "form_problem"]

Problem = Literal[
    "empty", "wrapped", "yes-no", "not yes-no", "choice", "date", "year", "number", "name", "sentence", "long", "unseen"
]
"""What is wrong: nothing said, no bare answer, no yes or no, one that was not asked for, and so on."""

_YES_NO = re.compile(r"\W*(?:yes|no|是的?|否|不是|对|不对|有|没有)\W*", re.IGNORECASE)
_WRAPPED = re.compile(
    r"^\s*(?:(?:the |my |final )*answer(?: is|:|：)|finish\s*[\[(]|i (?:think|believe|found)\b"
    r"|(?:最终)?答案(?:是|为|：|:)|我认为)",
    re.IGNORECASE,
)
_MONTHS = "january february march april may june july august september october november december"
_DATE = re.compile(
    rf"\d|\b(?:{'|'.join(_MONTHS.split())}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|century|decade|spring|summer|autumn"
    r"|winter|bc|ad)\b|[一二三四五六七八九十〇零]+(?:年|月|日|世纪)|年代|世纪|星期|周[一二三四五六日]|[春夏秋冬]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\d{3,4}|\d0s\b|centur|世纪|[一二三四五六七八九〇零]{3,4}年|公元|\b(?:bc|ad)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|[一二三四五六七八九十百千万亿两半零〇]|\b(?:zero|none|once|twice|thrice|one|two|three|four|five|six|seven|eight|nine"
    r"|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?"
    r"|thousands?|millions?|billions?|dozens?|half|single|double|triple|several|first|second|third)\b",
    re.IGNORECASE,
)
_ONLY_FIGURES = re.compile(r"^[\W\d_]*\d[\W\d_]*(?:年|月|日)?\W*$")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE = re.compile(
    r"^(?:[Ii]t|[Hh]e|[Ss]he|[Tt]hey|[Tt]his|[Tt]hat|[Tt]here|[Ww]e|[Tt]he [a-z]+) (?:is|was|are|were|has|had|did)\b"
    r"|[a-z]{3,}[.!?]\s+[A-Z]\w+ [a-z]|[。！？；]\s*\S",
)
_MOST_WORDS, _MOST_HAN, _MOST_OF_CHOICE = 14, 30, 10
_SAYS_YEAR = re.compile(r"^(?:years?|年份?)$|年$")


def form_problem(question: str, answer: str) -> Problem | None:
    """What is wrong with the form of an answer; None when nothing is."""
    said = answer.strip()
    if not name_key(said):
        return "empty"
    focus = focus_of(question)
    if _YES_NO.fullmatch(said):
        return None if focus.kind in ("yes-no", "other") else "not yes-no"
    if _WRAPPED.search(said):
        return "wrapped"
    if focus.kind == "yes-no":
        return "yes-no"
    if focus.kind == "choice":
        return None if _is_chosen(said, choices(question)) else "choice"
    return _problem_of(focus, said)


def _problem_of(focus: Focus, said: str) -> Problem | None:
    if focus.kind == "date":
        of_year = _SAYS_YEAR.search(focus.head) or (_HAN.search(focus.asked) and focus.asked.endswith("年"))
        if of_year:
            return _too_long(said) or (None if _YEAR.search(said) else "year")
        return _too_long(said) or (None if _DATE.search(said) else "date")
    if focus.kind == "number":
        return _too_long(said) or (None if _NUMBER.search(said) else "number")
    if focus.kind in ("person", "organisation", "place") and _ONLY_FIGURES.match(said):
        return "name"
    return _too_long(said)


def _too_long(said: str) -> Problem | None:
    if _SENTENCE.search(said):
        return "sentence"
    han = len(_HAN.findall(said))
    return "long" if han > _MOST_HAN or len(said.split()) > _MOST_WORDS else None


def _is_chosen(said: str, named: tuple[str, ...]) -> bool:
    """Whether an answer is one of the things to choose from: a part of its name, or the name with a few words more."""
    words = set(name_key(said).split()) or {said}
    return any(
        name_key(said) in name_key(each) or (set(name_key(each).split()) <= words and len(words) <= _MOST_OF_CHOICE)
        for each in named
    )
