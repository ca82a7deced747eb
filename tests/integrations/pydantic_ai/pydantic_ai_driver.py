"""Runs scripted Pydantic AI agents with its function model and hands back what the model got."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Scenario
from amb_core import MemoryBank
from amb_pydantic_ai import AMBCapability, AMBModel, attach, detach, memory_toolset

__all__ = ["CapabilityDriver", "ModelDriver", "Script", "agent_for", "as_tool", "model_of", "plain"]


def as_tool(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The function as Pydantic AI wants it to fail: any other exception would end the run."""

    @functools.wraps(tool)
    def call(*args: Any, **arguments: Any) -> Any:
        try:
            return tool(*args, **arguments)
        except RuntimeError as error:
            raise ModelRetry(str(error)) from error

    return call


def _chat(part: Any) -> dict[str, Any]:
    if part.part_kind == "tool-return":
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": part.model_response_str()}
    if part.part_kind == "retry-prompt":
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": part.model_response()}
    role = {"system-prompt": "system", "user-prompt": "user"}[part.part_kind]
    content = part.content if isinstance(part.content, str) else "\n".join(map(str, part.content))
    return {"role": role, "content": content}


def plain(messages: list[ModelMessage]) -> list[dict[str, Any]]:
    """Pydantic AI's messages as an OpenAI client would send them."""
    found: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, ModelRequest):
            found += map(_chat, message.parts)
            continue
        calls = [
            {
                "id": p.tool_call_id,
                "type": "function",
                "function": {"name": p.tool_name, "arguments": json.dumps(p.args)},
            }
            for p in message.parts
            if isinstance(p, ToolCallPart)
        ]
        text = "".join(part.content for part in message.parts if isinstance(part, TextPart))
        found.append({"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {}))
    return found


class Script:
    """Makes the calls of each turn of the scenarios, then gives their answers; keeps every request."""

    def __init__(self, *scenarios: Scenario) -> None:
        self.seen: list[list[ModelMessage]] = []
        self.requests: list[Request] = []
        self.replies: list[Any] = []
        for scenario in scenarios:
            self.replies += [*scenario.turns, scenario.answer]

    def _next(self, messages: list[ModelMessage], info: AgentInfo) -> Any:
        self.seen.append(list(messages))
        system = [{"role": "system", "content": info.instructions}] if info.instructions else []
        names = tuple(tool.name for tool in (*info.function_tools, *info.output_tools))
        self.requests.append(Request((*system, *plain(messages)), names))
        return self.replies[len(self.requests) - 1]

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """The next reply."""
        reply = self._next(messages, info)
        if isinstance(reply, str):
            return ModelResponse(parts=[TextPart(reply)])
        calls = [ToolCallPart(call.tool, dict(call.arguments), tool_call_id=call.call_id) for call in reply]
        return ModelResponse(parts=calls)

    async def stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        """The next reply, in pieces."""
        reply = self._next(messages, info)
        if isinstance(reply, str):
            for word in reply.split(" "):
                yield f"{word} "
        else:
            for at, call in enumerate(reply):
                arguments = json.dumps(dict(call.arguments))
                yield {at: DeltaToolCall(name=call.tool, json_args=arguments, tool_call_id=call.call_id)}


def model_of(script: Script) -> FunctionModel:
    """The script as a model, streaming or not."""
    return FunctionModel(script.answer, stream_function=script.stream)


def agent_for(scenario: Scenario, model: Any, **arguments: Any) -> Agent[Any, Any]:
    """An agent with the scenario's tools."""
    return Agent(model, instructions=scenario.system, tools=[*map(as_tool, scenario.tools)], name="reader", **arguments)


def _ask(agent: Agent[Any, Any], scenario: Scenario) -> str:
    return str(asyncio.run(agent.run(scenario.task)).output)


class _Driver:
    """An agent that exists is connected by `attach`."""

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        script = Script(first, second)
        agent = self.connected(script, first, bank)
        told = asyncio.run(agent.run(first.task)).all_messages()
        before = len(script.requests)
        answer = asyncio.run(agent.run(second.task, message_history=told)).output
        return Trace(tuple(script.requests[before:]), str(answer))

    def connected(self, script: Script, scenario: Scenario, bank: MemoryBank | None) -> Agent[Any, Any]:
        """A new agent, with a memory where there is a bank."""
        raise AssertionError("each way of connecting has its own")

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        script = Script(scenario)
        answer = _ask(self.connected(script, scenario, bank), scenario)
        return Trace(tuple(script.requests), answer)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        script = Script(first, second)
        agent = agent_for(first, model_of(script))
        if bank:
            attach(agent, bank)
        _ask(agent, first)
        before = len(script.requests)
        if bank:
            detach(agent)
        answer = _ask(agent, second)
        return Trace(tuple(script.requests[before:]), answer)


class CapabilityDriver(_Driver):
    """A new agent is connected by its capabilities."""

    def connected(self, script: Script, scenario: Scenario, bank: MemoryBank | None) -> Agent[Any, Any]:
        return agent_for(
            scenario, model_of(script), capabilities=[AMBCapability(bank, **scenario.options)] if bank else []
        )


class ModelDriver(_Driver):
    """A new agent is connected by its model."""

    def connected(self, script: Script, scenario: Scenario, bank: MemoryBank | None) -> Agent[Any, Any]:
        model: Any = AMBModel(model_of(script), bank, **scenario.options) if bank else model_of(script)
        return agent_for(scenario, model, toolsets=[memory_toolset(bank)] if bank else [])
