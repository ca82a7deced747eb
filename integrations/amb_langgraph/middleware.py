"""AMBMiddleware: the memory of a LangChain agent, and the pieces for graphs built by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.structured_output import AutoStrategy, ToolStrategy
from langchain_core.messages import BaseMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from amb_core import MemoryBank
from amb_langgraph.graph_memory import GraphMemory
from amb_langgraph.tools import memory_tools

__all__ = ["AMBMiddleware"]

_Called = ToolMessage | Command[Any]


class AMBMiddleware(AgentMiddleware):
    """A memory for `create_agent(model, tools, middleware=[AMBMiddleware(bank)])`, sync and async.

    Each thread of a checkpointed graph is a run of its own, unless `run` names one for all. With `small_state` the
    graph's state, and so its checkpoints, hold a reference instead of each tool result; the prompts are the same.
    `name` is this middleware's in the agent. The other `options` are ContextAdapter's: `shared`, `share`, `agent`,
    `placement`, `merge_with_last_user`, `count_tokens`. Work on memory runs in a thread, off the event loop.
    """

    def __init__(
        self,
        bank: MemoryBank,
        *,
        run: str | None = None,
        small_state: bool = False,
        name: str = "AMBMiddleware",
        **options: Any,
    ) -> None:
        super().__init__()
        self.bank = bank
        self._memory = GraphMemory(bank, run=run, small_state=small_state, **options)
        self.adapter = self._memory.adapter
        self.tools: Sequence[BaseTool] = memory_tools(self.adapter)
        self._name = name

    @property
    def name(self) -> str:
        """What the agent knows this middleware by."""
        return self._name

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed since the start, by what it was to do; the run went on without it."""
        return self._memory.failures

    # --- what create_agent calls --------------------------------------------------------------------------------------

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[Any], ModelResponse[Any]]) -> Any:
        """Give one model call its bounded transcript and the block."""
        return handler(self.bounded_request(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[Any], Awaitable[ModelResponse[Any]]]
    ) -> Any:
        """Give one model call its bounded transcript and the block."""
        return await handler(await asyncio.to_thread(self.bounded_request, request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[Any], _Called]) -> Any:
        """Take in what a tool call brings."""
        return self._memory.take_in(request.tool_call, request.tool, handler(request))

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Callable[[Any], Awaitable[_Called]]) -> Any:
        """Take in what a tool call brings."""
        result = await handler(request)
        return await asyncio.to_thread(self._memory.take_in, request.tool_call, request.tool, result)

    def bounded_request(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """A new request for the same model call; the one given, and the graph's state, are not changed."""
        system = [request.system_message] if request.system_message else []
        answers = request.response_format
        strategy = ToolStrategy(answers.schema) if isinstance(answers, AutoStrategy) else answers
        specs = strategy.schema_specs if isinstance(strategy, ToolStrategy) else ()
        messages = self._memory.request([*system, *request.messages], not_taken={spec.name for spec in specs})
        if messages and isinstance(messages[0], SystemMessage):
            return request.override(system_message=messages[0], messages=messages[1:])
        return request.override(messages=messages)

    # --- graphs built by hand, create_react_agent, langgraph-supervisor -----------------------------------------------

    def bounded(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """What a model node gives its model instead of the state's messages; new results are taken in."""
        return self._memory.request(messages)

    def pre_model_hook(self, state: Any) -> dict[str, list[BaseMessage]]:
        """The `pre_model_hook` of create_react_agent and create_supervisor, which adds their prompt afterwards."""
        messages = state["messages"] if isinstance(state, dict) else state.messages
        return {"llm_input_messages": self._memory.request(messages)}

    def tool_node(self, tools: Sequence[BaseTool | Callable[..., Any]], **options: Any) -> ToolNode:
        """A ToolNode of these tools and `deep_retrieval` that takes results in as they come; `options` are ToolNode's."""
        return ToolNode(
            [*tools, *self.tools], wrap_tool_call=self.wrap_tool_call, awrap_tool_call=self.awrap_tool_call, **options
        )
