"""Whether a record holds what a question asks for at all: its names, the kind of value, what it is about.

A guess from words, fitted and measured by `amb bench longterm sure`; nothing is left out by it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from amb_core.text import detect_language, dialogue_speaker, entities, index_tokens, values
from amb_longterm.everyday_words import topics_of

__all__ = ["ASKED_FOR", "Asked", "is_sure", "kinds_in", "signs_of", "sureness"]

ASKED_FOR = {
    "date": re.compile(
        r"(?i)\bwhen\b|\b(?:what|which) (?:time|day|date|month|year|weekday)\b|何时|时候|几[点号]|[期周]几|哪一?天|哪年"
    ),
    "number": re.compile(
        r"(?i)\bhow (?:many|much|old|tall|long|heavy|far|big|often|high)\b|多[少大高重长久]|几(?![乎点号天年])"
    ),
    "place": re.compile(r"(?i)\bwhere\b|哪(?:里|儿|座|个?城市|个?地方)|何处"),
    "person": re.compile(r"(?i)\bwho(?:se|m)?\b|谁|哪位"),
}
"""The kinds of value that a question may ask for, and how it does."""
_DATE = re.compile(r"[一二三四五六七八九十\d]+[月号日点]|周[一二三四五六日天末]|星期|[早晚]上|上午|下午")
_PLACE = re.compile(r"\b(?:in|at|to|near|from|on) (?:the )?[A-Z]|在|去|到")
_WEIGHTS = (-3.83, 2.09, 1.94, 2.23, 0.59, 0.35, 0.43, -0.9, 0.15)
"""Of what `signs_of` sees, in its order: fitted on 128 questions of everyday facts and 594 of two talks, half of them
without an answer."""
_SURE, _FEW, _POWER = 0.5, 4.0, 1.5
_READ = 4_000
"""Characters of a record that are looked at."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for: the index terms of each name in it, the kind of value, its topics, how many words."""

    names: tuple[frozenset[str], ...]
    kind: str
    about: frozenset[str]
    words: int
    is_chinese: bool

    @classmethod
    def of(cls, question: str) -> Asked:
        """Read off a question."""
        named = (frozenset(index_tokens(each.name)) for each in entities(question[:_READ]))
        terms = index_tokens(question[:_READ])
        return cls(
            names=tuple(filter(None, named)),
            kind=next((kind for kind, asks in ASKED_FOR.items() if asks.search(question)), ""),
            about=topics_of(terms),
            words=len({term for term in terms if len(term) > 1}),
            is_chinese=detect_language(question) == "zh",
        )


def kinds_in(text: str) -> frozenset[str]:
    """The kinds of values in a text: number, date, unit, name, place, person."""
    found: set[str] = {value.kind for value in values(text)}
    found |= {"date"} if _DATE.search(text) else set()
    found |= {"place"} if _PLACE.search(text) else set()
    return frozenset(found | ({"person"} if "name" in found or dialogue_speaker(text) else set()))


def signs_of(asked: Asked, text: str, *, held: float) -> tuple[float, ...]:
    """What speaks for a record that holds a share `held` of a question's words, in [0, 1] each."""
    terms, kinds = frozenset(index_tokens(text[:_READ])), kinds_in(text[:_READ]) if asked.kind else frozenset[str]()
    names = [len(name & terms) / len(name) for name in asked.names]
    words = min(1.0, asked.words / _FEW)
    return (
        1.0,
        held,
        held**_POWER * words,
        sum(names) / len(names) if names else 1.0,
        float(asked.kind in kinds or (asked.kind == "number" and "unit" in kinds)),
        float(not asked.kind),
        len(asked.about & topics_of(terms)) / len(asked.about) if asked.about else 0.5,
        words,
        float(asked.is_chinese),
    )


def sureness(asked: Asked, text: str, *, held: float) -> float:
    """How likely a record holds what is asked for, in [0, 1]."""
    signs = signs_of(asked, text, held=held)
    return 1.0 / (1.0 + math.exp(-sum(weight * sign for weight, sign in zip(_WEIGHTS, signs, strict=True))))


def is_sure(asked: Asked, text: str, *, held: float) -> bool:
    """Whether a record more likely than not holds what is asked for."""
    return sureness(asked, text, held=held) >= _SURE
