"""A progress bar on a terminal, and nothing where there is none."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self, TextIO

__all__ = ["ProgressBar"]

_WIDTH = 32


class ProgressBar:
    """Draws on standard error how much of `total` is done; gone at the end of `with`."""

    def __init__(self, total: int, *, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._total, self._done, self._drawn = max(total, 1), 0, -1
        self._shown = self._stream.isatty()

    def __enter__(self) -> Self:
        return self

    def add(self, done: int) -> None:
        """So much more is done."""
        self._done += done
        percent = min(100, 100 * self._done // self._total)
        if self._shown and percent != self._drawn:
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
