"""Words looked for without a pattern, and patterns that look at their first character before anything else."""

from collections.abc import Set

__all__ = ["opening_with", "word_anchors"]

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
