"""The memory tools as AutoGen tools."""

from __future__ import annotations

import asyncio
from typing import Any, Self

from autogen_core import CancellationToken, Component
from autogen_core.tools import BaseTool, ParametersSchema, ToolSchema
from pydantic import BaseModel

from amb_autogen.bank_configs import BanksConfig, banks_config, open_banks
from amb_autogen.context import AMBContext
from amb_core import ContextAdapter, MemoryBank

__all__ = ["DeepRetrieval", "DeepRetrievalConfig", "memory_tools"]


class _Arguments(BaseModel):
    node_id: str
    page: int = 0


class DeepRetrievalConfig(BanksConfig):
    """What DeepRetrieval can be built from again."""

    strict: bool = False


class DeepRetrieval(BaseTool[_Arguments, Any], Component[DeepRetrievalConfig]):
    """The tool `deep_retrieval(node_id, page=0)`; with `strict`, the schema requires both arguments."""

    component_config_schema = DeepRetrievalConfig
    component_provider_override = "amb_autogen.tools.DeepRetrieval"

    def __init__(self, adapter: ContextAdapter, *, strict: bool = False) -> None:
        self._adapter = adapter
        (self._tool,) = adapter.memory_tools()
        super().__init__(_Arguments, str, self._tool.name, self._tool.description, strict)

    @property
    def schema(self) -> ToolSchema:
        """The tool's definition as every framework gets it."""
        given: dict[str, Any] = self._tool.parameters
        required = list(given["properties"]) if self._strict else given["required"]
        parameters = ParametersSchema(
            type="object", properties=given["properties"], required=required, additionalProperties=False
        )
        return ToolSchema(name=self.name, description=self.description, parameters=parameters, strict=self._strict)

    async def run(self, args: _Arguments, cancellation_token: CancellationToken) -> str:
        """The page that was asked for, or what is wrong with the request."""
        return await asyncio.to_thread(self._tool, node_id=args.node_id, page=args.page)

    def _to_config(self) -> DeepRetrievalConfig:
        return DeepRetrievalConfig.model_validate({**banks_config(self._adapter), "strict": self._strict})

    @classmethod
    def _from_config(cls, config: DeepRetrievalConfig) -> Self:
        bank, shared = open_banks(config)
        return cls(ContextAdapter(bank, shared=shared), strict=config.strict)


def memory_tools(memory: AMBContext | ContextAdapter | MemoryBank, *, strict: bool = False) -> list[DeepRetrieval]:
    """The tools to give to an agent beside its own: `deep_retrieval`.

    `strict` is for agents with an `output_content_type`, whose model clients take only strict tools.
    """
    adapter = ContextAdapter.of(memory.adapter if isinstance(memory, AMBContext) else memory)
    return [DeepRetrieval(adapter, strict=strict)]
