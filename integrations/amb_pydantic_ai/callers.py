"""Who a request is made for: `deps` name the user and thread, and a run is known by what it counts its usage in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage

from amb_core.adapter import Caller, enter_run, scope_in

__all__ = ["caller_of"]


def caller_of(messages: Sequence[ModelMessage], context: RunContext[Any] | None = None) -> Caller:
    """The caller of the request that is made in this task; agents that work in a tool belong to the run around it."""
    context = context or _context()
    run = getattr(context, "usage", None) or next(
        (found for message in reversed(messages) if (found := getattr(message, "run_id", None))), None
    )
    return Caller(scope_in(getattr(context, "deps", None)), enter_run(run))


def _context() -> Any:
    """The run's context. A model is not told of it in public: this is the one place that looks for it."""
    try:
        from pydantic_ai._run_context import get_current_run_context
    except ImportError:
        return None
    return get_current_run_context()
