"""A workbench in which searches that a team has made before are answered from its memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from autogen_core import CancellationToken, ComponentModel
from autogen_core.tools import (
    BaseTool,
    FunctionTool,
    StaticStreamWorkbench,
    TextResultContent,
    ToolResult,
    ToolSchema,
    Workbench,
)

from amb_core import ContextAdapter

__all__ = ["AskingWorkbench", "as_tool"]


class AskingWorkbench(StaticStreamWorkbench):
    """Another workbench behind the question whether the team knows: if it does, the tool does not run.

    Saved, loaded and dumped, it is the other one. AutoGen streams from StaticStreamWorkbench alone, so it is one.
    """

    def __init__(self, inner: Workbench, adapter: ContextAdapter) -> None:
        super().__init__([])
        self.inner = inner
        self._adapter = adapter

    async def list_tools(self) -> list[ToolSchema]:
        """The other's tools."""
        return await self.inner.list_tools()

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        cancellation_token: CancellationToken | None = None,
        call_id: str | None = None,
    ) -> ToolResult:
        """What the team knows, or what the tool brings."""
        known = await self._known(name, arguments)
        if known is not None:
            return known
        return await self.inner.call_tool(name, arguments, cancellation_token, call_id)

    async def call_tool_stream(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        cancellation_token: CancellationToken | None = None,
        call_id: str | None = None,
    ) -> AsyncGenerator[Any | ToolResult, None]:
        """What the team knows, or what the tool tells on its way and brings."""
        known = await self._known(name, arguments)
        if known is not None:
            yield known
        elif isinstance(self.inner, StaticStreamWorkbench):
            async for event in self.inner.call_tool_stream(name, arguments, cancellation_token, call_id):
                yield event
        else:
            yield await self.inner.call_tool(name, arguments, cancellation_token, call_id)

    async def _known(self, name: str, arguments: Mapping[str, Any] | None) -> ToolResult | None:
        found = await asyncio.to_thread(self._adapter.known, name, arguments or {})
        return None if found is None else ToolResult(name=name, result=[TextResultContent(content=found)])

    async def start(self) -> None:
        """Start the other."""
        await self.inner.start()

    async def stop(self) -> None:
        """Stop the other."""
        await self.inner.stop()

    async def reset(self) -> None:
        """Reset the other."""
        await self.inner.reset()

    async def save_state(self) -> Mapping[str, Any]:
        """The other's state."""
        return await self.inner.save_state()

    async def load_state(self, state: Mapping[str, Any]) -> None:
        """Give the other its state back."""
        await self.inner.load_state(state)

    def dump_component(self) -> ComponentModel:
        """The other's config; a team's memory is not part of it."""
        return self.inner.dump_component()


def as_tool(tool: Any) -> BaseTool[Any, Any]:
    """A tool as a workbench takes it; AssistantAgent does the same to the functions among its `tools`."""
    return tool if isinstance(tool, BaseTool) else FunctionTool(tool, description=tool.__doc__ or "")
