"""Which failures of an endpoint are tried again, and when: ever later, with jitter, or when the server says.

An endpoint that is down is left alone for a while, so that it does not cost every step all its attempts.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar

from amb_chat.deadline import OutOfTime, in_time
from amb_core.call_lock import CallLock
from amb_core.chat_io import TokenUsage
from amb_core.errors import InvalidParameter, ModelError, ModelRefused, ModelUnavailable

__all__ = ["Answered", "Failure", "Rest", "Retrier", "RetryPolicy", "seconds_to_wait"]

_Reply = TypeVar("_Reply")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently: `attempts` in all, waiting between `first_wait` and `longest_wait` seconds.

    A server may ask for another wait (`Retry-After`), up to `longest_wait`. `total` bounds the seconds of all attempts
    and waits together; None does not. Raises InvalidParameter for numbers that allow no attempt.
    """

    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 30.0
    total: float | None = 300.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first_wait < 0 or self.longest_wait < 0 or (self.total or 1) <= 0:
            raise InvalidParameter("a retry policy needs an attempt or more, waits of 0 or more, a total above 0")

    def wait_after(self, number: int, asked: float | None) -> float:
        """Seconds to wait after the attempt of that number, from 0: those `asked` for, or twice as many each time."""
        if asked is not None:
            return min(asked, self.longest_wait)
        return min(self.first_wait * 2.0 ** min(number, 60), self.longest_wait) + random.uniform(0, self.first_wait)

    def seconds_left(self, begun: float) -> float:
        """Seconds that are left of a call that began at that time of the monotonic clock."""
        return float("inf") if self.total is None else begun + self.total - time.monotonic()


@dataclass(frozen=True, slots=True)
class Failure:
    """What an attempt that failed means: the error to raise in the end, and whether and when to try again.

    `retry_after` are the seconds the server asked for, `spent` the tokens it reported all the same.
    """

    error: ModelError
    again: bool
    retry_after: float | None = None
    spent: TokenUsage = field(default_factory=TokenUsage)


@dataclass(frozen=True, slots=True)
class Answered(Generic[_Reply]):
    """A usable answer, and what was spent on attempts before it."""

    answer: _Reply
    spent: TokenUsage


class Retrier:
    """Makes calls under one policy; `cancel` ends a wait and an attempt at once, with the failure that led to it."""

    def __init__(self, policy: RetryPolicy, *, timeout: float, cancel: threading.Event | None = None) -> None:
        if timeout <= 0:
            raise InvalidParameter(f"the timeout must be above 0 seconds, not {timeout}")
        self._policy = policy
        self._timeout = float(timeout)
        self._cancel = cancel

    def call(
        self, make: Callable[[float], _Reply | Failure], *, meaning: Callable[[Exception], Failure | None]
    ) -> Answered[_Reply]:
        """The answer and what failed attempts before it cost; else the ModelError that the last failure means.

        `make` is given the seconds it may take, and is left alone when it takes longer. `meaning` says what an
        exception means; one that it does not know (None) goes on as it is.
        """
        policy, begun, spent = self._policy, time.monotonic(), TokenUsage()
        cancel = self._cancel or threading.Event()
        failure = Failure(ModelUnavailable("the call was cancelled"), again=False)
        for number in range(policy.attempts if not cancel.is_set() else 0):
            seconds = min(self._timeout, policy.seconds_left(begun))
            result = self._attempt(make, meaning, seconds=seconds)
            if not isinstance(result, Failure):
                return Answered(result, spent)
            failure, spent = result, spent + result.spent + TokenUsage(failed_calls=1)
            wait = policy.wait_after(number, failure.retry_after)
            is_last = number + 1 == policy.attempts or wait >= policy.seconds_left(begun)
            if not failure.again or is_last or cancel.wait(wait):
                break
        failure.error.spent = spent
        raise failure.error

    def _attempt(
        self,
        make: Callable[[float], _Reply | Failure],
        meaning: Callable[[Exception], Failure | None],
        *,
        seconds: float,
    ) -> _Reply | Failure:
        """One attempt; a failure is a value, so that no exception that knows a key is the cause of ours."""
        try:
            return in_time(lambda: make(seconds), seconds=seconds, cancel=self._cancel)
        except OutOfTime as late:
            if late.cancelled:
                return Failure(ModelUnavailable("the call was cancelled"), again=False)
            return Failure(
                ModelUnavailable(f"the model did not answer within {seconds:.3g} s; raise the timeout or try later"),
                again=True,
            )
        except Exception as error:
            failure = meaning(error)
            if failure is None:
                raise
            return failure


def seconds_to_wait(headers: Mapping[str, str] | None) -> float | None:
    """What `Retry-After` asks for, as seconds from now: a number, or the date it names; None without a sensible one."""
    said = (headers or {}).get("retry-after") or ""
    try:
        asked = float(said)
    except ValueError:
        try:
            asked = (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):  # no date, or one without a zone
            return None
    return max(asked, 0.0) if asked < float("inf") else None


class Rest:
    """After `failures` calls in a row that ended in ModelUnavailable none is made for `seconds`, then one as a probe.

    A probe that is answered or refused ends the rest, one that is not begins it anew. Thread-safe; `now` tells the
    seconds.
    """

    def __init__(self, *, failures: int = 3, seconds: float = 60.0, now: Callable[[], float] = time.monotonic) -> None:
        if failures < 1 or seconds < 0:
            raise InvalidParameter("a rest begins after a failure or more and takes 0 seconds or more")
        self._failures, self._seconds, self._now = failures, seconds, now
        self._lock = CallLock()
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
