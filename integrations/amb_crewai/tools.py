"""The memory tools as CrewAI tools."""

from __future__ import annotations

from typing import Any

from crewai.tools import BaseTool
from pydantic import BaseModel, Field, PrivateAttr

from amb_core import ContextAdapter, MemoryBank, Tool
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL, NODE_ID_WANTED

__all__ = ["DeepRetrieval", "memory_tools"]


class _Arguments(BaseModel):
    node_id: str = Field(description=NODE_ID_WANTED)
    page: int = Field(0, ge=0, description="Which page, from 0; the text says if there are more.")


class _Opinion(BaseModel):
    id: str
    holds: str
    because: str = ""


def _never(arguments: Any = None, result: Any = None) -> bool:
    return False


class DeepRetrieval(BaseTool):
    """The tool `deep_retrieval(node_id, page=0)`, or `settle_dispute(id, holds, because)`.

    Never answered from CrewAI's tool cache, since notes change.
    """

    args_schema: type[BaseModel] = _Arguments
    cache_function: Any = _never
    _tool: Tool = PrivateAttr()
    _owner: object = PrivateAttr(default=None)

    @classmethod
    def of(cls, tool: Tool, *, owner: object = None) -> DeepRetrieval:
        """The tool for CrewAI; `owner` is whoever gave it to an agent and will take it away.

        In the text protocol its description is part of the system message, where no tag of the block should stand.
        """
        schema = _Arguments if tool.name == DEEP_RETRIEVAL else _Opinion
        told = tool.description.replace("<memory>", "the memory block")
        made = cls(name=tool.name, description=told, args_schema=schema)
        made._tool, made._owner = tool, owner
        return made

    @property
    def owner(self) -> object:
        """Who gave it to the agent; None for the user."""
        return self._owner

    def _run(self, **arguments: Any) -> str:
        return self._tool(**arguments)


def memory_tools(memory: MemoryBank | ContextAdapter) -> list[DeepRetrieval]:
    """The tools to give to an agent beside its own: `deep_retrieval`, with `settles` also `settle_dispute`."""
    return [DeepRetrieval.of(tool) for tool in ContextAdapter.of(memory).memory_tools()]
