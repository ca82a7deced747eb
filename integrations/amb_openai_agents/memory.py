"""AgentMemory: what stands between one agent's requests and a memory bank."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from agents import FunctionTool
from agents.tool_context import ToolContext
from pydantic import BaseModel

from amb_core import ContextAdapter, InvalidInput, MemoryBank, ToolResult
from amb_core.adapter import Placement, TokenCounter, attachment_part
from amb_core.adapter.tool_calls import items_of
from amb_core.condensing import TranscriptItem
from amb_openai_agents.items import (
    Item,
    block_item,
    condensed,
    history_is_elsewhere,
    taken_in,
    units_of,
    without_blocks,
)

__all__ = ["AgentMemory"]


class AgentMemory:
    """The memory of one agent, or of all agents of a run that have none of their own.

    `shared` is a team's bank, and `share` says which results go there (see ContextAdapter). `agent` and `run` mark what
    is taken in; `placement` and `merge_with_last_user` say where the block goes. `adapter` counts failures. Work on
    memory runs in a thread, off the event loop.
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
        merge_with_last_user: bool = False,
    ) -> None:
        self.adapter = ContextAdapter(bank, placement=placement, run=run, agent=agent, shared=shared, share=share)
        self._placement: Placement = placement or bank.settings.placement
        self._merge = merge_with_last_user
        self._count = TokenCounter()

    async def request(
        self, items: Sequence[Item], *, instructions: str | None, tools: Sequence[Any] = ()
    ) -> list[Item]:
        """The items for the next request: new results taken in, old ones condensed, the block in its place.

        Raises InvalidInput when the server keeps the history, so that nothing here can bound it.
        """
        return await asyncio.to_thread(self._request, items, f"{instructions or ''}{_schemas(tools)}")

    async def result(self, context: Any, tool: Any, output: object) -> None:
        """Take in what a tool returned; structured output is left to the next request, which has it as text."""
        if isinstance(context, ToolContext) and not isinstance(output, BaseModel | list | tuple | None):
            named = {"name": tool.name, "arguments": context.tool_arguments}
            call = {"id": context.tool_call_id, "type": "function", "function": named}
            answer = {"role": "tool", "tool_call_id": context.tool_call_id, "content": str(output)}
            await asyncio.to_thread(
                self.adapter.intercept_context, [{"role": "assistant", "tool_calls": [call]}, answer]
            )

    def _request(self, items: Sequence[Item], reserved: str) -> list[Item]:
        units = units_of(without_blocks(items))
        if history_is_elsewhere(units):
            raise InvalidInput(
                "the server keeps this run's history (conversation_id or previous_response_id), so AMB cannot bound "
                "it; run without them, with a local session to go on later: Runner.run(…, session=AMBSession(bank))."
            )
        self.adapter.intercept_context(taken_in(units))
        listed = items_of([unit.chat for unit in units], count=self._count)
        system = TranscriptItem("system", "", tokens=self._count.text(reserved))
        outcome = self.adapter.condense_items([*listed, system])
        block = self.adapter.block()
        if block is None:
            return condensed(units, outcome)
        self.adapter.log(block, prompt_tokens=outcome.tokens + block.tokens, raw_tokens=outcome.raw_tokens)
        parts = map(attachment_part, self.adapter.waiting_files())
        images = [part["image_url"]["url"] for part in parts if part is not None]
        return block_item(
            condensed(units, outcome), block.text, images=images, placement=self._placement, merge=self._merge
        )


def _schemas(tools: Sequence[Any]) -> str:
    """What the definitions of an agent's own function tools add to a request."""
    own = [tool for tool in tools if isinstance(tool, FunctionTool)]
    named = [(tool.name, tool.description, tool.params_json_schema, tool.strict_json_schema) for tool in own]
    keys = ("name", "description", "parameters", "strict")
    return json.dumps([{"type": "function", "function": dict(zip(keys, tool, strict=True))} for tool in named])
