"""Two clocks: the system's, and one that is set by hand for tests, replays and simulations; and what checks one."""

from __future__ import annotations

import math
import time
from typing import Protocol

from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter

__all__ = ["CheckedClock", "ManualClock", "SteadyClock", "SystemClock"]


class _Clock(Protocol):
    def now(self) -> float: ...


class CheckedClock:
    """A clock of somebody's, whose times are checked before anything is stamped with them."""

    def __init__(self, clock: _Clock) -> None:
        if not callable(getattr(clock, "now", None)):
            raise InvalidParameter(
                f"{type(clock).__name__} is no clock; pass an object with now(), such as SystemClock()"
            )
        self._clock = clock

    def now(self) -> float:
        """The clock's time in seconds; InvalidParameter when it tells none that can be stored."""
        told = self._clock.now()
        if isinstance(told, int | float) and math.isfinite(told) and told >= 0:
            return float(told)
        shown = str(told)[:40] if isinstance(told, int | float) else type(told).__name__
        raise InvalidParameter(f"the clock tells {shown}; its now() must give the seconds since 1970, 0 or more")


class SteadyClock:
    """A clock of somebody's, checked, that stands still while theirs is behind what was told before. Thread-safe."""

    def __init__(self, clock: _Clock) -> None:
        self._clock = CheckedClock(clock)
        self._latest = 0.0
        self._lock = CallLock()

    def now(self) -> float:
        """The time in seconds, never earlier than before; InvalidParameter when the clock tells none."""
        return self.not_before(self._clock.now())

    def not_before(self, time: float) -> float:
        """Tell no time before this one from now on; returns what the clock stands at."""
        with self._lock:
            self._latest = max(self._latest, time)
            return self._latest


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
