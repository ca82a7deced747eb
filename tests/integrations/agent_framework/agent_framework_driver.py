"""Runs scripted agents of Microsoft Agent Framework and hands back what the model got, OpenAI-style."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    Message,
)

from amb_agent_framework import AMBContextProvider, attach, detach
from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Scenario
from amb_core import MemoryBank

__all__ = ["AttachDriver", "ProviderDriver", "ScriptedClient", "agent_for", "session_for"]


def _openai_style(message: Message) -> list[dict[str, Any]]:
    """One message, told by this driver alone."""
    results = [content for content in message.contents if content.type == "function_result"]
    if results:
        return [{"role": "tool", "tool_call_id": each.call_id, "content": _text(each)} for each in results]
    if message.role == "user":  # clients send each text as a part of its own
        return [{"role": "user", "content": content.text} for content in message.contents]
    calls = [{"id": content.call_id} for content in message.contents if content.type == "function_call"]
    return [{"role": message.role, "content": message.text, **({"tool_calls": calls} if calls else {})}]


def _text(result: Content) -> str:
    return result.result if isinstance(result.result, str) else json.dumps(result.result, default=str)


class ScriptedClient(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """Makes the calls of each turn of the scenarios, then gives their answers; keeps every request."""

    def __init__(self, *scenarios: Scenario) -> None:
        super().__init__()
        self.function_invocation_configuration |= {"max_iterations": 99, "include_detailed_errors": True}
        self.replies = [reply for scenario in scenarios for reply in (*scenario.turns, scenario.answer)]
        self.requests: list[Request] = []
        self.options: list[dict[str, Any]] = []

    def _inner_get_response(self, *, messages: Sequence[Message], options: Any, **named: Any) -> Any:
        async def reply() -> ChatResponse:
            said = options.get("instructions")
            system = [{"role": "system", "content": said}] if said else []
            told = [told for message in messages for told in _openai_style(message)]
            self.requests.append(Request((*system, *told), tuple(tool.name for tool in options.get("tools") or ())))
            self.options.append(dict(options))
            reply = self.replies[len(self.requests) - 1]
            contents = [Content.from_text(reply)] if isinstance(reply, str) else [_called(call) for call in reply]
            return ChatResponse(messages=[Message("assistant", contents)])

        return reply()


def _called(call: Any) -> Content:
    return Content.from_function_call(call_id=call.call_id, name=call.tool, arguments=json.dumps(dict(call.arguments)))


def agent_for(scenario: Scenario, client: Any, **options: Any) -> Agent[Any]:
    """An agent with the scenario's tools."""
    tools = [
        FunctionTool(name=tool.__name__, description=tool.__doc__ or "", func=tool, approval_mode="never_require")
        for tool in scenario.tools
    ]
    return Agent(client=client, **({"name": "reader", "instructions": scenario.system, "tools": tools} | options))


def session_for(agent: Agent[Any], user: str) -> Any:
    """A session of a user's."""
    session = agent.create_session(session_id=f"s-{user}")
    session.state["user_id"] = user
    return session


def _ask(agent: Agent[Any], scenario: Scenario) -> str:
    return str(asyncio.run(agent.run(scenario.task, session=session_for(agent, scenario.user))).text)


class ProviderDriver:
    """A new agent is connected by its context provider."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        client = ScriptedClient(scenario)
        agent = agent_for(
            scenario, client, context_providers=[AMBContextProvider(bank, **scenario.options)] if bank else []
        )
        answer = _ask(agent, scenario)
        return Trace(tuple(client.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        client = ScriptedClient(first, second)
        return _both(agent_for(first, client, context_providers=[AMBContextProvider(bank)]), first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _without(first, second, bank)


class AttachDriver:
    """An agent that exists is connected by `attach`."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        client = ScriptedClient(scenario)
        agent = agent_for(scenario, client)
        if bank:
            attach(agent, bank, **scenario.options)
        answer = _ask(agent, scenario)
        return Trace(tuple(client.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        agent = agent_for(first, ScriptedClient(first, second))
        attach(agent, bank)
        return _both(agent, first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _without(first, second, bank)


def _both(agent: Agent[Any], first: Scenario, second: Scenario, between: Any = None) -> Trace:
    client: Any = agent.client

    async def talk() -> Trace:
        session = session_for(agent, first.user)
        await agent.run(first.task, session=session)
        before = len(client.requests)
        if between is not None:
            between()
        answer = (await agent.run(second.task, session=session)).text
        return Trace(tuple(client.requests[before:]), answer)

    return asyncio.run(talk())


def _without(first: Scenario, second: Scenario, bank: MemoryBank | None) -> Trace:
    agent = agent_for(first, ScriptedClient(first, second))
    if bank:
        attach(agent, bank)
    return _both(agent, first, second, (lambda: detach(agent)) if bank else None)
