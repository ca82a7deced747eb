"""Two clocks: the system's, and one that is set by hand for tests, replays and simulations."""

from __future__ import annotations

import time

__all__ = ["ManualClock", "SystemClock"]


class SystemClock:
    """The system's time."""

    def now(self) -> float:
        """Seconds since the epoch (UTC)."""
        return time.time()


class ManualClock:
    """A clock that moves only when told to; `step` seconds are added after every reading."""

    def __init__(self, start: float = 0.0, *, step: float = 0.0) -> None:
        self._now = start
        self._step = step

    def now(self) -> float:
        """The set time in seconds; moves on by `step` afterwards."""
        current = self._now
        self._now += self._step
        return current

    def advance(self, seconds: float) -> None:
        """Move by `seconds` (negative moves back, as real clocks sometimes do)."""
        self._now += seconds

    def set(self, now: float) -> None:
        """Set the time in seconds since the epoch."""
        self._now = now
