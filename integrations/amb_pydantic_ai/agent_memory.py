"""AgentMemory: what stands between one agent's requests and a memory bank."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Unpack

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from amb_core import ContextAdapter
from amb_core.adapter import AdapterOptions, BankSource, Caller, ScopedMemory, adapters_of
from amb_pydantic_ai.callers import caller_of
from amb_pydantic_ai.transcript import ChatMessages, chat_messages, model_messages
from amb_users.scoped_adapters import PerScope

__all__ = ["AgentMemory"]


class AgentMemory(ScopedMemory):
    """The memory of one agent, for any number of runs at once.

    The options are those of ContextAdapter, and `adapter` is that adapter. Where the bank is a function of a Scope,
    such as Banks, each user and thread has an adapter of its own: `adapter_of(scope)`. Work on memory runs in a
    thread, off the event loop.
    """

    def __init__(self, bank: BankSource, **options: Unpack[AdapterOptions]) -> None:
        self.adapters: PerScope[ContextAdapter] = adapters_of(bank, options)
        self.settles = options.get("settles", False)
        self._output_tools: frozenset[str] = frozenset()

    async def request(
        self,
        messages: Sequence[ModelMessage],
        parameters: ModelRequestParameters,
        context: RunContext[Any] | None = None,
    ) -> list[ModelMessage]:
        """The messages for the next request: new results taken in, old ones condensed, the block in its place.

        Raises ScopeMixed, with nothing taken in, when the bank is not the caller's.
        """
        self._output_tools |= {tool.name for tool in parameters.output_tools}
        caller = caller_of(messages, context)
        beside, tools = _beside(messages, parameters), parameters.function_tools
        return await asyncio.to_thread(self._request, messages, beside, tools, caller)

    async def finish(self, messages: Sequence[ModelMessage], output: object, caller: Caller) -> None:
        """Take in the tool results of a run that ends with this output; what output tools return is none."""
        adapter = await asyncio.to_thread(self.adapters.of, caller.scope)
        await asyncio.to_thread(adapter.intercept_context, self._news_in(chat_messages(messages)))
        adapter.gate.answered(output, caller.run)

    def _news_in(self, chat: ChatMessages) -> ChatMessages:
        return [message for message in chat if message.get("name") not in self._output_tools]

    @contextmanager
    def watched(self, messages: Sequence[ModelMessage]) -> Iterator[list[ModelResponse]]:
        """One model call for these messages, whose response goes into the list; how it ends is noted.

        A response that calls no tool but output tools is the answer of its run; after an error the run may begin again.
        """
        caller, responses = caller_of(messages), list[ModelResponse]()
        run, adapter = caller.run, self.adapters.of(caller.scope)
        with adapter.gate.watching(run):
            yield responses
        for response in responses:
            if all(call.tool_name in self._output_tools for call in response.tool_calls):
                adapter.gate.answered(response.text, run)

    def _request(
        self, messages: Sequence[ModelMessage], beside: str, tools: Sequence[ToolDefinition], caller: Caller
    ) -> list[ModelMessage]:
        adapter = self.adapters.of(caller.scope)
        chat = chat_messages(messages)
        news = self._news_in(chat)
        return model_messages(adapter.next_request(chat, beside=beside, news=news, caller=caller, tools=tools))


def _beside(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> str:
    """What a request holds beside its messages: the instructions, and the definitions of the tools."""
    said = (getattr(message, "instructions", None) for message in reversed(messages))
    tools = (*parameters.function_tools, *parameters.output_tools)
    schemas = (_schema(tool) for tool in tools)
    return "".join([next(filter(None, said), ""), *schemas])


def _schema(tool: ToolDefinition) -> str:
    named = {"name": tool.name, "description": tool.description, "parameters": tool.parameters_json_schema}
    return json.dumps({"type": "function", "function": named})
