"""What is known of a note besides its words: whether it asks, when it speaks of, and how much that counts."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from amb_core.text import date_terms, index_tokens

__all__ = ["Traits"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

ASKING = 0.4
"""What a turn loses that only asks: evidence is what was said."""
DATED = 0.4
TIMED = 0.15

_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_ASKS_WHEN = re.compile(
    r"\b(?:when|how long|how old|(?:what|which) (?:year|month|date|day|week))\b"
    r"|何时|什么时候|多久|多少年|哪[一]?[年天日]|几[月年号]",
    re.IGNORECASE,
)
_HAS_DATE = re.compile(r"(?<!\w)[12]\d{3}(?!\w)|[\d一二三四五六七八九十][年月]")
_YEAR = re.compile(r"[12]\d{3}")
_RELATIVE = frozenset(
    index_tokens(
        "yesterday today tonight tomorrow ago recently last next week weekend month year "
        "monday tuesday wednesday thursday friday saturday sunday"
    )
) | set("昨天 今天 明天 前天 后天 上周 下周 周末 去年 今年 明年 前年 上月 上个 下个 最近 刚才 以前".split())
_CALENDAR = frozenset(
    index_tokens("january february march april june july august september october november december 年 月 日")
)


class Traits:
    """The traits of notes by integer key. Not thread-safe."""

    def __init__(self) -> None:
        self._asking: dict[int, float] = {}  # the share of the text that is questions
        self._dates: dict[int, frozenset[str]] = {}
        self._timed: set[int] = set()  # names a time at all

    def put(self, key: int, *, text: str, terms: Collection[str], turn: bool) -> None:
        """Read the traits off a text and its index terms.

        Only turns of a dialogue can be mere questions; the calendar dates in them are a log's time stamps mostly.
        """
        self.remove(key)
        asked = sum(len(question) for question in _QUESTION.findall(text)) / len(text) if turn and text else 0.0
        if asked:
            self._asking[key] = asked
        if _HAS_DATE.search(text) and (dates := date_terms(text)):
            self._dates[key] = dates
        if not _RELATIVE.isdisjoint(terms) or (not turn and _names_date(terms)):
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


def _names_date(terms: Collection[str]) -> bool:
    return not _CALENDAR.isdisjoint(terms) or any(map(_YEAR.fullmatch, terms))
