"""A text as it is read beside the text as it was written: a string without its escapes, a page without its tags.

Passages are found in what is read, and every one is a stretch of what was written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

__all__ = ["Projection", "unescape_string"]

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Projection:
    """`text` is what is read; its piece that begins at `starts[i]` was written from `written[i]` on.

    A piece either was written as it is read or, where the next one begins further on, in more characters.
    """

    text: str
    starts: tuple[int, ...]
    written: tuple[int, ...]

    def start(self, place: int) -> int:
        """Where the character at `place` begins in what was written."""
        at = bisect_right(self.starts, place) - 1
        return self.written[at] + place - self.starts[at]

    def end(self, place: int) -> int:
        """Where the character before `place` ends in what was written."""
        at = bisect_right(self.starts, place - 1) - 1
        stop = self.written[at] + place - self.starts[at]
        ends_piece = at + 1 < len(self.starts) and place == self.starts[at + 1]
        return max(stop, self.written[at + 1]) if ends_piece and self._is_escape(at) else stop

    def _is_escape(self, at: int) -> bool:
        return self.starts[at + 1] - self.starts[at] == 1


def unescape_string(text: str, start: int, end: int) -> Projection:
    """What the characters `start:end` of a quoted string mean."""
    parts: list[str] = []
    starts, written = [0], [start]
    length, done = 0, start
    for found in _ESCAPE.finditer(text, start, end):
        plain, mark = text[done : found.start()], found[1]
        meant = chr(int(mark[1:], 16)) if len(mark) > 1 else _MEANT.get(mark, mark)
        parts += (plain, meant)
        length += len(plain)
        starts += (length, length + 1)
        written += (found.start(), found.end())
        length, done = length + 1, found.end()
    parts.append(text[done:end])
    return Projection("".join(parts), tuple(starts), tuple(written))
