"""Where the words of a set stand in a text: one cheap pass instead of a large regex at every character."""

import re
from collections.abc import Iterator, Set

__all__ = ["word_anchors"]

_WORD = re.compile(r"(?<![^\W\u2e80-\ud7af])[A-Za-z]+")


def word_anchors(text: str, words: Set[str]) -> Iterator[tuple[int, int]]:
    """(start, end) of the Latin words whose lower-case form is in `words`, in text order."""
    return (found.span() for found in _WORD.finditer(text) if found.group().lower() in words)
