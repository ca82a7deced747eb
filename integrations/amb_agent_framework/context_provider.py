"""AMBContextProvider: the memory of an agent of Microsoft Agent Framework."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Unpack

from agent_framework import (
    ChatContext,
    ChatMiddleware,
    ContextProvider,
    FunctionInvocationContext,
    FunctionMiddleware,
    FunctionTool,
    Message,
)

from amb_agent_framework.transcript import chat_messages, framework_messages
from amb_core import ContextAdapter, InvalidInput, MemoryBank, Scope
from amb_core.adapter import AdapterOptions, BankSource, Caller, ScopedAdapters, ScopedMemory, Tool, scope_in

__all__ = ["AMBContextProvider", "memory_tools"]

_Next = Callable[[], Awaitable[None]]
_outer: ContextVar[Scope | None] = ContextVar("amb_agent_framework_outer", default=None)
"""Whom a tool call works for: an agent that works as a tool has a session of its own, which is nobody's thread."""


class AMBContextProvider(ScopedMemory, ContextProvider):
    """A memory for agents: `Agent(client, tools=[search], context_providers=[AMBContextProvider(bank)])`.

    `bank` is a bank, or a function of the Scope (such as Banks) that gives one for each user and session: the session's
    `session_id` is the thread, `user_id` in its state the user. Where the client would keep the talk on the server,
    `store` is set to False; a talk that is kept there already raises InvalidInput, as nothing here could bound it. The
    options are ContextAdapter's. Work on memory runs in a thread, off the event loop.
    """

    def __init__(self, bank: BankSource, *, source_id: str = "amb", **options: Unpack[AdapterOptions]) -> None:
        super().__init__(source_id)
        self.adapters: ScopedAdapters = ScopedAdapters(bank, **options)

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Bring memory into each model call of a run, with its tools."""
        if getattr(session, "service_session_id", None) or context.options.get("conversation_id"):
            raise InvalidInput(
                "the server keeps this session's history (service_session_id or conversation_id), so AMB cannot bound "
                "it; begin a session with agent.create_session()."
            )
        caller = Caller(_outer.get() or _scope(session))
        adapter = await asyncio.to_thread(self.adapters.of, caller)
        context.extend_tools(self.source_id, memory_tools(adapter))
        context.extend_middleware(self.source_id, [_ModelCalls(adapter, caller), _ToolCalls(adapter, caller)])


class _ModelCalls(ChatMiddleware):
    """Gives each model call of a run its bounded messages and the block."""

    def __init__(self, adapter: ContextAdapter, caller: Caller) -> None:
        self._adapter, self._caller = adapter, caller

    async def process(self, context: ChatContext, call_next: _Next) -> None:
        """One model call."""
        options = dict(context.options or {})
        if getattr(context.client, "STORES_BY_DEFAULT", False) or options.get("store"):
            options["store"] = False
            context.options = options
        context.messages = await asyncio.to_thread(self._messages, list(context.messages), options)
        await call_next()

    def _messages(self, messages: list[Message], options: dict[str, Any]) -> list[Message]:
        beside = "".join([str(options.get("instructions") or ""), *map(_schema, options.get("tools") or ())])
        chat = chat_messages(messages)
        return framework_messages(self._adapter.next_request(chat, beside=beside, caller=self._caller))


class _ToolCalls(FunctionMiddleware):
    """Lets agents that work as tools belong to the run, and answers searches from the team's memory."""

    def __init__(self, adapter: ContextAdapter, caller: Caller) -> None:
        self._adapter, self._caller = adapter, caller

    async def process(self, context: FunctionInvocationContext, call_next: _Next) -> None:
        """One tool call."""
        given = context.arguments if isinstance(context.arguments, dict) else dict(context.arguments)
        known = await asyncio.to_thread(self._adapter.known, context.function.name, given)
        if known is not None:
            context.result = known
            return
        before = _outer.set(self._caller.scope)
        try:
            await call_next()
        finally:
            _outer.reset(before)


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[FunctionTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`. An AMBContextProvider brings them by itself."""
    return [_function_tool(tool) for tool in ContextAdapter.of(memory).memory_tools()]


def _function_tool(tool: Tool) -> FunctionTool:
    async def opened(**arguments: Any) -> str:
        return str(await asyncio.to_thread(lambda: tool(**arguments)))

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        input_model=dict(tool.parameters),
        func=opened,
        approval_mode="never_require",
    )


def _schema(tool: Any) -> str:
    return json.dumps(tool.to_json_schema_spec() if isinstance(tool, FunctionTool) else tool, default=str)


def _scope(session: Any) -> Scope:
    """The user that a session's state names, and the session as the thread."""
    return scope_in(getattr(session, "state", None) or {}).joined(Scope(thread=getattr(session, "session_id", None)))
