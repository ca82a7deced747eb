"""Runs inside of runs: an agent that works in a tool call of another one works for the same user and thread."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

__all__ = ["enter_run", "inside_run", "outer_run"]


@dataclass(frozen=True, slots=True)
class _Entered:
    """A run, the outermost run it is part of, and the task it works in."""

    run: object
    whole: object
    task: asyncio.Task[object] | None


_entered: ContextVar[_Entered | None] = ContextVar("amb_run", default=None)
_around: ContextVar[object] = ContextVar("amb_run_around", default=None)


@contextmanager
def inside_run(run: object) -> Iterator[None]:
    """One tool call of a run: agents that work inside it belong to that run, or to the one around it already."""
    before = _around.set(run if outer_run() is None else outer_run())
    try:
        yield
    finally:
        _around.reset(before)


def outer_run() -> object:
    """The run in whose tool call this is; None outside of any."""
    return _around.get()


def enter_run(run: object) -> object:
    """Call it in the task of a run at each request; returns the outermost run that it is part of.

    A run is part of another one that started its task, or its thread, and waits for it. What a run leaves behind in its
    own task counts for nothing: the next one there may be for another user.
    """
    before, task = _entered.get(), _task()
    whole = run if outer_run() is None else outer_run()
    if before is not None and before.task is not None:
        inside = before.task is not task and not before.task.done()
        if inside or (before.task is task and before.run is run):
            whole = before.whole
    _entered.set(_Entered(run, whole, task))
    return whole


def _task() -> asyncio.Task[object] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop here
        return None
