"""What one note hands to the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from amb_core.text import about, entities
from amb_core.text.pure_cache import remembered
from amb_values import name_key
from amb_values.speakers import turn_speakers

__all__ = ["IndexedText", "Named"]


@dataclass(frozen=True, slots=True)
class Named:
    """The names in a text: what it is `about`, what it `mentions`, and its speaker when it is one turn of a dialogue.

    Several turns have no one speaker, and those who speak in them are not what they are about.
    """

    about: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    speaker: str | None = None

    @staticmethod
    def of(text: str) -> Named:
        """Read the names off a text."""
        return _names_in(text)


@remembered(most=128, longest=20_000)
def _names_in(text: str) -> Named:
    """The names; a note that gets another topic or keyword is read once."""
    speakers = turn_speakers(text)
    mentions = dict.fromkeys(entity.name for entity in entities(text))
    if len(speakers) < 2:
        return Named(about(text), tuple(mentions), speakers[0] if speakers else None)
    speaking = {name_key(name) for name in speakers}
    subjects = (name for name in about(text) if name_key(name) not in speaking)
    return Named(tuple(subjects), tuple(name for name in mentions if name_key(name) not in speaking))


@dataclass(frozen=True, slots=True, eq=False)
class IndexedText:
    """One note as retrieval sees it: `text` is everything it can be found by.

    `about` and `mentions` are names as written; `vector` has unit length (or is zero) and shape [dimension]; time is
    in seconds since the epoch. `also` are further index terms it can be found by, which stand for no words of the text.
    """

    id: str
    text: str
    timestamp: float = 0.0
    vector: NDArray[np.float32] | None = None
    about: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    speaker: str | None = None
    also: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        id: str,
        *,
        text: str,
        timestamp: float = 0.0,
        vector: NDArray[np.float32] | None = None,
        also: tuple[str, ...] = (),
    ) -> Self:
        """A note whose names and speaker are read off its text."""
        named = Named.of(text)
        return cls(id, text, timestamp, vector, named.about, named.mentions, named.speaker, also)
