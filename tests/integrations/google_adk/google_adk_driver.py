"""Runs scripted agents of Google ADK and hands back what the model got, OpenAI-style."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types
from pydantic import PrivateAttr

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Scenario
from amb_core import MemoryBank
from amb_google_adk import AMBPlugin, attach, detach

__all__ = ["AttachDriver", "PluginDriver", "ScriptedModel", "agent_for", "runner_for", "say"]

logging.getLogger("google_adk").setLevel(logging.CRITICAL)


def _openai_style(contents: list[types.Content]) -> list[dict[str, Any]]:
    """The contents, told by this driver alone; the calls of a turn are answered in their order."""
    told: list[dict[str, Any]] = []
    waiting: list[str] = []
    for content in contents:
        calls = [part.function_call for part in content.parts if part.function_call]
        if content.role == "model":
            waiting = [f"{len(told)}-{at}" for at in range(len(calls))]
            text = "".join(part.text or "" for part in content.parts)
            named = {"tool_calls": [{"id": each} for each in waiting]} if calls else {}
            told.append({"role": "assistant", "content": text, **named})
            continue
        for part in content.parts:
            if (answer := part.function_response) is not None:
                text = "\n".join(v if isinstance(v, str) else json.dumps(v) for v in answer.response.values())
                told.append({"role": "tool", "tool_call_id": waiting.pop(0) if waiting else "?", "content": text})
            else:
                told.append({"role": "user", "content": part.text})
    return told


class ScriptedModel(BaseLlm):
    """Makes the calls of each turn of the scenarios, then gives their answers; keeps every request."""

    model: str = "scripted"
    _replies: list[Any] = PrivateAttr(default_factory=list)
    _requests: list[Request] = PrivateAttr(default_factory=list)
    _ids: bool = PrivateAttr(default=True)
    _roles: list[list[str]] = PrivateAttr(default_factory=list)

    @classmethod
    def of(cls, *scenarios: Scenario, ids: bool = True) -> ScriptedModel:
        """The model for some scenarios, one after another; without `ids` ADK makes those of its calls."""
        model = cls()
        model._ids = ids
        model._replies = [reply for scenario in scenarios for reply in (*scenario.turns, scenario.answer)]
        return model

    @property
    def requests(self) -> list[Request]:
        return self._requests

    @property
    def roles(self) -> list[list[str]]:
        return self._roles

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        said = llm_request.config.system_instruction
        system = [{"role": "system", "content": str(said)}] if said else []
        declared = [one.name for tool in llm_request.config.tools or () for one in tool.function_declarations or ()]
        self._requests.append(Request((*system, *_openai_style(llm_request.contents)), tuple(declared)))
        self._roles.append([content.role for content in llm_request.contents])
        reply = self._replies[len(self._requests) - 1]
        parts = [types.Part(text=reply)] if isinstance(reply, str) else [_called(call, ids=self._ids) for call in reply]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def _called(call: Any, *, ids: bool) -> types.Part:
    named = {"id": call.call_id} if ids else {}
    return types.Part(function_call=types.FunctionCall(name=call.tool, args=dict(call.arguments), **named))


class ErrorsToModel(BasePlugin):
    """Tells the model what went wrong; without it, a tool that raises ends ADK's run."""

    async def on_tool_error_callback(self, *, error: Exception, **told: Any) -> dict[str, str]:
        return {"error": str(error)}


def agent_for(scenario: Scenario, model: BaseLlm, **options: Any) -> LlmAgent:
    """An agent with the scenario's tools."""
    named = {"name": "reader", "instruction": scenario.system, "tools": [*scenario.tools]}
    return LlmAgent(model=model, **(named | options))


def runner_for(agent: LlmAgent, *plugins: BasePlugin, sessions: Any = None, **services: Any) -> Runner:
    """A runner whose sessions are kept in memory, or where `sessions` keeps them."""
    app = App(name="lighthouse", root_agent=agent, plugins=[ErrorsToModel(name="errors"), *plugins])
    return Runner(app=app, session_service=sessions or InMemorySessionService(), **services)


async def say(runner: Runner, text: str, *, user: str, session: str = "s1") -> str:
    """One question in a session, which is made when there is none; the answer."""
    named = {"app_name": "lighthouse", "user_id": user, "session_id": session}
    if await runner.session_service.get_session(**named) is None:
        await runner.session_service.create_session(**named)
    answer, asked = "", types.Content(role="user", parts=[types.Part(text=text)])
    async for event in runner.run_async(user_id=user, session_id=session, new_message=asked):
        if event.content and event.content.parts and event.content.parts[0].text:
            answer = event.content.parts[0].text
    return answer


class PluginDriver:
    """The app is connected, by its plugin."""

    joins_users = True  # parts of one turn are told apart above; test_google_adk_agents.py looks at the turns

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel.of(scenario)
        runner = runner_for(agent_for(scenario, model), *([AMBPlugin(bank, **scenario.options)] if bank else []))
        answer = asyncio.run(say(runner, scenario.task, user=scenario.user))
        return Trace(tuple(model.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        model = ScriptedModel.of(first, second)
        return _both(runner_for(agent_for(first, model), AMBPlugin(bank)), model, first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _without(first, second, bank)


class AttachDriver:
    """One agent is connected, by its callbacks."""

    joins_users = True  # parts of one turn are told apart above; test_google_adk_agents.py looks at the turns

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel.of(scenario)
        agent = agent_for(scenario, model)
        if bank:
            attach(agent, bank, **scenario.options)
        answer = asyncio.run(say(runner_for(agent), scenario.task, user=scenario.user))
        return Trace(tuple(model.requests), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        model = ScriptedModel.of(first, second)
        agent = agent_for(first, model)
        attach(agent, bank)
        return _both(runner_for(agent), model, first, second)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _without(first, second, bank)


def _both(runner: Runner, model: ScriptedModel, first: Scenario, second: Scenario, between: Any = None) -> Trace:
    async def talk() -> Trace:
        await say(runner, first.task, user=first.user)
        before = len(model.requests)
        if between is not None:
            between()
        answer = await say(runner, second.task, user=second.user)
        return Trace(tuple(model.requests[before:]), answer)

    return asyncio.run(talk())


def _without(first: Scenario, second: Scenario, bank: MemoryBank | None) -> Trace:
    model = ScriptedModel.of(first, second)
    agent = agent_for(first, model)
    if bank:
        attach(agent, bank)
    return _both(runner_for(agent), model, first, second, (lambda: detach(agent)) if bank else None)
