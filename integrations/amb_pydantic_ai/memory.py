"""AgentMemory: what stands between one agent's requests and a memory bank."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Sequence
from itertools import chain

from pydantic_ai.messages import BinaryContent, ModelMessage
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from amb_core import ContextAdapter, MemoryBank, ToolResult
from amb_core.adapter import Placement, TokenCounter, attachment_part
from amb_core.adapter.tool_calls import items_of
from amb_core.condensing import TranscriptItem
from amb_pydantic_ai.messages import chat_messages, condensed, placed, without_blocks

__all__ = ["AgentMemory"]


class AgentMemory:
    """The memory of one agent, for any number of runs at once.

    `shared` is a team's bank, and `share` says which results go there (see ContextAdapter). `agent` and `run` mark what
    is taken in; `placement` says where the block goes. `adapter` counts failures. Work on memory runs in a thread, off
    the event loop.
    """

    def __init__(
        self,
        bank: MemoryBank,
        *,
        shared: MemoryBank | None = None,
        share: Callable[[ToolResult], bool] | None = None,
        agent: str | None = None,
        run: str = "",
        placement: Placement | None = None,
    ) -> None:
        self.adapter = ContextAdapter(bank, placement=placement, run=run, agent=agent, shared=shared, share=share)
        self._placement: Placement = placement or bank.settings.placement
        self._count = TokenCounter()
        self._output_tools: frozenset[str] = frozenset()

    async def request(self, messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> list[ModelMessage]:
        """The messages for the next request: new results taken in, old ones condensed, the block in its place."""
        self._output_tools |= {tool.name for tool in parameters.output_tools}
        return await asyncio.to_thread(self._request, messages, _reserved(messages, parameters))

    async def take_in(self, messages: Sequence[ModelMessage]) -> None:
        """Take in the tool results of a transcript that are new; what output tools return is none."""
        await asyncio.to_thread(self._take_in, without_blocks(messages))

    def _take_in(self, messages: Sequence[ModelMessage]) -> None:
        chat = chain.from_iterable(map(chat_messages, messages))
        self.adapter.intercept_context([message for message in chat if message.get("name") not in self._output_tools])

    def _request(self, messages: Sequence[ModelMessage], reserved: str) -> list[ModelMessage]:
        plain = without_blocks(messages)
        self._take_in(plain)
        chat = list(chain.from_iterable(map(chat_messages, plain)))
        system = TranscriptItem("system", "", tokens=self._count.text(reserved))
        outcome = self.adapter.condense_items([*items_of(chat, count=self._count), system])
        request = condensed(plain, outcome)
        block = self.adapter.block()
        if block is None:
            return request
        self.adapter.log(block, prompt_tokens=outcome.tokens + block.tokens, raw_tokens=outcome.raw_tokens)
        return placed(request, block.text, images=self._images(), placement=self._placement)

    def _images(self) -> list[BinaryContent]:
        files = [file for file in self.adapter.waiting_files() if attachment_part(file) is not None]
        return [
            BinaryContent(base64.b64decode(file.file_content), media_type=file.media_type or "image/png")
            for file in files
        ]


def _reserved(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> str:
    """What a request holds beside its messages: the instructions, and the definitions of the tools."""
    said = (getattr(message, "instructions", None) for message in reversed(messages))
    tools = (*parameters.function_tools, *parameters.output_tools)
    schemas = (_schema(tool) for tool in tools)
    return "".join([next(filter(None, said), ""), *schemas])


def _schema(tool: ToolDefinition) -> str:
    named = {"name": tool.name, "description": tool.description, "parameters": tool.parameters_json_schema}
    return json.dumps({"type": "function", "function": named})
