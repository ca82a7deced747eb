"""Runs scripted Strands agents and hands back what the model got, OpenAI-style."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from strands import Agent, tool
from strands.models import Model

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Call, Scenario
from amb_core import MemoryBank
from amb_strands import AMBPlugin, attach, detach

__all__ = ["AttachDriver", "PluginDriver", "ScriptedModel", "agent_for"]


def _openai_style(message: dict[str, Any]) -> list[dict[str, Any]]:
    """One message of Converse, told by this driver alone."""
    if message["role"] == "assistant":
        text = "".join(block.get("text", "") for block in message["content"])
        calls = [{"id": b["toolUse"]["toolUseId"]} for b in message["content"] if "toolUse" in b]
        return [{"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}]
    told: list[dict[str, Any]] = []
    for block in message["content"]:
        if result := block.get("toolResult"):
            text = "".join(part.get("text") or json.dumps(part.get("json")) for part in result["content"])
            told.append({"role": "tool", "tool_call_id": result["toolUseId"], "content": text})
        else:
            told.append({"role": "user", "content": block["text"]})
    return told


class ScriptedModel(Model):
    """Makes the calls of each turn of the scenarios, then gives their answers; keeps every request."""

    def __init__(self, *scenarios: Scenario) -> None:
        self.replies = [reply for scenario in scenarios for reply in (*scenario.turns, scenario.answer)]
        self.requests: list[Request] = []
        self.roles: list[list[str]] = []

    def update_config(self, **config: Any) -> None:
        """There is nothing to set."""

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *args: Any, **options: Any) -> AsyncIterator[Any]:
        yield {}

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: str | None = None, **options: Any
    ) -> AsyncIterator[Any]:
        system = [{"role": "system", "content": system_prompt}] if system_prompt else []
        told = [told for message in json.loads(json.dumps(messages)) for told in _openai_style(message)]
        self.requests.append(Request((*system, *told), tuple(spec["name"] for spec in tool_specs or ())))
        self.roles.append([message["role"] for message in messages])
        reply = self.replies[len(self.requests) - 1]
        yield {"messageStart": {"role": "assistant"}}
        for event in _text(reply) if isinstance(reply, str) else [e for call in reply for e in _called(call)]:
            yield event
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(reply, str) else "tool_use"}}


def _text(reply: str) -> list[dict[str, Any]]:
    said = {"contentBlockDelta": {"delta": {"text": reply}}}
    return [{"contentBlockStart": {"start": {}}}, said, {"contentBlockStop": {}}]


def _called(call: Call) -> list[dict[str, Any]]:
    begun = {"contentBlockStart": {"start": {"toolUse": {"name": call.tool, "toolUseId": call.call_id}}}}
    given = {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(dict(call.arguments))}}}}
    return [begun, given, {"contentBlockStop": {}}]


def agent_for(scenario: Scenario, model: Model, **options: Any) -> Agent:
    """An agent with the scenario's tools."""
    own = [tool(each) for each in scenario.tools]
    return Agent(model, tools=own, system_prompt=scenario.system, callback_handler=None, **options)


def _asked(agent: Agent, scenario: Scenario, **state: Any) -> str:
    return str(agent(scenario.task, invocation_state=state)).strip()


class PluginDriver:
    """A new agent is connected by its plugin, and each call names its user."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel(scenario)
        agent = agent_for(scenario, model, plugins=[AMBPlugin(bank, **scenario.options)] if bank else [])
        answer = _asked(agent, scenario, user_id=scenario.user)
        return Trace(tuple(model.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        model = ScriptedModel(first, second)
        agent = agent_for(first, model, plugins=[AMBPlugin(bank)])
        return _second(agent, model, first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _without(first, second, bank)


class AttachDriver:
    """An agent that exists is connected by `attach`; nobody is named, so the transcript tells who comes."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel(scenario)
        agent = agent_for(scenario, model)
        if bank:
            attach(agent, bank, **scenario.options)
        answer = _asked(agent, scenario)
        return Trace(tuple(model.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        model = ScriptedModel(first, second)
        agent = agent_for(first, model)
        attach(agent, bank)
        return _second(agent, model, first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _without(first, second, bank)


def _second(agent: Agent, model: ScriptedModel, first: Scenario, second: Scenario) -> Trace:
    _asked(agent, first)
    before = len(model.requests)
    answer = _asked(agent, second)
    return Trace(tuple(model.requests[before:]), answer)


def _without(first: Scenario, second: Scenario, bank: MemoryBank | None) -> Trace:
    model = ScriptedModel(first, second)
    agent = agent_for(first, model)
    if bank:
        attach(agent, bank)
    _asked(agent, first)
    before = len(model.requests)
    if bank:
        detach(agent)
    answer = _asked(agent, second)
    return Trace(tuple(model.requests[before:]), answer)
