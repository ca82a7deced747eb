"""A call that may take only so long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

__all__ = ["within"]

_Value = TypeVar("_Value")


def within(seconds: float, call: Callable[[], _Value]) -> _Value:
    """What the call returns or raises; TimeoutError when it takes longer.

    It runs in a thread of its own, in the caller's context. A late one cannot be stopped: it goes on in the
    background, and what it returns is thrown away.
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

    threading.Thread(target=copy_context().run, args=(run,), name="amb-agent", daemon=True).start()
    if not done.wait(seconds):
        raise TimeoutError(f"it took longer than {seconds:g} seconds")
    if errors:
        raise errors[0]
    return values[0]
