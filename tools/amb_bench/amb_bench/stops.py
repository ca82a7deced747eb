"""Stops a call at the line of our own code that it has come to, as Ctrl-C, a time limit or a signal handler does."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import amb_core

__all__ = ["finishes", "lines_of", "stopped_at"]

_OURS = str(Path(amb_core.__file__).parent) + os.sep


def _run(call: Callable[[], object], stop_at: int) -> int:
    """How many line events of our own code a call comes to; at that number a KeyboardInterrupt is raised."""
    seen = 0

    def line(frame: FrameType, event: str, _: object) -> object:
        nonlocal seen
        if event == "line":
            seen += 1
            if seen == stop_at:
                raise KeyboardInterrupt
        return line

    def begun(frame: FrameType, event: str, _: object) -> object:
        return line if frame.f_code.co_filename.startswith(_OURS) else None

    before = sys.gettrace()
    sys.settrace(begun)
    try:
        call()
    finally:
        sys.settrace(before)
    return seen


def lines_of(call: Callable[[], object]) -> int:
    """How many line events of our own code a call comes to."""
    return _run(call, 0)


def stopped_at(number: int, call: Callable[[], object]) -> bool:
    """Whether a call was stopped at the line event of that number; False when it ended before."""
    try:
        _run(call, number)
    except KeyboardInterrupt:
        return True
    return False


def finishes(call: Callable[[], object], *, seconds: float = 20) -> bool:
    """Whether a call ends in another thread, to which a lock that was left held is closed; what it raises is raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - handed on
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    return not thread.is_alive()
