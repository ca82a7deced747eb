"""Who a request is made for: `deps` name the user and thread, and what a run counts its usage in is that run's alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage

from amb_core.adapter import Caller, enter_run, scope_in

__all__ = ["caller_of"]


def caller_of(messages: Sequence[ModelMessage]) -> Caller:
    """The caller of the request that is made in this task; agents that work in a tool belong to the run around it."""
    context = _context()
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
