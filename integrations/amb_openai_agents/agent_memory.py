"""AgentMemory: what stands between one agent's requests and a memory bank."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Unpack

from agents import FunctionTool
from agents.tool_context import ToolContext
from pydantic import BaseModel

from amb_core import ContextAdapter, InvalidInput, Scope
from amb_core.adapter import AdapterOptions, BankSource, Caller, ScopedMemory, adapters_of
from amb_openai_agents.callers import OpenRuns, caller_of, run_of
from amb_openai_agents.transcript import Item, chat_messages, history_is_elsewhere, items_of, news_in
from amb_users.scoped_adapters import PerScope

__all__ = ["AgentMemory"]


class AgentMemory(ScopedMemory):
    """The memory of one agent, or of all agents of a run that have none of their own.

    The options are those of ContextAdapter, and `adapter` is that adapter. Where the bank is a function of a Scope,
    such as Banks, each user and thread has an adapter of its own: `adapter_of(scope)`. Work on memory runs in a
    thread, off the event loop.
    """

    def __init__(self, bank: BankSource, **options: Unpack[AdapterOptions]) -> None:
        self.adapters: PerScope[ContextAdapter] = adapters_of(bank, options)
        self.settles = options.get("settles", False)
        self._runs = OpenRuns()

    async def request(
        self,
        items: Sequence[Item],
        *,
        instructions: str | None,
        tools: Sequence[Any] = (),
        caller: Caller | None = None,
    ) -> list[Item]:
        """The items for the next request: new results taken in, old ones condensed, the block in its place.

        Raises ScopeMixed when the bank is not the caller's, and InvalidInput when the server keeps the history, so that
        nothing here can bound it.
        """
        ended = self._runs.enter(None if caller is None else caller.run)
        beside = f"{instructions or ''}{_schemas(tools)}"
        return await asyncio.to_thread(self._request, items, beside, tools, caller, ended)

    async def known(self, context: Any, tool: str, arguments: str) -> str | None:
        """What the team's memory answers instead of a call; None to make it."""
        adapter = await asyncio.to_thread(self.adapters.of, caller_of(context).scope)
        try:
            given = json.loads(arguments or "{}")
        except ValueError:
            return None
        return await asyncio.to_thread(adapter.known, tool, given) if isinstance(given, dict) else None

    async def result(self, context: Any, tool: Any, output: object) -> None:
        """Take in what a tool returned; structured output is left to the next request, which has it as text.

        So are the results of a run that begins with them, of which it is not known yet whose it is.
        """
        adapter = await asyncio.to_thread(self.adapters.of, caller_of(context).scope)
        if not adapter.gate.knows(run_of(context)):
            return
        if isinstance(context, ToolContext) and not isinstance(output, BaseModel | list | tuple | None):
            named = {"name": tool.name, "arguments": context.tool_arguments}
            call = {"id": context.tool_call_id, "type": "function", "function": named}
            answer = {"role": "tool", "tool_call_id": context.tool_call_id, "content": str(output)}
            await asyncio.to_thread(adapter.intercept_context, [{"role": "assistant", "tool_calls": [call]}, answer])

    async def answered(self, context: Any, output: object) -> None:
        """Note that a run has its answer."""
        adapter = await asyncio.to_thread(self.adapters.of, caller_of(context).scope)
        adapter.gate.answered(output, run_of(context))

    def _request(
        self,
        items: Sequence[Item],
        beside: str,
        tools: Sequence[Any],
        caller: Caller | None,
        ended: Sequence[object],
    ) -> list[Item]:
        chat = chat_messages(items)
        if history_is_elsewhere(chat):
            raise InvalidInput(
                "the server keeps this run's history (conversation_id or previous_response_id), so AMB cannot bound "
                "it; run without them, with a local session to go on later: Runner.run(…, session=AMBSession(bank))."
            )
        adapter = self.adapters.of(Scope() if caller is None else caller.scope)
        for run in ended:
            adapter.gate.failed(run)  # nothing happens to one that has its answer
        made = adapter.next_request(chat, beside=beside, news=news_in(chat), caller=caller, tools=tools)
        return items_of(made)


def _schemas(tools: Sequence[Any]) -> str:
    """What the definitions of an agent's own function tools add to a request."""
    own = [tool for tool in tools if isinstance(tool, FunctionTool)]
    named = [(tool.name, tool.description, tool.params_json_schema, tool.strict_json_schema) for tool in own]
    keys = ("name", "description", "parameters", "strict")
    return json.dumps([{"type": "function", "function": dict(zip(keys, tool, strict=True))} for tool in named])
