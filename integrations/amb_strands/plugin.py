"""AMBPlugin: the memory of Strands agents."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextvars import ContextVar
from typing import Any, Unpack
from weakref import WeakKeyDictionary

from strands import Agent
from strands.agent.conversation_manager import SlidingWindowConversationManager
from strands.hooks import BeforeInvocationEvent
from strands.middleware import ExecuteToolStage, InvokeModelStage, ModelStopReason, ToolResultEvent
from strands.plugins import Plugin
from strands.tools.tools import PythonAgentTool

from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Scope
from amb_core.adapter import (
    AdapterOptions,
    BankSource,
    Caller,
    ScopedAdapters,
    ScopedMemory,
    Tool,
    inside_run,
    outer_run,
    scope_in,
)
from amb_strands.transcript import chat_messages, strands_messages

__all__ = ["AMBPlugin", "memory_tools"]

_Events = AsyncGenerator[Any, None]
_whose: ContextVar[Scope] = ContextVar("amb_strands_whose", default=Scope())  # noqa: B039 - a Scope is frozen
"""For whom a memory tool is called; it runs in a thread with a context of its own."""


class _Run:
    """One call of an agent, by its identity."""


class AMBPlugin(ScopedMemory, Plugin):
    """A memory for agents: `Agent(model, tools=[search], plugins=[AMBPlugin(bank)])`, with `deep_retrieval` as a tool.

    `bank` is a bank, or a function of the Scope (such as Banks) that gives one for each user and session. The options
    are ContextAdapter's. While it is on, a SlidingWindowConversationManager cuts nothing off: requests are bounded
    here, and the beginning of the talk stays. Work on memory runs in a thread, off the event loop.
    """

    def __init__(self, bank: BankSource, **options: Unpack[AdapterOptions]) -> None:
        super().__init__()
        self.adapters: ScopedAdapters = ScopedAdapters(bank, whose=_whose.get, **options)
        self._agents: WeakKeyDictionary[Any, int | None] = WeakKeyDictionary()
        self._runs: WeakKeyDictionary[Any, _Run] = WeakKeyDictionary()

    @property
    def name(self) -> str:
        """What Strands calls it."""
        return "amb"

    def init_agent(self, agent: Agent) -> None:
        """Strands calls it for each new agent of the plugin; InvalidParameter when one has such a tool already."""
        tools = [self._tool(agent, tool) for tool in self.adapters.memory_tools()]
        if any(tool.tool_name in agent.tool_registry.registry for tool in tools):
            raise InvalidParameter(f"the agent {agent.name!r} has a memory already; detach it first.")
        for tool in tools:
            agent.tool_registry.register_tool(tool)
        agent.add_hook(self._begin, BeforeInvocationEvent)
        agent.add_middleware(InvokeModelStage, self._around_model)
        agent.add_middleware(ExecuteToolStage, self._around_tool)
        self._agents[agent] = _set_window(agent, sys.maxsize)

    def leave(self, agent: Agent) -> None:
        """Take the memory off an agent; InvalidParameter when it has none. Its hooks stay and do nothing."""
        if agent not in self._agents:
            raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
        window = self._agents.pop(agent)
        if window is not None:
            _set_window(agent, window)
        for tool in self.adapters.memory_tools():
            agent.tool_registry.registry.pop(tool.name, None)
            agent.tool_registry.dynamic_tools.pop(tool.name, None)

    def _begin(self, event: BeforeInvocationEvent) -> None:
        self._runs[event.agent] = _Run()

    def _caller(self, agent: Any, state: Any) -> Caller:
        return Caller(_scope(agent, state), outer_run() or self._runs.get(agent))

    async def _around_model(self, context: Any, call: Callable[[Any], _Events]) -> _Events:
        if context.agent not in self._agents:
            async for event in call(context):
                yield event
            return
        caller = self._caller(context.agent, context.invocation_state)
        adapter = await asyncio.to_thread(self.adapters.of, caller)
        messages = await asyncio.to_thread(_request, adapter, context, caller)
        with adapter.gate.watching(caller.run):
            async for event in call(context.replace(messages=messages)):
                yield event
                if isinstance(event, ModelStopReason) and event["stop"][0] != "tool_use":
                    adapter.gate.answered(chat_messages([event["stop"][1]])[0]["content"], caller.run)

    async def _around_tool(self, context: Any, call: Callable[[Any], _Events]) -> _Events:
        """One tool call: a search that the team made already is answered from its memory."""
        if context.agent not in self._agents:
            async for event in call(context):
                yield event
            return
        caller, asked = self._caller(context.agent, context.invocation_state), context.tool_use
        adapter = await asyncio.to_thread(self.adapters.of, caller)
        known = await asyncio.to_thread(adapter.known, asked["name"], asked["input"])
        if known is not None:
            yield ToolResultEvent(_result(asked, known))
            return
        with inside_run(caller.run):
            async for event in call(context):
                yield event

    def _tool(self, agent: Agent, tool: Tool) -> PythonAgentTool:
        def opened(state: Any, **arguments: Any) -> str:
            _whose.set(self._caller(agent, state).scope)
            return str(tool(**arguments))

        return _strands_tool(tool, opened)


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[PythonAgentTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`. An AMBPlugin brings them by itself."""
    return [_strands_tool(tool, _plain(tool)) for tool in ContextAdapter.of(memory).memory_tools()]


def _plain(tool: Tool) -> Callable[..., str]:
    return lambda state, **arguments: str(tool(**arguments))


def _strands_tool(tool: Tool, opened: Callable[..., str]) -> PythonAgentTool:
    def call(asked: Any, **state: Any) -> Any:
        return _result(asked, opened(state, **asked["input"]))

    spec: Any = {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.parameters}}
    return PythonAgentTool(tool.name, spec, call)


def _set_window(agent: Agent, size: int) -> int | None:
    """The window that Strands' own manager had before; None for another manager, which is left alone."""
    manager = agent.conversation_manager
    if not isinstance(manager, SlidingWindowConversationManager):
        return None
    before, manager.window_size = manager.window_size, size
    return before


def _result(asked: Any, text: str) -> Any:
    return {"toolUseId": asked["toolUseId"], "status": "success", "content": [{"text": text}]}


def _request(adapter: ContextAdapter, context: Any, caller: Caller) -> list[Any]:
    beside = json.dumps([context.system_prompt, context.tool_specs], default=str, ensure_ascii=False)
    chat, tools = chat_messages(context.messages), context.tool_specs or ()
    return strands_messages(adapter.next_request(chat, beside=beside, caller=caller, tools=tools))


def _scope(agent: Any, state: Any) -> Scope:
    """Whom an agent works for: `user_id` and `session_id` of the call, of the agent's state, or its session manager's.

    An agent's public `session_id` is another one after each start where nobody manages its session; so this asks the
    manager, in the one place that looks for it.
    """
    kept = agent.state.get()
    return scope_in(state, kept, getattr(agent, "_session_manager", None))
