"""Runs scripted AutoGen agents with the replay client and hands back what the model got."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import BaseChatMessage
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, LLMMessage, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

from amb_autogen import attach, detach, with_memory
from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Call, Scenario, long_task
from amb_core import MemoryBank

__all__ = ["AutoGenDriver", "Call", "Scenario", "ask", "client_for", "long_task", "plain", "reply", "requests_of"]

MODEL = ModelInfo(
    vision=False, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN, structured_output=False
)
logging.getLogger("autogen_core.events").setLevel(logging.ERROR)  # the replay client warns at every non-text message


def reply(*calls: Call) -> CreateResult:
    """A model reply that makes tool calls."""
    content = [FunctionCall(id=c.call_id, name=c.tool, arguments=json.dumps(dict(c.arguments))) for c in calls]
    usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
    return CreateResult(finish_reason="function_calls", content=content, usage=usage, cached=False)


def client_for(*scenarios: Scenario, vision: bool = False) -> ReplayChatCompletionClient:
    """A model that says what the scenarios say, one after another."""
    replies: list[CreateResult | str] = []
    for scenario in scenarios:
        replies += [*(reply(*turn) for turn in scenario.turns), scenario.answer]
    return ReplayChatCompletionClient(replies, model_info={**MODEL, "vision": vision})


def plain(messages: Sequence[LLMMessage]) -> list[dict[str, Any]]:
    """AutoGen's messages as an OpenAI client would send them."""
    found: list[dict[str, Any]] = []
    for message in messages:
        if message.type == "FunctionExecutionResultMessage":
            found += [{"role": "tool", "tool_call_id": r.call_id, "content": r.content} for r in message.content]
        elif message.type == "AssistantMessage" and isinstance(message.content, list):
            calls = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in message.content
            ]
            found.append({"role": "assistant", "content": message.thought, "tool_calls": calls})
        else:
            roles = {"SystemMessage": "system", "UserMessage": "user", "AssistantMessage": "assistant"}
            found.append({"role": roles[message.type], "content": message.content})
    return found


def requests_of(client: ReplayChatCompletionClient) -> list[Request]:
    """What the model got, call by call."""
    return [
        Request(tuple(plain(call["messages"])), tuple(tool["name"] for tool in call["tools"]))
        for call in client.create_calls
    ]


async def ask(agent: AssistantAgent, scenario: Scenario) -> str:
    """The agent's answer to the scenario's task."""
    last = (await agent.run(task=scenario.task)).messages[-1]
    assert isinstance(last, BaseChatMessage)
    return last.to_text()


class AutoGenDriver:
    """A new agent is connected by `with_memory`, one that exists by `attach`."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        client = client_for(scenario)
        arguments: dict[str, Any] = (
            with_memory(bank, tools=scenario.tools, **scenario.options) if bank else {"tools": [*scenario.tools]}
        )
        agent = AssistantAgent("a", client, system_message=scenario.system, max_tool_iterations=99, **arguments)
        answer = asyncio.run(ask(agent, scenario))
        return Trace(tuple(requests_of(client)), answer)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        client = client_for(first, second)
        agent = AssistantAgent("a", client, tools=[*first.tools], system_message=first.system, max_tool_iterations=99)
        if bank:
            attach(agent, bank)
        asyncio.run(ask(agent, first))
        before = len(client.create_calls)
        if bank:
            detach(agent)
        answer = asyncio.run(ask(agent, second))
        return Trace(tuple(requests_of(client)[before:]), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        client = client_for(first, second)
        agent = AssistantAgent("a", client, tools=[*first.tools], system_message=first.system, max_tool_iterations=99)
        attach(agent, bank)
        asyncio.run(ask(agent, first))
        before = len(client.create_calls)
        answer = asyncio.run(ask(agent, second))
        return Trace(tuple(requests_of(client)[before:]), answer)
