"""Character offsets as a browser counts them: UTF-16 units instead of code points."""

from __future__ import annotations

from bisect import bisect_left

__all__ = ["BrowserOffsets"]


class BrowserOffsets:
    """Translates offsets into one text; offsets beyond the text are moved to its end."""

    __slots__ = ("_length", "_wide")

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [at for at, char in enumerate(text) if char > "\uffff"]

    def of(self, offset: int) -> int:
        """The offset in UTF-16 units."""
        inside = min(max(offset, 0), self._length)
        return inside + bisect_left(self._wide, inside)
