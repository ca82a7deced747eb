"""The memory tools as tools of Pydantic AI."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai import Tool as TheirTool

from amb_core import ContextAdapter, Scope
from amb_core.adapter import BankSource, adapters_of
from amb_core.adapter.memory_tools import deep_retrieval_tool
from amb_core.adapter.per_scope import PerScope
from amb_pydantic_ai.callers import caller_of

__all__ = ["memory_tools", "memory_toolset"]

_Memory: TypeAlias = BankSource | ContextAdapter | PerScope[ContextAdapter]


def memory_tools(memory: _Memory) -> list[TheirTool[Any]]:
    """The tools to give to an agent beside its own: `deep_retrieval`, in the memory of whoever it works for."""
    if isinstance(memory, ContextAdapter):
        return [_tool(lambda scope: memory)]
    return [_tool((memory if isinstance(memory, PerScope) else adapters_of(memory)).of)]


def memory_toolset(memory: _Memory) -> FunctionToolset[Any]:
    """The same as a toolset: `Agent(model, toolsets=[memory_toolset(bank)])`."""
    return FunctionToolset(memory_tools(memory))


def _tool(adapter_of: Callable[[Scope], ContextAdapter]) -> TheirTool[Any]:
    tool = deep_retrieval_tool(str)

    async def opened(ctx: RunContext[Any], **arguments: Any) -> str:
        scope = caller_of((), ctx).scope
        return await asyncio.to_thread(lambda: adapter_of(scope).memory_tools()[0](**arguments))

    return TheirTool.from_schema(
        opened, name=tool.name, description=tool.description, json_schema=tool.parameters, takes_ctx=True
    )
