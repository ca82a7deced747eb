"""Runs scripted agents of the OpenAI Agents SDK and hands back what the model got, as an OpenAI client sends it."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from agents.models.chatcmpl_converter import Converter
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import MemoryBank
from amb_openai_agents import attach, detach, memory_tools, run_options, with_memory

__all__ = [
    "AgentDriver",
    "Call",
    "RunDriver",
    "Scenario",
    "ScriptedModel",
    "agent_for",
    "as_tool",
    "fact",
    "keeper_tools",
    "page",
    "say",
    "task",
]

set_tracing_disabled(True)


def say(text: str) -> ResponseOutputMessage:
    """An assistant message."""
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id=f"msg-{text[:20]}", content=[content], role="assistant", status="completed", type="message"
    )


def _call(call: Call, name: str) -> ResponseFunctionToolCall:
    arguments = json.dumps(dict(call.arguments))
    return ResponseFunctionToolCall(
        id=name, call_id=call.call_id, name=call.tool, arguments=arguments, type="function_call"
    )


def _of(args: Sequence[Any], asked: dict[str, Any]) -> dict[str, Any]:
    """The parts of a request the model looks at, by name; the SDK gives them by place or by name."""
    names = ("system_instructions", "input", "model_settings", "tools", "output_schema", "handoffs")
    given = dict(zip(names, args, strict=False)) | asked
    return {name: given[name] for name in ("system_instructions", "input", "tools", "handoffs")}


class ScriptedModel(Model):
    """Makes the calls of each turn of the scenarios, then gives their answers; keeps every input as it came.

    With `thinking`, a reasoning item stands before each turn.
    """

    def __init__(self, *scenarios: Scenario, thinking: bool = False) -> None:
        self.inputs: list[list[Any]] = []
        self.requests: list[Request] = []
        self.replies: list[Any] = []
        for scenario in scenarios:
            self.replies += [*scenario.turns, scenario.answer]
        self.thinking = thinking

    def _reply(self, system_instructions: str | None, input: Any, tools: Any, handoffs: Any) -> list[Any]:
        number = len(self.requests)
        system = [{"role": "system", "content": system_instructions}] if system_instructions else []
        seen = Converter.items_to_messages(copy.deepcopy(input))
        names = (*(tool.name for tool in tools), *(handoff.tool_name for handoff in handoffs))
        self.requests.append(Request((*system, *(dict(message) for message in seen)), names))
        self.inputs.append(copy.deepcopy(list(input)))
        reply = self.replies[number]
        thought = [ResponseReasoningItem(id=f"rs-{number}", summary=[], type="reasoning")] if self.thinking else []
        if isinstance(reply, str):
            return [*thought, say(reply)]
        return [*thought, *(_call(call, f"fc-{number}-{at}") for at, call in enumerate(reply))]

    async def get_response(self, *args: Any, **asked: Any) -> ModelResponse:
        output = self._reply(**_of(args, asked))
        return ModelResponse(output=output, usage=Usage(), response_id=f"resp-{len(self.requests)}")

    async def stream_response(self, *args: Any, **asked: Any) -> AsyncIterator[Any]:
        output = self._reply(**_of(args, asked))
        response = Response(
            id=f"resp-{len(self.requests)}", created_at=0, model="scripted", object="response", output=output,
            parallel_tool_calls=True, tool_choice="auto", tools=[],
        )  # fmt: skip
        yield ResponseCompletedEvent(response=response, sequence_number=0, type="response.completed")


def as_tool(tool: Any) -> Any:
    """The function as a tool that says what went wrong; by default the SDK no longer does."""
    return function_tool(tool, failure_error_function=lambda context, error: f"Error: {error}")


def agent_for(scenario: Scenario, model: Model, **arguments: Any) -> Agent[Any]:
    """An agent with the scenario's tools."""
    own = [as_tool(tool) for tool in scenario.tools]
    return Agent(name="reader", instructions=scenario.system, model=model, **{"tools": own} | arguments)


def _ask(agent: Agent[Any], scenario: Scenario, **options: Any) -> str:
    return str(asyncio.run(Runner.run(agent, scenario.task, max_turns=99, **options)).final_output)


def _converse(agent: Agent[Any], first: Scenario, second: Scenario, **options: Any) -> Trace:
    """Both tasks, the second with the history of the first; the trace is of the second."""
    model: Any = agent.model
    told = asyncio.run(Runner.run(agent, first.task, max_turns=99, **options)).to_input_list()
    before = len(model.requests)
    asked = [*told, {"role": "user", "content": second.task}]
    answer = asyncio.run(Runner.run(agent, asked, max_turns=99, **options)).final_output
    return Trace(tuple(model.requests[before:]), str(answer))


class AgentDriver:
    """A new agent is connected by `with_memory`, one that exists by `attach`."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel(scenario)
        own = [as_tool(tool) for tool in scenario.tools]
        agent = agent_for(scenario, model, **(with_memory(bank, tools=own, **scenario.options) if bank else {}))
        answer = _ask(agent, scenario)
        return Trace(tuple(model.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        agent = agent_for(first, ScriptedModel(first, second))
        attach(agent, bank)
        return _converse(agent, first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel(first, second)
        agent = agent_for(first, model)
        if bank:
            attach(agent, bank)
        _ask(agent, first)
        before = len(model.requests)
        if bank:
            detach(agent)
        answer = _ask(agent, second)
        return Trace(tuple(model.requests[before:]), answer)


class RunDriver:
    """The run is connected, by `run_options`; the next run goes without."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel(scenario)
        own: list[Any] = [as_tool(tool) for tool in scenario.tools]
        agent = agent_for(scenario, model, tools=[*own, *(memory_tools(bank) if bank else ())])
        answer = _ask(agent, scenario, **(run_options(bank, **scenario.options) if bank else {}))
        return Trace(tuple(model.requests), answer)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel(first, second)
        agent = agent_for(first, model)
        _ask(agent, first, **(run_options(bank) if bank else {}))
        before = len(model.requests)
        answer = _ask(agent, second)
        return Trace(tuple(model.requests[before:]), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        agent = agent_for(first, ScriptedModel(first, second))
        return _converse(agent, first, second, **run_options(bank))
