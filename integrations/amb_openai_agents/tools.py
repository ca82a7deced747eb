"""The memory tools as tools of the Agents SDK."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from agents import FunctionTool

from amb_core import ContextAdapter, MemoryBank, Tool

__all__ = ["memory_tools"]


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[FunctionTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`."""
    return [_function_tool(tool) for tool in ContextAdapter.of(memory).memory_tools()]


def _function_tool(tool: Tool) -> FunctionTool:
    async def invoke(context: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
            return await asyncio.to_thread(lambda: tool(**given))
        except (TypeError, ValueError):
            return f"Error: the arguments have to be JSON of the form {json.dumps(tool.parameters['properties'])}"

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.parameters,
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )
