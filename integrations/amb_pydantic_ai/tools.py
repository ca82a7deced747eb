"""The memory tools as tools of Pydantic AI."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic_ai import FunctionToolset
from pydantic_ai import Tool as TheirTool

from amb_core import ContextAdapter, MemoryBank, Tool

__all__ = ["memory_tools", "memory_toolset"]


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[TheirTool[Any]]:
    """The tools to give to an agent beside its own: `deep_retrieval`."""
    return [_tool(tool) for tool in ContextAdapter.of(memory).memory_tools()]


def memory_toolset(memory: MemoryBank | ContextAdapter) -> FunctionToolset[Any]:
    """The same as a toolset: `Agent(model, toolsets=[memory_toolset(bank)])`."""
    return FunctionToolset(memory_tools(memory))


def _tool(tool: Tool) -> TheirTool[Any]:
    async def opened(**arguments: Any) -> str:
        return await asyncio.to_thread(lambda: tool(**arguments))

    return TheirTool.from_schema(opened, name=tool.name, description=tool.description, json_schema=tool.parameters)
