"""The memory tools as AutoGen tools."""

from __future__ import annotations

import asyncio
from typing import Any, Self

from autogen_core import CancellationToken, Component
from autogen_core.tools import BaseTool, ParametersSchema, ToolSchema
from pydantic import BaseModel

from amb_autogen.banks import BankConfig, bank_config, open_bank
from amb_autogen.context import AMBContext
from amb_core import ContextAdapter, MemoryBank, MemoryTool

__all__ = ["DeepRetrieval", "DeepRetrievalConfig", "memory_tools"]


class _Arguments(BaseModel):
    node_id: str
    page: int = 0


class DeepRetrievalConfig(BaseModel):
    """What DeepRetrieval can be built from again."""

    bank: BankConfig
    strict: bool = False


class _Page(BaseModel):
    text: str


class DeepRetrieval(BaseTool[_Arguments, _Page], Component[DeepRetrievalConfig]):
    """The tool `deep_retrieval(node_id, page=0)` on one bank; with `strict`, the schema requires both arguments."""

    component_config_schema = DeepRetrievalConfig
    component_provider_override = "amb_autogen.tools.DeepRetrieval"

    def __init__(self, bank: MemoryBank, tool: MemoryTool, *, strict: bool = False) -> None:
        super().__init__(_Arguments, _Page, tool.name, tool.description, strict)
        self._bank, self._tool = bank, tool

    @property
    def schema(self) -> ToolSchema:
        """The tool's definition as every framework gets it."""
        wanted: dict[str, Any] = self._tool.parameters
        properties = wanted["properties"]
        required = list(properties) if self._strict else wanted["required"]
        return ToolSchema(
            name=self.name,
            description=self.description,
            parameters=ParametersSchema(
                type="object", properties=properties, required=required, additionalProperties=False
            ),
            strict=self._strict,
        )

    async def run(self, args: _Arguments, cancellation_token: CancellationToken) -> _Page:
        """The page that was asked for, or what is wrong with the request."""
        return _Page(text=await asyncio.to_thread(self._tool, node_id=args.node_id, page=args.page))

    def return_value_as_string(self, value: Any) -> str:
        """The text of a page as the model gets it."""
        return value.text if isinstance(value, _Page) else str(value)

    def _to_config(self) -> DeepRetrievalConfig:
        return DeepRetrievalConfig(bank=bank_config(self._bank), strict=self._strict)

    @classmethod
    def _from_config(cls, config: DeepRetrievalConfig) -> Self:
        bank = open_bank(config.bank)
        (tool,) = ContextAdapter(bank).memory_tools()
        return cls(bank, tool, strict=config.strict)


def memory_tools(memory: AMBContext | MemoryBank, *, strict: bool = False) -> list[DeepRetrieval]:
    """The tools to give to an agent beside its own: `deep_retrieval`.

    `strict` is for agents with an `output_content_type`, whose model clients take only strict tools.
    """
    adapter = memory.adapter if isinstance(memory, AMBContext) else ContextAdapter(memory)
    return [DeepRetrieval(adapter.bank, tool, strict=strict) for tool in adapter.memory_tools()]
