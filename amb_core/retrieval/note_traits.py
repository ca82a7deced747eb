"""What is known of a note besides its words: where it stands, who speaks, whether it asks, and when it speaks of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.indexed_text import IndexedText
from amb_core.retrieval.kept_index import Packed
from amb_core.text import date_terms, index_tokens
from amb_core.text.pure_cache import remembered

__all__ = ["NoteTraits"]

_NONE = -1
_MIN_TURNS = 2
"""Who speaks only once may as well be the title in "Title: text"."""

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


class NoteTraits:
    """The traits of notes by integer key; every operation is O(1) per note. Not thread-safe."""

    def __init__(self) -> None:
        self._key_at: dict[tuple[str, int], int] = {}
        self._place_of: dict[int, tuple[str, int]] = {}
        self._speaker_of: dict[int, str] = {}
        self._turns_of: dict[str, int] = {}  # speaker -> how many notes
        self._words_of: dict[str, tuple[str, ...]] = {}
        self._asking: dict[int, float] = {}  # the share of the text that is questions
        self._dates: dict[int, frozenset[str]] = {}
        self._recent: set[int] = set()  # names a time relative to now
        self._calendar: set[int] = set()  # names a year, month or day

    def put(self, key: int, note: IndexedText, terms: Collection[str]) -> None:
        """Insert or replace a note with these index terms; one at a place already taken takes the place over."""
        self.remove(key)
        self._put_place(key, note.source, note.position, note.speaker)
        text, asked = note.text, 0
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

    def _put_place(self, key: int, source: str, position: int, speaker: str | None) -> None:
        if source:
            place = (source, position)
            self._place_of.pop(self._key_at.get(place, _NONE), None)
            self._key_at[place], self._place_of[key] = key, place
        if speaker:
            self._speaker_of[key] = speaker
            self._turns_of[speaker] = self._turns_of.get(speaker, 0) + 1
            if speaker not in self._words_of:
                self._words_of[speaker] = tuple(index_tokens(speaker))

    def remove(self, key: int) -> None:
        """Forget a note; an unknown key is no error."""
        place = self._place_of.pop(key, None)
        if place is not None:
            del self._key_at[place]
        speaker = self._speaker_of.pop(key, None)
        if speaker is not None:
            self._turns_of[speaker] -= 1
            if not self._turns_of[speaker]:
                del self._turns_of[speaker], self._words_of[speaker]
        self._asking.pop(key, None)
        self._dates.pop(key, None)
        self._recent.discard(key)
        self._calendar.discard(key)

    def packed(self) -> Packed:
        """Everything in it as JSON values."""
        keys = sorted(self._place_of.keys() | self._speaker_of.keys())
        return {
            "places": [[key, *self._place_of.get(key, ("", 0)), self._speaker_of.get(key)] for key in keys],
            "asking": list(self._asking.items()),
            "dates": [[key, sorted(dates)] for key, dates in self._dates.items()],
            "recent": sorted(self._recent),
            "calendar": sorted(self._calendar),
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        for place in packed["places"]:
            self._put_place(*place)
        self._asking = dict(packed["asking"])
        self._dates = {key: frozenset(dates) for key, dates in packed["dates"]}
        self._recent, self._calendar = set(packed["recent"]), set(packed["calendar"])

    def around(self, keys: IntArray, *, before: int, after: int) -> list[IntArray]:
        """For each distance -before … -1, 1 … after the neighbours of `keys` at it; -1 where there is none."""
        notes = keys.tolist()
        earlier, later = ([self._walked(key, way, far) for key in notes] for way, far in ((-1, before), (1, after)))
        table = [found[::-1] + next_ones for found, next_ones in zip(earlier, later, strict=True)]
        return list(np.array(table, dtype=np.int64).reshape(len(notes), before + after).T)

    def _walked(self, key: int, way: int, far: int) -> list[int]:
        """The notes at the next `far` positions one `way`, up to the first that nobody has; -1 from there on."""
        source, position = self._place_of.get(key, ("", 0))
        found: list[int] = []
        while len(found) < far and (other := self._key_at.get((source, position + way * (len(found) + 1)))) is not None:
            found.append(other)
        return found + [_NONE] * (far - len(found))

    @property
    def any_turns(self) -> bool:
        """Whether anything here is said by somebody."""
        return bool(self._speaker_of)

    def turns(self, keys: IntArray) -> NDArray[np.bool_]:
        """Which of the notes are turns of a dialogue."""
        return np.array([self.speaks(self._speaker_of.get(key, "")) for key in keys.tolist()], dtype=bool)

    def speaks(self, name: str) -> bool:
        """Whether somebody of that name has more than one turn."""
        return self._turns_of.get(name, 0) >= _MIN_TURNS

    def said_by(self, speakers: Collection[str], keys: IntArray) -> NDArray[np.float32]:
        """1 for the notes that one of the `speakers` says, else 0."""
        return np.array([self._speaker_of.get(key) in speakers for key in keys.tolist()], dtype=np.float32)

    def named(self, terms: Collection[str]) -> list[str]:
        """The speakers all of whose name is among the `terms` of a query."""
        asked = set(terms)
        return [
            name for name, words in self._words_of.items() if words and self.speaks(name) and asked.issuperset(words)
        ]

    def name_terms(self, speakers: Sequence[str]) -> set[str]:
        """The index terms of these speakers' names."""
        return {word for speaker in speakers for word in self._words_of[speaker]}

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
