"""Finds the Chinese names that notes are about in the texts of other notes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amb_core.text.common_chinese import COMMON_WORDS

__all__ = ["HanNames"]

_NAME = re.compile(r"[\u3400-\u9fff]{2,20}")
_DOTS = re.compile("[·‧・•]")
_START = 2


class HanNames:
    """Keys of names (see `name_key`) that are all Chinese characters; everyday words are no names.

    Looking through a text costs no more, however many names are known. Not thread-safe.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_start: dict[str, list[str]] = {}  # the first two characters -> names
        for key in keys:
            self.add(key)

    def add(self, key: str) -> bool:
        """Know a name; False when it is none or known already."""
        if key[:1] < "\u3400" or not _NAME.fullmatch(key) or key in COMMON_WORDS:
            return False
        names = self._by_start.setdefault(key[:_START], [])
        if key in names:
            return False
        names.append(key)
        return True

    def discard(self, key: str) -> None:
        """Forget a name; an unknown one is no error."""
        names = self._by_start.get(key[:_START], [])
        if key in names:
            names.remove(key)
            if not names:
                del self._by_start[key[:_START]]

    def find(self, text: str, terms: Iterable[str]) -> list[str]:
        """The names in a text, the longest first; one counts where it is no part of a longer one.

        `terms` are the index terms of the text; their pairs of characters say which names are worth looking for.
        """
        if not self._by_start or text.isascii():
            return []
        known = self._by_start.keys() & set(terms)
        names = sorted((name for start in known for name in self._by_start[start]), key=lambda name: (-len(name), name))
        left = _DOTS.sub("", text)
        found: list[str] = []
        for name in names:
            if name in left:
                found.append(name)
                left = left.replace(name, " ")
        return found
