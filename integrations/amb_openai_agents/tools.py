"""The memory tools as tools of the Agents SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from agents import FunctionTool

from amb_core import ContextAdapter, Scope, Tool
from amb_core.adapter import BankSource, adapters_of
from amb_core.adapter.memory_tools import agent_tools
from amb_openai_agents.callers import caller_of
from amb_users.scoped_adapters import PerScope

__all__ = ["memory_tools"]


def memory_tools(
    memory: BankSource | ContextAdapter | PerScope[ContextAdapter], *, settles: bool = False
) -> list[FunctionTool]:
    """The tools to give to an agent beside its own, in the memory of whoever it works for: `deep_retrieval`.

    With `settles`, as the option of the adapters says, also `settle_dispute`; an adapter says so itself.
    """
    if isinstance(memory, ContextAdapter):
        adapter = memory
        return [_function_tool(tool, lambda scope: adapter) for tool in adapter.memory_tools()]
    adapters = memory if isinstance(memory, PerScope) else adapters_of(memory, {"settles": settles})
    return [_function_tool(tool, adapters.of) for tool in agent_tools(str, str, settles=settles)]


def _function_tool(tool: Tool, adapter_of: Callable[[Scope], ContextAdapter]) -> FunctionTool:
    async def invoke(context: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
            return await asyncio.to_thread(_called, tool.name, adapter_of, caller_of(context).scope, given)
        except (TypeError, ValueError):
            return f"Error: the arguments have to be JSON of the form {json.dumps(tool.parameters['properties'])}"

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.parameters,
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def _called(name: str, adapter_of: Callable[[Scope], ContextAdapter], scope: Scope, given: dict[str, Any]) -> str:
    (tool,) = (one for one in adapter_of(scope).memory_tools() if one.name == name)
    return tool(**given)
