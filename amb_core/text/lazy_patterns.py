"""Cheaper ways to look for patterns: compiled at their first use, or looked for word by word."""

import re
from collections.abc import Set
from typing import Any, cast

__all__ = ["lazy_pattern", "opening_with", "word_anchors"]

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _LazyPattern:
    """Stands in for a pattern; takes over its methods the first time one of them is asked for."""

    __slots__ = (*_METHODS, "_flags", "_source")

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as far as its methods go; an error in the regex shows at the first use."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def word_anchors(text: str, words: Set[str]) -> list[tuple[int, int]]:
    """(start, end) of the Latin words whose lower-case form is in `words`, in text order."""
    folded = text.replace("\u0130", "I").lower()  # the one letter whose lower case is longer
    found: list[tuple[int, int]] = []
    for word in words:
        start = folded.find(word)
        while start >= 0:
            end = start + len(word)
            if folded[end : end + 1] not in _LETTERS and _may_begin(folded[start - 1 : start] if start else ""):
                found.append((start, end))
            start = folded.find(word, end)
    found.sort()
    return found


def _may_begin(before: str) -> bool:
    """Whether a Latin word may begin after a character: after none, a mark, or a Chinese one."""
    return not (before.isalnum() or before == "_") or "\u2e80" <= before <= "\ud7af"


def opening_with(pattern: str, first: str) -> str:
    """The regex with a cheap look at the first character before it; it must be in the character class `first`."""
    return rf"(?=[{first}])(?:{pattern})"
