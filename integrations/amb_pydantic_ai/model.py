"""AMBModel: a model that sees bounded requests with the memory block, whatever agent it serves."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Unpack

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import KnownModelName, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from amb_core.adapter import AdapterOptions, BankSource
from amb_pydantic_ai.agent_memory import AgentMemory

__all__ = ["AMBModel"]


class AMBModel(WrapperModel):
    """Wraps a model: `Agent(AMBModel(model, bank), toolsets=[memory_toolset(bank)])`.

    The agent's history stays raw. The options are AgentMemory's; an AgentMemory may be given in place of the bank.
    """

    def __init__(
        self,
        wrapped: Model | KnownModelName | str,
        memory: BankSource | AgentMemory,
        **options: Unpack[AdapterOptions],
    ) -> None:
        super().__init__(wrapped)
        self.memory = memory if isinstance(memory, AgentMemory) else AgentMemory(memory, **options)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask the model, with memory."""
        shown = await self.memory.request(messages, model_request_parameters)
        with self.memory.watched(messages) as replied:
            replied.append(await super().request(shown, model_settings, model_request_parameters))
        return replied[0]

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Ask the model for a stream, with memory."""
        shown = await self.memory.request(messages, model_request_parameters)
        with self.memory.watched(messages) as replied:
            async with super().request_stream(shown, model_settings, model_request_parameters, run_context) as stream:
                yield stream
            replied.append(stream.get())
