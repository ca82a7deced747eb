"""AgentMemory: what stands between the requests of ADK's agents and their memory."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Unpack

from google.adk.tools.base_tool import BaseTool
from google.genai import types

from amb_core import ContextAdapter, MemoryBank, Scope
from amb_core.adapter import AdapterOptions, BankSource, Caller, ScopedAdapters, ScopedMemory, Tool, TranscriptItem

__all__ = ["AgentMemory", "memory_tools"]

_outer: ContextVar[Scope | None] = ContextVar("amb_google_adk_outer", default=None)
"""Whom a tool call works for: an agent that works as a tool has a session of its own, which is nobody's thread."""
_whose: ContextVar[Scope] = ContextVar("amb_google_adk_whose", default=Scope())  # noqa: B039 - a Scope is frozen
_QUOTE = re.compile(r"(\[[^\]]+\] `([^`]+)` tool returned result:\s)(.+)", re.DOTALL)
"""How ADK tells an agent that takes over what a tool told the one before: as text of the user, without an id."""


class AgentMemory(ScopedMemory):
    """The memory of agents, by the callbacks that ADK has for plugins and for agents alike.

    ADK names the user and the session of each request; the bank is theirs. The options are ContextAdapter's. Work on
    memory runs in a thread, off the event loop.
    """

    def __init__(self, bank: BankSource, **options: Unpack[AdapterOptions]) -> None:
        self.adapters: ScopedAdapters = ScopedAdapters(bank, whose=_whose.get, **options | {"form": "gemini"})

    async def before_model(self, callback_context: Any, llm_request: Any) -> None:
        """Give one request its bounded contents, the block and the memory tools."""
        scope = _scope(callback_context)
        llm_request.append_tools([_MemoryTool(tool, scope) for tool in self.adapters.memory_tools()])
        llm_request.contents = await asyncio.to_thread(self._contents, llm_request, scope)

    async def before_tool(self, tool: Any, args: dict[str, Any], tool_context: Any) -> dict[str, Any] | None:
        """Note whom the tool works for; a search that the team made already is answered from its memory."""
        scope = _scope(tool_context)
        _outer.set(scope)
        adapter = await asyncio.to_thread(self.adapters.of, Caller(scope))
        known = await asyncio.to_thread(adapter.known, tool.name, args)
        if known is None:
            return None
        _outer.set(None)
        return {"result": known}

    async def after_tool(self, *told: Any, **named: Any) -> None:
        """The tool has done its work."""
        _outer.set(None)

    def _contents(self, request: Any, scope: Scope) -> list[types.Content]:
        adapter, caller = self.adapters.of(Caller(scope)), Caller(scope)
        contents = [_with_short_quotes(content, adapter) for content in request.contents]
        made = adapter.next_request(contents, beside=_beside(request.config), caller=caller, tools=request.tools_dict)
        return [types.Content.model_validate(content) for content in made]


class _MemoryTool(BaseTool):
    """A tool of memory as ADK's, for one user and session."""

    def __init__(self, tool: Tool, scope: Scope | None = None) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._tool, self._scope = tool, scope

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.parameters
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> str:
        """What the tool says."""
        _whose.set(self._scope or _scope(tool_context))
        call: Callable[[], Any] = lambda: self._tool(**args)  # noqa: E731
        return str(await asyncio.to_thread(call))


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[BaseTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`. AMBPlugin and `attach` bring it."""
    return [_MemoryTool(tool) for tool in ContextAdapter.of(memory).memory_tools()]


def _scope(context: Any) -> Scope:
    return _outer.get() or Scope(user=context.user_id, thread=context.session.id)


def _with_short_quotes(content: types.Content, adapter: ContextAdapter) -> types.Content:
    """A content in which ADK quotes another agent, with the results in it as short as teammates see them."""
    parts = content.parts or []
    if content.role != "user" or not parts or not (parts[0].text or "").startswith("For context"):
        return content
    return types.Content(role="user", parts=[_short_quote(part, adapter) for part in parts])


def _short_quote(part: types.Part, adapter: ContextAdapter) -> types.Part:
    quoted = _QUOTE.fullmatch(part.text or "")
    if quoted is None:
        return part
    said = adapter.short_form(TranscriptItem("result", quoted[3], tool=quoted[2]), for_team=True)
    return types.Part(text=quoted[1] + said)


def _beside(config: Any) -> str:
    """What a request holds beside its contents: the instructions, and the declarations of the tools."""
    declared = [
        one.model_dump_json(exclude_none=True)
        for tool in config.tools or ()
        for one in getattr(tool, "function_declarations", None) or ()
    ]
    return "".join([str(config.system_instruction or ""), *declared])
