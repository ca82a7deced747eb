"""Where notes stand: what comes before and after each in its source, and who speaks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.kept_index import Packed
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
        self._speaker_of: dict[int, str] = {}
        self._turns_of: dict[str, int] = {}  # speaker -> how many notes
        self._words_of: dict[str, tuple[str, ...]] = {}

    def put(self, key: int, *, source: str, position: int, speaker: str | None) -> None:
        """Insert or replace a note; one at a place already taken takes the place over."""
        self.remove(key)
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

    def packed(self) -> Packed:
        """What `put` was given of each note, as JSON values."""
        keys = sorted(self._place_of.keys() | self._speaker_of.keys())
        return {"notes": [[key, *self._place_of.get(key, ("", 0)), self._speaker_of.get(key)] for key in keys]}

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        for key, source, position, speaker in packed["notes"]:
            self.put(key, source=source, position=position, speaker=speaker)
