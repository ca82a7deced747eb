"""The memory tools as AutoGen tools."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Self

from autogen_core import CancellationToken, Component
from autogen_core.tools import BaseTool, ParametersSchema, ToolSchema
from pydantic import BaseModel

from amb_autogen.bank_configs import BanksConfig, banks_config, open_banks
from amb_autogen.context import AMBContext
from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL

__all__ = ["DeepRetrieval", "DeepRetrievalConfig", "memory_tools"]


class _Arguments(BaseModel):
    node_id: str
    page: int = 0


class _Opinion(BaseModel):
    id: str
    holds: str
    because: str = ""


class DeepRetrievalConfig(BanksConfig):
    """What DeepRetrieval can be built from again."""

    strict: bool = False
    name: str = DEEP_RETRIEVAL


class DeepRetrieval(BaseTool[BaseModel, Any], Component[DeepRetrievalConfig]):
    """The tool `deep_retrieval(node_id, page=0)`, or by its `name` another one of the adapter's.

    With `strict`, the schema requires all arguments.
    """

    component_config_schema = DeepRetrievalConfig
    component_provider_override = "amb_autogen.tools.DeepRetrieval"

    def __init__(self, adapter: ContextAdapter, *, strict: bool = False, name: str = DEEP_RETRIEVAL) -> None:
        self._adapter = adapter
        (self._tool,) = (tool for tool in adapter.memory_tools() if tool.name == name)
        arguments = _Arguments if name == DEEP_RETRIEVAL else _Opinion
        super().__init__(arguments, str, name, self._tool.description, strict)

    @property
    def schema(self) -> ToolSchema:
        """The tool's definition as every framework gets it."""
        given: dict[str, Any] = self._tool.parameters
        required = list(given["properties"]) if self._strict else given["required"]
        parameters = ParametersSchema(
            type="object", properties=given["properties"], required=required, additionalProperties=False
        )
        return ToolSchema(name=self.name, description=self.description, parameters=parameters, strict=self._strict)

    async def run(self, args: BaseModel, cancellation_token: CancellationToken) -> str:
        """What the tool says, or what is wrong with the request."""
        return await asyncio.to_thread(partial(self._tool, **args.model_dump()))

    def _to_config(self) -> DeepRetrievalConfig:
        return DeepRetrievalConfig.model_validate(
            {**banks_config(self._adapter), "strict": self._strict, "name": self.name}
        )

    @classmethod
    def _from_config(cls, config: DeepRetrievalConfig) -> Self:
        bank, shared = open_banks(config)
        adapter = ContextAdapter(bank, shared=shared, settles=config.name != DEEP_RETRIEVAL)
        return cls(adapter, strict=config.strict, name=config.name)


def memory_tools(memory: AMBContext | ContextAdapter | MemoryBank, *, strict: bool = False) -> list[DeepRetrieval]:
    """The tools to give to an agent beside its own: `deep_retrieval`, with `settles` also `settle_dispute`.

    `strict` is for agents with an `output_content_type`, whose model clients take only strict tools.
    """
    adapter = ContextAdapter.of(memory.adapter if isinstance(memory, AMBContext) else memory)
    return [DeepRetrieval(adapter, strict=strict, name=tool.name) for tool in adapter.memory_tools()]
