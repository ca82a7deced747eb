"""The memory tools as LangChain tools."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from amb_core import ContextAdapter, MemoryBank, MemoryTool

__all__ = ["memory_tools"]


def memory_tools(memory: ContextAdapter | MemoryBank) -> list[BaseTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`. An AMBMiddleware brings them by itself."""
    adapter = memory if isinstance(memory, ContextAdapter) else ContextAdapter(memory)
    return [_langchain_tool(tool) for tool in adapter.memory_tools()]


def _langchain_tool(tool: MemoryTool) -> BaseTool:
    def run(node_id: str = "", page: int = 0, **others: Any) -> str:
        return tool(node_id=node_id, page=page)  # what a model makes up beside them must not end the run

    return StructuredTool(name=tool.name, description=tool.description, args_schema=tool.parameters, func=run)
