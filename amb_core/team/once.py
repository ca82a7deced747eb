"""Which events were told of before."""

from __future__ import annotations

import threading
from hashlib import sha1

__all__ = ["FirstTime"]


class FirstTime:
    """Called with what happened, says whether it is told for the first time; True only once for each. Thread-safe."""

    def __init__(self) -> None:
        self._marks: set[bytes] = set()
        self._lock = threading.Lock()

    def __call__(self, *event: str) -> bool:
        mark = _mark(event)
        with self._lock:
            known = mark in self._marks
            self._marks.add(mark)
            return not known

    def __contains__(self, event: tuple[str, ...]) -> bool:
        return _mark(event) in self._marks


def _mark(event: tuple[str, ...]) -> bytes:
    return sha1("\0".join(event).encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
