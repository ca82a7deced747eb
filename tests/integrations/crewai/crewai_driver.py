"""Runs scripted CrewAI agents and hands back what the model got; nothing leaves the machine."""

from __future__ import annotations

import copy
import json
import logging
import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool
from pydantic import PrivateAttr

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Call, Scenario
from amb_core import MemoryBank, Scope
from amb_crewai import attach, detach, memory

__all__ = ["CrewAIDriver", "ScriptedLLM", "TextDriver", "agent_for", "crew_of", "model_for", "spoken"]

logging.getLogger("crewai.llms.base_llm").setLevel(logging.ERROR)  # it warns at each estimate of tokens


class ScriptedLLM(BaseLLM):
    """Says one reply after another; `native` calls tools by tool calls, otherwise in the text protocol."""

    native: bool = True
    window: int = 1_000_000
    _replies: list[Any] = PrivateAttr(default_factory=list)
    _requests: list[Request] = PrivateAttr(default_factory=list)

    @property
    def requests(self) -> list[Request]:
        return self._requests

    def will_say(self, *replies: Any) -> ScriptedLLM:
        self._replies += replies
        return self

    def supports_function_calling(self) -> bool:
        return self.native

    def supports_stop_words(self) -> bool:
        return True

    def get_context_window_size(self) -> int:
        return self.window

    def call(self, messages: Any, tools: Any = None, **_: Any) -> Any:
        shown = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        names = [one["function"]["name"] for one in tools or ()] if self.native else _named_in(shown)
        self._requests.append(Request(tuple(copy.deepcopy(dict(message)) for message in shown), tuple(names)))
        reply = self._replies.pop(0) if self._replies else "Thought: enough\nFinal Answer: nothing left to say"
        if isinstance(reply, Exception):
            raise reply
        return reply(shown) if callable(reply) else reply

    async def acall(self, *arguments: Any, **named: Any) -> Any:
        return self.call(*arguments, **named)


def _named_in(messages: Any) -> list[str]:
    return re.findall(r"^Tool Name: (\w+)", str(messages[0]["content"]), re.MULTILINE)


def spoken(scenario: Scenario, *, native: bool) -> list[Any]:
    """The scenario's replies; the text protocol knows one call a turn, so parallel calls come one by one."""
    if native:
        return [*([_native(call) for call in turn] for turn in scenario.turns), scenario.answer]
    calls = [call for turn in scenario.turns for call in turn]
    return [*map(_text, calls), f"Thought: I know it.\nFinal Answer: {scenario.answer}"]


def _native(call: Call) -> dict[str, Any]:
    function = {"name": call.tool, "arguments": json.dumps(dict(call.arguments))}
    return {"id": call.call_id, "type": "function", "function": function}


def _text(call: Call) -> str:
    return f"Thought: I look.\nAction: {call.tool}\nAction Input: {json.dumps(dict(call.arguments))}"


def model_for(*scenarios: Scenario, native: bool = True, **options: Any) -> ScriptedLLM:
    """A model that says what the scenarios say, one after another."""
    replies = [reply for scenario in scenarios for reply in spoken(scenario, native=native)]
    return ScriptedLLM(model="scripted", native=native, **options).will_say(*replies)


def agent_for(scenario: Scenario, llm: ScriptedLLM, *, role: str = "keeper", **options: Any) -> Agent:
    """An agent with the scenario's tools and system text."""
    tools = [*map(tool, scenario.tools), *options.pop("more", ())]
    return Agent(role=role, goal="Answer.", backstory=scenario.system, tools=tools, llm=llm, max_iter=99, **options)


def crew_of(agent: Agent, scenario: Scenario, **options: Any) -> Crew:
    """A crew of that one agent, for the scenario's task."""
    return Crew(agents=[agent], tasks=[Task(description=scenario.task, expected_output="text", agent=agent)], **options)


class CrewAIDriver:
    """A crew connected by `memory`, or by `attach` when it will be detached."""

    follows_talk = False

    def __init__(self, *, native: bool = True, kickoff: Callable[[Crew], Any] = Crew.kickoff) -> None:
        self.native, self.kickoff = native, kickoff

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        llm = model_for(scenario, native=self.native)
        crew = crew_of(agent_for(scenario, llm), scenario)
        with memory(bank, crew, **scenario.options) if bank else nullcontext():
            answer = self.kickoff(crew).raw
        return Trace(tuple(llm.requests), answer)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        llm = model_for(first, second, native=self.native)
        agent = agent_for(first, llm)
        if bank:
            attach(agent, bank)
        crew_of(agent, first).kickoff()
        before = len(llm.requests)
        if bank:
            detach(agent)
        answer = crew_of(agent, second).kickoff().raw
        return Trace(tuple(llm.requests[before:]), answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        """Two kickoffs have no more in common than whom they are for, which is said."""
        llm = model_for(first, second, native=self.native)
        agent = agent_for(first, llm)
        attach(agent, bank, scope=Scope(first.user))
        crew_of(agent, first).kickoff()
        before = len(llm.requests)
        answer = crew_of(agent, second).kickoff().raw
        detach(agent)
        return Trace(tuple(llm.requests[before:]), answer)


class TextDriver(CrewAIDriver):
    """The same in the text protocol (Thought, Action, Observation)."""

    def __init__(self) -> None:
        super().__init__(native=False)
