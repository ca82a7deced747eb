"""Who a model call is made for, as LangGraph names it: the user and thread in the configuration, and the run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import ensure_config
from langgraph.runtime import get_runtime

from amb_core import ContextAdapter
from amb_core.adapter import Caller, outer_run, scope_in

__all__ = ["caller_of", "note_reply"]


def caller_of(messages: Sequence[BaseMessage]) -> Caller:
    """Who the request is for: `configurable` or the run's context name user and thread.

    A run is known by the id that LangGraph gave its first message, and one inside a tool call by the run around it.
    """
    context = None
    with suppress(KeyError, RuntimeError):  # outside of a graph
        context = get_runtime().context
    run = outer_run() or next((message.id for message in messages), None)
    return Caller(scope_in(ensure_config().get("configurable", {}), context), run)


def note_reply(adapter: ContextAdapter, caller: Caller, messages: Sequence[Any]) -> None:
    """Note the answer of a run, which is a reply without calls."""
    for message in messages:
        if isinstance(message, AIMessage) and not message.tool_calls:
            adapter.gate.answered(message.content, caller.run)
