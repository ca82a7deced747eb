"""A lock that ends with the call that took it, however that call ends, and that no child of a fork waits for.

Ctrl-C, a time limit or a signal handler raises between any two steps of Python, also just before a `with` statement
lets a lock go. So whoever takes a `CallLock` puts down the frame it runs in, in the same step. A frame that has ended
holds nothing, and who comes next is told that the last call was stopped, to put right what it left half-done.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType

from amb_core.errors import AmbError, OpenedBeforeFork

__all__ = ["CallLock", "RunningCall", "raise_if_stopped", "take_for_caller"]

_WAIT = 0.05
"""Seconds after which who waits looks whether the call that has the lock still runs."""
_TURN = 0.0005
"""Seconds that who had the lock last leaves it to those who wait, at a time."""
_TURNS = 20
"""How often; one of them may have been stopped meanwhile."""
_PASSING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_ENTERING = ("__enter__", "__exit__")
_STOP = "amb_stop"
_between: set[str] = {__file__, contextlib.__file__}
"""Files whose frames take a lock for somebody else, as every `__enter__` does."""
_forks = 0
"""How many forks are between this process and the one that AMB was first imported in."""


def _note_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def raise_if_stopped(error: Exception) -> None:
    """Raise again what the handler of a signal raised, such as Celery's time limit: it is meant for who called us.

    Whoever goes on after any failure asks this first. Such an error has passed the handler's own frame.
    """
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()}
    trace = error.__traceback__
    if error.__dict__.get(_STOP):
        raise error
    while trace is not None:
        if trace.tb_frame.f_code in handlers:
            raise error
        trace = trace.tb_next


class RunningCall:
    """A call, and whether it is still running."""

    __slots__ = ("_forks", "_frame")

    def __init__(self) -> None:
        self._frame, self._forks = _caller(), _forks

    @property
    def ended(self) -> bool:
        """Whether it has returned or was stopped, or runs in the process that this one was forked from."""
        return self._forks != _forks or _has_ended(self._frame)


def take_for_caller(file: str) -> None:
    """Count what this file takes a lock for as done by whoever calls it."""
    _between.add(file)


def _caller() -> FrameType | None:
    """The frame of the call that something is done for."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if not (code.co_flags & _PASSING or code.co_name in _ENTERING or code.co_filename in _between):
            return frame
        frame = frame.f_back
    return None


def _has_ended(frame: FrameType | None) -> bool:
    if frame is None:
        return False
    try:
        frame.clear()  # Python refuses this for one that runs, in whatever thread
    except RuntimeError:
        return False
    return True


class _Hold:
    """The time one call has a lock for; `after` names the next one, which whoever comes first writes there."""

    __slots__ = ("after", "awaited", "calls", "clean", "done", "forks", "stopped", "thread")

    def __init__(self, *calls: FrameType | None) -> None:
        self.thread, self.forks = threading.get_ident(), _forks
        self.calls = list(calls)
        self.clean = not calls
        """Whether it ended in order."""
        self.stopped = False
        """Whether something was stopped inside."""
        self.after: dict[str, _Hold] = {}
        self.awaited = False
        """Whether another thread waits for its end."""
        self.done = threading.Lock()
        if calls:
            self.done.acquire()

    @property
    def held(self) -> bool:
        outermost = self.calls[:1]
        return bool(outermost) and self.forks == _forks and not _has_ended(outermost[0])

    def wait(self) -> None:
        self.awaited = True
        if self.done.acquire(timeout=_WAIT):
            self.done.release()

    def let_others_go_first(self) -> None:
        """A thread that takes the lock in a loop would else have it again before those who wait are awake."""
        for _ in range(_TURNS):
            if "next" in self.after:
                return
            time.sleep(_TURN)


class CallLock:
    """A lock for `with` statements; who has it may take it again.

    `repair` is called, with the lock held, before the first call after one that was stopped: by an exception that is
    none of AMB's own, or without letting go. With `forks` a child of a fork may go on with what the lock guards;
    without, or when a thread had it at that moment, the child gets OpenedBeforeFork.
    """

    def __init__(self, *, repair: Callable[[], None] | None = None, forks: bool = True) -> None:
        self.forks = forks
        self._repair = repair
        self._born = _forks
        self._last = _Hold()

    def __enter__(self) -> None:
        self._take(_caller(), waits=True)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[bool]:
        """For a `with` statement that does not wait: whether the lock was free, and is held inside."""
        if not self._take(_caller(), waits=False):
            yield False
            return
        try:
            yield True
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise
        self.__exit__(None, None, None)

    def _take(self, call: FrameType | None, *, waits: bool) -> bool:
        """Take the lock for a call; whether it has it, which it has not where it `waits` for nobody."""
        if self._born != _forks:
            self._refuse_child()
        hold = self._newest() if self._last.after else self._last
        is_held = hold.held
        if is_held and hold.thread == threading.get_ident():
            hold.calls.append(call)
            return True
        if waits and hold.awaited and hold.thread == threading.get_ident():
            hold.let_others_go_first()
        mine = _Hold(call)
        while True:
            if is_held:
                if not waits:
                    return False
                hold.wait()
            elif hold.after.setdefault("next", mine) is mine:  # one step: from here on the lock is this call's
                break
            hold = self._newest()
            is_held = hold.held
        self._last = mine
        try:
            self._begin(after_stop=not hold.clean)
        except BaseException as error:
            self._end(mine, clean=hold.clean and isinstance(error, AmbError))
            raise
        return True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        hold, call = self._newest() if self._last.after else self._last, _caller()
        if hold.thread != threading.get_ident() or call not in hold.calls:
            return  # it was given up as stopped, and taken by others since
        hold.stopped = hold.stopped or (kind is not None and not issubclass(kind, AmbError))
        outer = len(hold.calls) - 1 - hold.calls[::-1].index(call)
        if outer:
            del hold.calls[outer:]
            return
        clean = False
        try:
            self._finish(stopped=hold.stopped)
            clean = not hold.stopped
        finally:
            self._end(hold, clean=clean)

    @staticmethod
    def note_stop(error: Exception) -> None:
        """Note that a handler of a signal raised this, though a driver cut its frame off the trace."""
        with contextlib.suppress(AttributeError):
            error.__dict__[_STOP] = True

    @property
    def hold(self) -> object:
        """What tells this thread's time with the lock from any other; None while it does not have it."""
        hold = self._newest() if self._last.after else self._last
        return hold if hold.thread == threading.get_ident() and hold.held else None

    @property
    def foreign(self) -> bool:
        """Whether this is a child of a fork, and what the lock guards is of use in its parent only."""
        return self._born != _forks and (not self.forks or bool(self._newest().calls))

    def _refuse_child(self) -> None:
        if self.foreign:
            raise OpenedBeforeFork
        self._born = _forks

    def _newest(self) -> _Hold:
        hold = self._last
        while "next" in hold.after:
            hold = hold.after["next"]
        return hold

    def _begin(self, *, after_stop: bool) -> None:
        """Make ready what the lock guards."""
        if after_stop and self._repair is not None:
            self._repair()

    def _finish(self, *, stopped: bool) -> None:
        """Leave what the lock guards for others."""

    @staticmethod
    def _end(hold: _Hold, *, clean: bool) -> None:
        hold.clean = clean
        hold.calls.clear()
        hold.done.release()
