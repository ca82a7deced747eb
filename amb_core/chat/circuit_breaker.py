"""An endpoint that is down is left alone for a while, so that it does not cost every step all its attempts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from amb_core.errors import InvalidParameter, ModelRefused, ModelUnavailable

__all__ = ["Rest"]


class Rest:
    """After `failures` calls in a row that ended in ModelUnavailable none is made for `seconds`, then one as a probe.

    A probe that is answered or refused ends the rest, one that is not begins it anew. Thread-safe; `now` tells the
    seconds.
    """

    def __init__(self, *, failures: int = 3, seconds: float = 60.0, now: Callable[[], float] = time.monotonic) -> None:
        if failures < 1 or seconds < 0:
            raise InvalidParameter("a rest begins after a failure or more and takes 0 seconds or more")
        self._failures, self._seconds, self._now = failures, seconds, now
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._until = 0.0
        self._probing = False

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call inside; ModelUnavailable at once, without a request, while the endpoint rests."""
        probe = self._begin()
        there: bool | None = None
        try:
            yield
            there = True
        except ModelUnavailable:
            there = False
            raise
        except ModelRefused:
            there = True
            raise
        finally:
            self._end(there=there, probe=probe)

    def _begin(self) -> bool:
        """Whether the call is the probe."""
        with self._lock:
            if self._in_a_row < self._failures:
                return False
            left = self._until - self._now()
            if left > 0 or self._probing:
                raise ModelUnavailable(
                    f"the endpoint has not answered {self._in_a_row} calls in a row; it is tried again in "
                    f"{max(left, 0):.0f} s"
                )
            self._probing = True
            return True

    def _end(self, *, there: bool | None, probe: bool) -> None:
        """Note whether the endpoint is there; None when the call has not shown it."""
        with self._lock:
            self._probing = self._probing and not probe
            if there is not None:
                self._in_a_row = 0 if there else self._in_a_row + 1
            if there is False:
                self._until = self._now() + self._seconds
