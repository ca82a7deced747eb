"""A call that may take only so long, however slowly its answer drips in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

__all__ = ["OutOfTime", "in_time"]

_Value = TypeVar("_Value")
_LOOK = 0.05
"""Seconds between two looks at whether the call was cancelled."""


class OutOfTime(Exception):
    """The call has not ended in time, or `cancelled` says that nobody waits for it any more."""

    def __init__(self, *, cancelled: bool) -> None:
        super().__init__("cancelled" if cancelled else "too late")
        self.cancelled = cancelled


def in_time(call: Callable[[], _Value], *, seconds: float, cancel: threading.Event | None = None) -> _Value:
    """What the call returns or raises; OutOfTime when it takes longer, or when `cancel` is set meanwhile.

    It runs in a thread of its own, in the caller's context: a client's timeout is for each read, and a server that
    sends a byte now and then never reaches it. A late call goes on until its connection ends, and is forgotten.
    """
    done = threading.Event()
    values: list[_Value] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            values.append(call())
        except BaseException as error:  # noqa: BLE001 - it is raised where the call was made
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=copy_context().run, args=(run,), name="amb-call", daemon=True).start()
    if not _ended(done, until=time.monotonic() + seconds, cancel=cancel):
        raise OutOfTime(cancelled=cancel is not None and cancel.is_set())
    if errors:
        raise errors[0]
    return values[0]


def _ended(done: threading.Event, *, until: float, cancel: threading.Event | None) -> bool:
    """Wait for the end; False when the time is over or the wait is cancelled."""
    while not done.is_set():
        left = until - time.monotonic()
        if left <= 0 or (cancel is not None and cancel.is_set()):
            return False
        done.wait(left if cancel is None else min(left, _LOOK))
    return True
