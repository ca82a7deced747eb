"""Where notes stand: what comes before and after each in its source, and who speaks."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.index_arrays import Packed, value
from amb_core.text import index_tokens

__all__ = ["PlaceIndex"]

IntArray = NDArray[np.int64]
_NONE = -1
_MIN_TURNS = 2
"""Who speaks only once may as well be the title in "Title: text"."""


class PlaceIndex:
    """Sources, positions and speakers of notes by integer key; every operation is O(1) per note. Not thread-safe."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._key_at: dict[tuple[str, int], int] = {}
        self._place_of: dict[int, tuple[str, int]] = {}
        self._before = array("q")  # by key: the note one position earlier, or -1
        self._after = array("q")
        self._pairs = 0  # how many notes have one after them
        self._speaker_of: dict[int, str] = {}
        self._turns_of: dict[str, int] = {}  # speaker -> how many notes
        self._words_of: dict[str, tuple[str, ...]] = {}

    def put(self, key: int, *, source: str, position: int, speaker: str | None) -> None:
        """Insert or replace a note; one at a place already taken takes the place over."""
        self.remove(key)
        self._make_room(key + 1)
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

    def remove(self, key: int) -> None:
        """Forget a note; an unknown key is no error."""
        self._unplace(key)
        speaker = self._speaker_of.pop(key, None)
        if speaker is not None:
            self._turns_of[speaker] -= 1
            if not self._turns_of[speaker]:
                del self._turns_of[speaker], self._words_of[speaker]

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
        asked = set(terms)
        return [
            name for name, words in self._words_of.items() if words and self.speaks(name) and asked.issuperset(words)
        ]

    def name_terms(self, speakers: Sequence[str]) -> set[str]:
        """The index terms of these speakers' names."""
        return {word for speaker in speakers for word in self._words_of[speaker]}

    def renumber(self, new_key: IntArray) -> None:
        """Give every note a new key, `new_key[key]` (ascending)."""
        to = new_key.tolist()
        notes = [(to[key], *note) for key, *note in self._notes()]
        self._refill(notes, size=int((new_key[: len(self._before)] != _NONE).sum()))

    def packed(self) -> Packed:
        """Everything in it as JSON values: what `put` was given of each note."""
        return {"notes": [list(note) for note in self._notes()], "size": len(self._before)}

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        self._refill(value(packed, "notes", list), size=value(packed, "size", int))

    def _notes(self) -> Iterator[tuple[int, str, int, str | None]]:
        for key in sorted(self._place_of.keys() | self._speaker_of.keys()):
            yield key, *self._place_of.get(key, ("", 0)), self._speaker_of.get(key)

    def _refill(self, notes: Iterable[Sequence[Any]], *, size: int) -> None:
        self._clear()
        for key, source, position, speaker in notes:
            self.put(key, source=source, position=position, speaker=speaker)
        self._make_room(size)

    def _make_room(self, size: int) -> None:
        missing = max(size - len(self._before), 0)
        self._before.extend([_NONE] * missing)
        self._after.extend([_NONE] * missing)

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
