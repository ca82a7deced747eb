"""How the time of every text function grows with texts made to be slow: `python tests/text/hostile_text.py [SIZE]`.

Prints the functions and pieces whose CPU time grows by more than twice the factor of the length. Nothing is asserted:
a machine that does other things as well shows single rows that the next run does not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

from test_any_text import FUNCTIONS, PIECES

from amb_core.text import forget_texts

_FACTOR = 4
_SHORTEST_SECONDS = 0.02


def seconds(function: Callable[..., object], text: str) -> float:
    """The CPU time of one call that finds nothing kept from before."""
    forget_texts()
    start = time.thread_time()
    function(text)
    return time.thread_time() - start


def slow_rows(size: int) -> Iterator[tuple[str, str, float, float]]:
    """Function, piece and the seconds at `size` and at four times `size` characters, where they grow too fast."""
    for function in FUNCTIONS:
        for piece in dict.fromkeys(PIECES):
            long = piece * (_FACTOR * size // len(piece) + 1)
            before, after = seconds(function, long[:size]), seconds(function, long[: _FACTOR * size])
            if after > _SHORTEST_SECONDS and after > 2 * _FACTOR * before:
                yield getattr(function, "__name__", "?"), piece, before, after


if __name__ == "__main__":
    for name, piece, before, after in slow_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000):
        print(f"{name:20} {piece!r:16} {before:8.4f} s {after:8.4f} s")
