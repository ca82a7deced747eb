"""What one note hands to the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from amb_core.text import about, dialogue_speaker, entities

__all__ = ["IndexedText"]


@dataclass(frozen=True, slots=True, eq=False)
class IndexedText:
    """One note as retrieval sees it: `text` is everything it can be found by.

    `position` counts the notes of one `source` (neighbours differ by 1); `about` and `mentions` are names as written;
    `vector` has unit length (or is zero) and shape [dimension]; `timestamp` is in seconds since the epoch.
    """

    id: str
    text: str
    timestamp: float = 0.0
    vector: NDArray[np.float32] | None = None
    source: str = ""
    position: int = 0
    about: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    speaker: str | None = None

    @classmethod
    def of(
        cls,
        id: str,
        *,
        text: str,
        timestamp: float = 0.0,
        vector: NDArray[np.float32] | None = None,
        source: str = "",
        position: int = 0,
    ) -> Self:
        """A note whose names and speaker are read off its text."""
        names = tuple(dict.fromkeys(entity.name for entity in entities(text)))
        return cls(id, text, timestamp, vector, source, position, about(text), names, dialogue_speaker(text))
