"""Who a request is made for, as the Agents SDK tells it: by the run's context, by an AMBSession, by the run itself."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from agents.tracing import get_current_trace

from amb_core import Scope
from amb_core.adapter import Caller, scope_in
from amb_core.call_lock import CallLock

__all__ = ["OpenRuns", "Traces", "caller_of", "enter_session", "run_of"]


@dataclass(slots=True)
class _Opened:
    """A session that handed out its items, and the run it did it for, once that has made a request."""

    scope: Scope
    run: object = None


_opened: ContextVar[_Opened | None] = ContextVar("amb_openai_agents_session", default=None)


def enter_session(scope: Scope) -> None:
    """Note that the run in whose task this is called belongs to a session."""
    _opened.set(_Opened(scope))


def run_of(context: Any) -> object:
    """What one run has alone: its usage, which agents that work as its tools count into as well."""
    return getattr(context, "usage", None)


def caller_of(context: Any, *, run: object = None) -> Caller:
    """Who a request is for; `context` is the SDK's wrapper, or with `run` what the user put into it."""
    given = context if run is not None else getattr(context, "context", None)
    run = run or run_of(context)
    opened = _opened.get()
    if opened is not None and opened.run is None and run is not None:
        opened.run = run
    session = opened.scope if opened is not None and opened.run is run else Scope()
    return Caller(session.joined(scope_in(given)), run)


class Traces:
    """Finds the run of a request whose filter is told of no run: by the trace that the SDK has open for it."""

    def __init__(self) -> None:
        self._runs: weakref.WeakKeyDictionary[Any, object] = weakref.WeakKeyDictionary()

    def begin(self, context: Any) -> None:
        """A run begins, or goes on with another agent."""
        trace = get_current_trace()
        if trace is not None:
            self._runs[trace] = run_of(context)

    def caller(self, given: Any) -> Caller:
        """Who the request is for that is made now; `given` is the user's context."""
        trace = get_current_trace()
        run = None if trace is None else self._runs.get(trace)
        return Caller(scope_in(given)) if run is None else caller_of(given, run=run)


class OpenRuns:
    """The runs that have no answer yet, each with the trace that the SDK ends together with it. Thread-safe.

    No hook of the SDK tells of a run that failed, was cancelled, or had too many turns.
    """

    def __init__(self) -> None:
        self._open: list[tuple[Callable[[], object], Any]] = []
        self._lock = CallLock()

    def enter(self, run: object) -> list[object]:
        """Note that a run makes a request; returns those that have ended since the last one, as nobody told."""
        ended: list[object] = []
        with self._lock:
            others = [(held, trace) for held, trace in self._open if held() is not None and held() is not run]
            self._open = [(held, trace) for held, trace in others if not _is_over(trace)]
            ended += [held() for held, trace in others if _is_over(trace)]
            if run is not None:
                self._open.append((weakref.ref(run), get_current_trace()))
        return ended


def _is_over(trace: object) -> bool:
    """Whether a trace was the current one, and is no more; False where a version of the SDK does not tell."""
    return trace is not None and getattr(trace, "_prev_context_token", trace) is None
