"""What an agent's team-mates see of its tool calls."""

from __future__ import annotations

from collections.abc import Callable

from autogen_core import FunctionCall
from autogen_core.models import FunctionExecutionResult

from amb_autogen.context import AMBContext
from amb_core.condensing import TranscriptItem

__all__ = ["summary_formatter"]


def summary_formatter(context: AMBContext) -> Callable[[FunctionCall, FunctionExecutionResult], str]:
    """A `tool_call_summary_formatter` that names the notes a result went into (`[n12] topic`) instead of repeating it.

    Without it an agent that ends its turn on a tool call sends the raw result to all its team-mates. A short result
    stays as it is; of one that memory could not take, the beginning and end are shown.
    """

    def summary(call: FunctionCall, result: FunctionExecutionResult) -> str:
        return context.adapter.short_form(TranscriptItem("result", result.content, (result.call_id,), call.name))

    return summary
