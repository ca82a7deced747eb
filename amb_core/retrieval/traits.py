"""What is known of a note besides its words: whether it asks, when it speaks of, and how much that counts."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from amb_core.text import date_terms

__all__ = ["Traits"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

ASKING = 0.4
"""What a turn loses that only asks: evidence is what was said."""
DATED = 0.4
TIMED = 0.15

_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_STAMP = re.compile(r"^\s*[\[(【（][^\])】）\n]{1,60}[\])】）]", re.MULTILINE)
_ASKS_WHEN = re.compile(
    r"\b(?:when|how long|how old|(?:what|which) (?:year|month|date|day|week))\b"
    r"|何时|什么时候|多久|多少年|哪[一]?[年天日]|几[月年号]",
    re.IGNORECASE,
)
_SAYS_WHEN = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|since|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december|[12]\d{3}"
    r"|(?:last|next|this|past|every|few|\d+) (?:week|weekend|month|year|summer|winter|spring|fall|night|day)s?)\b"
    r"|\d ?[年月日号天周]|[昨今明前后]天|[上下][周个]|[去今明前]年|[一二三四五六七八九十]月|以前|最近|刚才",
    re.IGNORECASE,
)
_HAS_DATE = re.compile(r"\d{4}|[\d一二三四五六七八九十]月")


class Traits:
    """The traits of notes by integer key. Not thread-safe."""

    def __init__(self) -> None:
        self._asking: dict[int, float] = {}  # the share of the text that is questions
        self._dates: dict[int, frozenset[str]] = {}
        self._timed: set[int] = set()  # names a time at all; the stamp of a log line does not count

    def put(self, key: int, *, text: str, turn: bool) -> None:
        """Read the traits off a text; only turns of a dialogue can be mere questions."""
        self.remove(key)
        asked = sum(len(question) for question in _QUESTION.findall(text)) / len(text) if turn and text else 0.0
        if asked:
            self._asking[key] = asked
        if _HAS_DATE.search(text) and (dates := date_terms(text)):
            self._dates[key] = dates
        if _SAYS_WHEN.search(_STAMP.sub("", text)):
            self._timed.add(key)

    def remove(self, key: int) -> None:
        """Forget a note; an unknown key is no error."""
        self._asking.pop(key, None)
        self._dates.pop(key, None)
        self._timed.discard(key)

    def factors(self, keys: IntArray, *, query: str) -> FloatArray:
        """How much each note counts for a query, float32 of shape [len(keys)], around 1."""
        notes = keys.tolist()
        factors = np.ones(len(notes), dtype=np.float32)
        if self._asking:
            factors -= np.float32(ASKING) * np.array([self._asking.get(key, 0.0) for key in notes], dtype=np.float32)
        if _ASKS_WHEN.search(query):
            timed = np.array([key in self._timed for key in notes], dtype=np.float32)
            factors *= np.float32(1.0) + np.float32(TIMED) * timed
        if dates := date_terms(query):
            shared = [len(dates & self._dates.get(key, frozenset())) / len(dates) for key in notes]
            factors *= np.float32(1.0) + np.float32(DATED) * np.array(shared, dtype=np.float32)
        return factors
