"""How much is done: a bar on a terminal, and elsewhere a line every few seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

from amb_cli.user_language import translate

__all__ = ["ProgressBar"]

_WIDTH = 32
_EVERY = 5.0
"""Seconds between two lines where there is no terminal; what takes less says nothing."""


class ProgressBar:
    """Says on standard error how much of `total` requests is done, by a bar that is gone at the end, or by lines."""

    def __init__(self, total: int, *, stream: TextIO | None = None, seconds: float = _EVERY) -> None:
        self._stream = stream or sys.stderr
        self._total, self._done, self._drawn = max(total, 1), 0, -1
        self._every, self._told = seconds, time.monotonic()
        self._bar = self._stream.isatty()

    def __enter__(self) -> Self:
        return self

    def add(self, done: int) -> None:
        """So much more is done; 0 says only that work goes on."""
        self._done += done
        percent = min(100, 100 * self._done // self._total)
        if self._bar:
            self._draw(percent)
        elif time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            told = {"percent": percent, "done": min(self._done, self._total), "total": self._total}
            self._stream.write(translate("{percent} % done: {done:,} of {total:,} requests", **told) + "\n")
            self._stream.flush()

    def _draw(self, percent: int) -> None:
        if percent != self._drawn:
            self._drawn = percent
            filled = _WIDTH * percent // 100
            self._stream.write(f"\r[{'#' * filled}{' ' * (_WIDTH - filled)}] {percent:3d} %")
            self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn >= 0:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
