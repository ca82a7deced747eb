"""The memory tools as tools of the Agents SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from agents import FunctionTool

from amb_core import ContextAdapter, Scope
from amb_core.adapter import BankSource, adapters_of
from amb_core.adapter.memory_tools import deep_retrieval_tool
from amb_core.adapter.per_scope import PerScope
from amb_openai_agents.callers import caller_of

__all__ = ["memory_tools"]


def memory_tools(memory: BankSource | ContextAdapter | PerScope[ContextAdapter]) -> list[FunctionTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`, in the memory of whoever it works for."""
    if isinstance(memory, ContextAdapter):
        return [_function_tool(lambda scope: memory)]
    return [_function_tool((memory if isinstance(memory, PerScope) else adapters_of(memory)).of)]


def _function_tool(adapter_of: Callable[[Scope], ContextAdapter]) -> FunctionTool:
    tool = deep_retrieval_tool(str)

    async def invoke(context: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
            return await asyncio.to_thread(_opened, adapter_of, caller_of(context).scope, given)
        except (TypeError, ValueError):
            return f"Error: the arguments have to be JSON of the form {json.dumps(tool.parameters['properties'])}"

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.parameters,
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def _opened(adapter_of: Callable[[Scope], ContextAdapter], scope: Scope, given: dict[str, Any]) -> str:
    tool, *_ = adapter_of(scope).memory_tools()
    return tool(**given)
