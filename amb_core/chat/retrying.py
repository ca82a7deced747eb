"""Which failures of an endpoint are tried again, and when: ever later, with jitter, or when the server says."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from amb_core.errors import MissingExtra, ModelError

__all__ = ["Failure", "Retrier", "RetryPolicy"]

_Reply = TypeVar("_Reply")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently: `attempts` in all, waiting between `first_wait` and `longest_wait` seconds."""

    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 30.0


@dataclass(frozen=True, slots=True)
class Failure:
    """What a client's exception means: the error to raise in the end, and whether and when to try again.

    `retry_after` are the seconds the server asked for.
    """

    error: ModelError
    again: bool
    retry_after: float | None = None


class _TriedAgain(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


class Retrier:
    """Makes calls under one policy; `cancel` ends a wait at once, with the failure that led to it."""

    def __init__(self, policy: RetryPolicy, *, cancel: threading.Event | None = None) -> None:
        try:
            import tenacity
        except ImportError:
            raise MissingExtra("tenacity", extra="openai") from None
        self._tenacity = tenacity
        self._policy = policy
        self._cancel = cancel or threading.Event()

    def call(self, make: Callable[[], _Reply], *, meaning: Callable[[Exception], Failure | None]) -> tuple[_Reply, int]:
        """The reply and how many attempts failed before it; else the ModelError that the last failure means.

        `meaning` says what an exception means; one that it does not know (None) goes on as it is.
        """
        failed = 0

        def attempt() -> _Reply:
            nonlocal failed
            try:
                return make()
            except Exception as error:
                failure = meaning(error)
                if failure is None:
                    raise
                failed += 1
                failure.error.failed_calls = failed
                if not failure.again or self._cancel.is_set():
                    raise failure.error from error
                raise _TriedAgain(failure) from error

        tenacity, policy = self._tenacity, self._policy
        steps = tenacity.wait_exponential(multiplier=policy.first_wait, max=policy.longest_wait)
        backoff = steps + tenacity.wait_random(0, policy.first_wait)

        def wait(state: object) -> float:
            error = state.outcome.exception()  # type: ignore[attr-defined]
            asked = error.failure.retry_after if isinstance(error, _TriedAgain) else None
            return backoff(state) if asked is None else min(asked, policy.longest_wait)

        retrying = tenacity.Retrying(
            stop=tenacity.stop_any(
                tenacity.stop_after_attempt(policy.attempts), tenacity.stop_when_event_set(self._cancel)
            ),
            wait=wait,
            retry=tenacity.retry_if_exception_type(_TriedAgain),
            sleep=tenacity.sleep_using_event(self._cancel),
            reraise=True,
        )
        try:
            return retrying(attempt), failed
        except _TriedAgain as last:
            raise last.failure.error from last.__cause__
