"""Where notes stand: what comes before and after each in its source, and who speaks."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.index_arrays import Packed, integers, strings, value
from amb_core.text import index_tokens

__all__ = ["PlaceIndex"]

IntArray = NDArray[np.int64]
_NONE = -1
_MIN_TURNS = 2
"""Who speaks only once may as well be the title in "Title: text"."""


class PlaceIndex:
    """Sources, positions and speakers of notes by integer key; every operation is O(1) per note. Not thread-safe."""

    def __init__(self) -> None:
        self._key_at: dict[tuple[str, int], int] = {}
        self._place_of: dict[int, tuple[str, int]] = {}
        self._before = array("q")  # by key: the note one position earlier, or -1
        self._after = array("q")
        self._pairs = 0  # how many notes have one after them
        self._speaker_of: dict[int, str] = {}
        self._turns_of: dict[str, int] = {}  # speaker -> how many notes
        self._speakers_by_word: dict[str, dict[str, None]] = {}
        self._words_of: dict[str, tuple[str, ...]] = {}

    def put(self, key: int, *, source: str, position: int, speaker: str | None) -> None:
        """Insert or replace a note; one at a place already taken takes the place over."""
        self.remove(key)
        while len(self._before) <= key:
            self._before.append(_NONE)
            self._after.append(_NONE)
        if source:
            place = (source, position)
            if place in self._key_at:
                self._unplace(self._key_at[place])
            self._key_at[place], self._place_of[key] = key, place
            self._join(self._key_at.get((source, position - 1), _NONE), key)
            self._join(key, self._key_at.get((source, position + 1), _NONE))
        if speaker:
            self._speaker_of[key] = speaker
            self._turns_of[speaker] = self._turns_of.get(speaker, 0) + 1
            if speaker not in self._words_of:
                self._words_of[speaker] = tuple(index_tokens(speaker))
                for word in self._words_of[speaker]:
                    self._speakers_by_word.setdefault(word, {})[speaker] = None

    def remove(self, key: int) -> None:
        """Forget a note; an unknown key is no error."""
        self._unplace(key)
        speaker = self._speaker_of.pop(key, None)
        if speaker is not None:
            self._turns_of[speaker] -= 1
            if not self._turns_of[speaker]:
                del self._turns_of[speaker]
                for word in set(self._words_of.pop(speaker)):
                    speakers = self._speakers_by_word[word]
                    del speakers[speaker]
                    if not speakers:
                        del self._speakers_by_word[word]

    def around(self, keys: IntArray, *, before: int, after: int) -> list[IntArray]:
        """For each distance -before … -1, 1 … after the neighbours of `keys` at it; -1 where there is none.

        Nothing at all when no two notes are neighbours.
        """
        if not self._pairs:
            return []
        return self._walk(keys, self._before, before)[::-1] + self._walk(keys, self._after, after)

    @property
    def any_turns(self) -> bool:
        """Whether anything here is said by somebody."""
        return bool(self._speaker_of)

    def turns(self, keys: IntArray) -> NDArray[np.bool_]:
        """Which of the notes are turns of a dialogue."""
        if not self._speaker_of:
            return np.zeros(len(keys), dtype=bool)
        return np.array([self.speaks(self._speaker_of.get(key, "")) for key in keys.tolist()], dtype=bool)

    def speaks(self, name: str) -> bool:
        """Whether somebody of that name has more than one turn."""
        return self._turns_of.get(name, 0) >= _MIN_TURNS

    def said_by(self, speakers: Collection[str], keys: IntArray) -> NDArray[np.float32]:
        """1 for the notes that one of the `speakers` says, else 0."""
        return np.array([self._speaker_of.get(key) in speakers for key in keys.tolist()], dtype=np.float32)

    def named(self, terms: Collection[str]) -> list[str]:
        """The speakers all of whose name is among the `terms` of a query."""
        near = dict.fromkeys(name for term in terms for name in self._speakers_by_word.get(term, ()))
        return [name for name in near if self.speaks(name) and all(word in terms for word in self._words_of[name])]

    def name_terms(self, speakers: Sequence[str]) -> set[str]:
        """The index terms of these speakers' names."""
        return {word for speaker in speakers for word in self._words_of[speaker]}

    def renumber(self, new_key: IntArray) -> None:
        """Give every note a new key, `new_key[key]` (ascending)."""
        to = new_key.tolist()
        self._key_at = {place: to[key] for place, key in self._key_at.items()}
        self._place_of = {to[key]: place for key, place in self._place_of.items()}
        self._speaker_of = {to[key]: speaker for key, speaker in self._speaker_of.items()}
        kept = np.flatnonzero(new_key[: len(self._before)] != _NONE)
        for name in ("_before", "_after"):
            steps = np.array(getattr(self, name), dtype=np.int64)[kept]
            moved = np.where(steps == _NONE, _NONE, new_key[np.maximum(steps, 0)])
            setattr(self, name, array("q", moved.tobytes()))

    def packed(self) -> Packed:
        """Everything in it as arrays and JSON values."""
        number = {source: place for place, source in enumerate(dict.fromkeys(s for s, _ in self._key_at))}
        return {
            "sources": list(number),
            "keys": np.array(list(self._key_at.values()), dtype=np.int64),
            "source_of": np.array([number[source] for source, _ in self._key_at], dtype=np.int64),
            "positions": np.array([position for _, position in self._key_at], dtype=np.int64),
            "before": np.array(self._before, dtype=np.int64),
            "after": np.array(self._after, dtype=np.int64),
            "speakers": [[*self._speaker_of], [*self._speaker_of.values()]],
            "words": {speaker: list(words) for speaker, words in self._words_of.items()},
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        source = strings(packed, "sources")
        sources, positions = integers(packed, "source_of").tolist(), integers(packed, "positions").tolist()
        places = [(source[number], position) for number, position in zip(sources, positions, strict=True)]
        keys = integers(packed, "keys").tolist()
        self._key_at = dict(zip(places, keys, strict=True))
        self._place_of = dict(zip(keys, places, strict=True))
        self._before = array("q", integers(packed, "before").tobytes())
        self._after = array("q", integers(packed, "after").tobytes())
        self._pairs = int((integers(packed, "after") != _NONE).sum())
        speaking, speakers = value(packed, "speakers", list)
        self._speaker_of = dict(zip(speaking, speakers, strict=True))
        self._turns_of = dict(Counter(speakers))
        self._words_of = {speaker: tuple(words) for speaker, words in value(packed, "words", dict).items()}
        self._speakers_by_word = {}
        for speaker, words in self._words_of.items():
            for word in words:
                self._speakers_by_word.setdefault(word, {})[speaker] = None

    @staticmethod
    def _walk(keys: IntArray, table: array[int], reach: int) -> list[IntArray]:
        steps = np.frombuffer(table, dtype=np.int64)
        walked: list[IntArray] = []
        for _ in range(reach):
            keys = np.where(keys == _NONE, _NONE, steps[keys])
            walked.append(keys)
        return walked

    def _join(self, first: int, second: int) -> None:
        if _NONE not in (first, second):
            self._after[first], self._before[second] = second, first
            self._pairs += 1

    def _unplace(self, key: int) -> None:
        place = self._place_of.pop(key, None)
        if place is None:
            return
        del self._key_at[place]
        before, after = self._before[key], self._after[key]
        if before != _NONE:
            self._after[before] = _NONE
            self._pairs -= 1
        if after != _NONE:
            self._before[after] = _NONE
            self._pairs -= 1
        self._before[key] = self._after[key] = _NONE
