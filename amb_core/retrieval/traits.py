"""What is known of a note besides its words: whether it asks, when it speaks of, and how much that counts."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.kept_index import Packed
from amb_core.text import date_terms, index_tokens
from amb_core.text.pure_cache import remembered

__all__ = ["Traits"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

ASKING = 0.4
"""What a turn loses that only asks: evidence is what was said."""
DATED = 0.4
TIMED = 0.15

_SENTENCE = re.compile(r"[^.!?。！？\n]*+[.!?。！？\n]")
_ASKS_WHEN = re.compile(
    r"\b(?:when|how long|how old|(?:what|which) (?:year|month|date|day|week))\b"
    r"|何时|什么时候|多久|多少年|哪[一]?[年天日]|几[月年号]",
    re.IGNORECASE,
)
_HAS_DATE = re.compile(r"(?<!\w)[12]\d{3}(?!\w)|[\d一二三四五六七八九十][年月]")
_HAS_YEAR = re.compile(r"[12](?<!\w[12])\d{3}(?!\w)")
"""What `_HAS_DATE` finds in a line without Chinese, found by its first digit."""
_YEAR = re.compile(r"[12]\d{3}")
_YEAR_CHARS = 4
_RELATIVE = frozenset(
    index_tokens(
        "yesterday today tonight tomorrow ago recently last next week weekend month year "
        "monday tuesday wednesday thursday friday saturday sunday"
    )
) | set("昨天 今天 明天 前天 后天 上周 下周 周末 去年 今年 明年 前年 上月 上个 下个 最近 刚才 以前".split())
_CALENDAR = frozenset(
    index_tokens("january february march april june july august september october november december 年 月 日")
)


def _has_date(line: str) -> bool:
    return (_HAS_YEAR if line.isascii() else _HAS_DATE).search(line) is not None


@remembered(most=4_096, longest=4_000)
def _dates_in(line: str) -> frozenset[str]:
    """The dates in a line: a note that gets another topic or keyword keeps all its other lines."""
    return date_terms(line)


class Traits:
    """The traits of notes by integer key. Not thread-safe."""

    def __init__(self) -> None:
        self._asking: dict[int, float] = {}  # the share of the text that is questions
        self._dates: dict[int, frozenset[str]] = {}
        self._recent: set[int] = set()  # names a time relative to now
        self._calendar: set[int] = set()  # names a year, month or day

    def put(self, key: int, *, text: str, terms: Collection[str]) -> None:
        """Read the traits off a text and its index terms."""
        self.remove(key)
        asked = 0
        if "?" in text or "？" in text:
            asked = sum(len(sentence) for sentence in _SENTENCE.findall(text) if sentence[-1] in "?？")
        if asked:
            self._asking[key] = asked / len(text)
        if dates := frozenset().union(*(_dates_in(line) for line in text.splitlines() if _has_date(line))):
            self._dates[key] = dates
        if not _RELATIVE.isdisjoint(terms):
            self._recent.add(key)
        if not _CALENDAR.isdisjoint(terms) or any(_YEAR.fullmatch(term) for term in terms if len(term) == _YEAR_CHARS):
            self._calendar.add(key)

    def remove(self, key: int) -> None:
        """Forget a note; an unknown key is no error."""
        self._asking.pop(key, None)
        self._dates.pop(key, None)
        self._recent.discard(key)
        self._calendar.discard(key)

    def packed(self) -> Packed:
        """Everything in it as JSON values."""
        return {
            "asking": list(self._asking.items()),
            "dates": [[key, sorted(dates)] for key, dates in self._dates.items()],
            "recent": sorted(self._recent),
            "calendar": sorted(self._calendar),
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        self._asking = dict(packed["asking"])
        self._dates = {key: frozenset(dates) for key, dates in packed["dates"]}
        self._recent, self._calendar = set(packed["recent"]), set(packed["calendar"])

    def factors(self, keys: IntArray, *, turns: BoolArray, query: str) -> FloatArray:
        """How much each note counts for a query, float32 of shape [len(keys)], around 1.

        Only `turns` of a dialogue can be mere questions; the dates in them are a log's time stamps mostly and do not
        say when something was.
        """
        notes = keys.tolist()
        factors = np.ones(len(notes), dtype=np.float32)
        if turns.any():
            asking = np.array([self._asking.get(key, 0.0) for key in notes], dtype=np.float32)
            factors -= np.float32(ASKING) * asking * turns
        if _ASKS_WHEN.search(query):
            recent = np.array([key in self._recent for key in notes], dtype=bool)
            calendar = np.array([key in self._calendar for key in notes], dtype=bool)
            factors *= np.float32(1.0) + np.float32(TIMED) * (recent | (calendar & ~turns))
        if dates := date_terms(query):
            shared = [len(dates & self._dates.get(key, frozenset())) / len(dates) for key in notes]
            factors *= np.float32(1.0) + np.float32(DATED) * np.array(shared, dtype=np.float32)
        return factors
