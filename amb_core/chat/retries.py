"""Which failures of an endpoint are tried again, and when: ever later, with jitter, or when the server says."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar

from amb_core.chat_io import TokenUsage
from amb_core.deadline import OutOfTime, in_time
from amb_core.errors import InvalidParameter, MissingExtra, ModelError, ModelUnavailable

__all__ = ["Answered", "Failure", "Retrier", "RetryPolicy", "seconds_to_wait"]

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
        try:
            import tenacity
        except ImportError:
            raise MissingExtra("tenacity", extra="openai") from None
        if timeout <= 0:
            raise InvalidParameter(f"the timeout must be above 0 seconds, not {timeout}")
        self._tenacity: Any = tenacity
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
        result: _Reply | Failure = Failure(ModelUnavailable("the call was cancelled"), again=False)

        def left() -> float:
            return float("inf") if policy.total is None else begun + policy.total - time.monotonic()

        def attempt() -> _Reply | Failure:
            nonlocal spent, result
            if cancel.is_set():
                return result
            result = self._attempt(make, meaning, seconds=min(self._timeout, left()))
            if isinstance(result, Failure):
                spent += result.spent + TokenUsage(failed_calls=1)
            return result

        steps = self._tenacity.wait_exponential(multiplier=policy.first_wait, max=policy.longest_wait)
        backoff = steps + self._tenacity.wait_random(0, policy.first_wait)

        def wait(state: Any) -> float:
            asked = state.outcome.result().retry_after
            return float(backoff(state)) if asked is None else min(asked, policy.longest_wait)

        retrying = self._tenacity.Retrying(
            stop=self._tenacity.stop_any(
                self._tenacity.stop_after_attempt(policy.attempts),
                self._tenacity.stop_when_event_set(cancel),
                lambda state: state.upcoming_sleep >= left(),
            ),
            wait=wait,
            retry=self._tenacity.retry_if_result(lambda result: isinstance(result, Failure) and result.again),
            sleep=self._tenacity.sleep_using_event(cancel),
            retry_error_callback=lambda state: state.outcome.result(),
        )
        ended: _Reply | Failure = retrying(attempt)
        if isinstance(ended, Failure):
            ended.error.spent = spent
            raise ended.error
        return Answered(ended, spent)

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
