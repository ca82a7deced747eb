"""The memory tools as tools of Pydantic AI."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai import Tool as TheirTool

from amb_core import ContextAdapter, Scope, Tool
from amb_core.adapter import BankSource, adapters_of
from amb_core.adapter.memory_tools import agent_tools
from amb_pydantic_ai.callers import caller_of
from amb_users.scoped_adapters import PerScope

__all__ = ["memory_tools", "memory_toolset"]

_Memory: TypeAlias = BankSource | ContextAdapter | PerScope[ContextAdapter]


def memory_tools(memory: _Memory, *, settles: bool = False) -> list[TheirTool[Any]]:
    """The tools to give to an agent beside its own, in the memory of whoever it works for: `deep_retrieval`.

    With `settles`, as the option of the adapters says, also `settle_dispute`; an adapter says so itself.
    """
    if isinstance(memory, ContextAdapter):
        adapter = memory
        return [_tool(tool, lambda scope: adapter) for tool in adapter.memory_tools()]
    adapters = memory if isinstance(memory, PerScope) else adapters_of(memory, {"settles": settles})
    return [_tool(tool, adapters.of) for tool in agent_tools(str, str, settles=settles)]


def memory_toolset(memory: _Memory, *, settles: bool = False) -> FunctionToolset[Any]:
    """The same as a toolset: `Agent(model, toolsets=[memory_toolset(bank)])`."""
    return FunctionToolset(memory_tools(memory, settles=settles))


def _tool(tool: Tool, adapter_of: Callable[[Scope], ContextAdapter]) -> TheirTool[Any]:
    async def called(ctx: RunContext[Any], **arguments: Any) -> str:
        scope = caller_of((), ctx).scope
        return await asyncio.to_thread(_called, tool.name, adapter_of, scope, arguments)

    return TheirTool.from_schema(
        called, name=tool.name, description=tool.description, json_schema=tool.parameters, takes_ctx=True
    )


def _called(name: str, adapter_of: Callable[[Scope], ContextAdapter], scope: Scope, given: dict[str, Any]) -> str:
    (tool,) = (one for one in adapter_of(scope).memory_tools() if one.name == name)
    return tool(**given)
