"""Who a request is made for. AutoGen names no user: a conversation is known by its model context, or by its team."""

from __future__ import annotations

from contextlib import suppress

from autogen_core import MessageHandlerContext
from autogen_core.model_context import ChatCompletionContext

from amb_core.adapter import Caller, enter_run

__all__ = ["caller_of"]


def caller_of(context: ChatCompletionContext) -> Caller:
    """The caller of what a model context is asked now; an agent that works as a tool belongs to the run around it."""
    run: object = context
    with suppress(RuntimeError):  # an agent that runs alone
        run = MessageHandlerContext.agent_id().key
    return Caller(run=enter_run(run))
