"""AMBCapability: a memory as a capability of an agent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

from pydantic_ai import AgentRunResult, FunctionToolset, RunContext, __version__
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestContext

from amb_core import AmbError
from amb_core.adapter import AdapterOptions, BankSource, inside_run
from amb_pydantic_ai.agent_memory import AgentMemory
from amb_pydantic_ai.callers import caller_of
from amb_pydantic_ai.tools import memory_toolset

__all__ = ["AMBCapability"]

_SINCE = (2, 54)
"""Before, what a capability puts into a request stays in the history for good."""


@dataclass(init=False)
class AMBCapability(AbstractCapability[Any]):
    """A memory for an agent: `Agent(model, capabilities=[AMBCapability(bank)])`, with `deep_retrieval` as a tool.

    The options are AgentMemory's. Keeps nothing of a single run, so runs may go on side by side. Raises AmbError with
    a Pydantic AI before 2.54.
    """

    memory: AgentMemory = field(repr=False)

    def __init__(self, bank: BankSource, **options: Unpack[AdapterOptions]) -> None:
        if tuple(map(int, __version__.split(".")[:2])) < _SINCE:
            raise AmbError(
                f"capabilities of Pydantic AI {__version__} would leave each block in the history; update to 2.54, "
                "or wrap the model instead: Agent(AMBModel(model, bank), toolsets=[memory_toolset(bank)])."
            )
        self.memory = AgentMemory(bank, **options)

    def get_toolset(self) -> FunctionToolset[Any]:
        """The memory tools."""
        return memory_toolset(self.memory.adapters, settles=self.memory.settles)

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """A request with memory; the history stays as it is."""
        parameters = request_context.model_request_parameters
        return replace(request_context, messages=await self.memory.request(request_context.messages, parameters, ctx))

    async def wrap_tool_execute(self, ctx: RunContext[Any], *, call: Any, handler: Any, args: Any, **named: Any) -> Any:
        """One tool call: answered from the team's memory, or made; agents that work inside it belong to this run."""
        caller = caller_of((), ctx)
        adapter = await asyncio.to_thread(self.memory.adapters.of, caller.scope)
        known = await asyncio.to_thread(adapter.known, call.tool_name, args)
        if known is not None:
            return known
        with inside_run(caller.run):
            return await handler(args)

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Take in what came after the last request."""
        messages = result.all_messages()
        await self.memory.finish(messages, result.output, caller_of(messages, ctx))
        return result

    async def on_model_request_error(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, error: Exception
    ) -> ModelResponse:
        """Note that the run may begin again."""
        caller = caller_of(request_context.messages, ctx)
        self.memory.adapters.of(caller.scope).gate.failed(caller.run)
        raise error
