"""The integration contract on a plain message loop: ContextAdapter is the first integration."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from amb_contracts.integration import IntegrationContract, Request, Trace
from amb_contracts.integration_story import Call, Scenario
from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter import text_of

Messages = list[dict[str, Any]]


class _Agent:
    """The loop everybody writes: ask the model, run the tools it calls, append, ask again."""

    def __init__(self, system: str) -> None:
        self.messages: Messages = [{"role": "system", "content": system}]

    def run(self, scenario: Scenario, *, adapter: ContextAdapter | None) -> Trace:
        tools: dict[str, Any] = {tool.__name__: tool for tool in scenario.tools}
        tools |= {tool.name: tool for tool in adapter.memory_tools()} if adapter else {}
        requests: list[Request] = []
        self.messages.append({"role": "user", "content": scenario.task})
        for turn in (*scenario.turns, ()):
            messages = adapter.prepare(self.messages) if adapter else self.messages
            requests.append(Request(tuple(copy.deepcopy(messages)), tuple(tools)))
            if turn:
                self._take(turn, tools)
                if adapter:
                    adapter.intercept_context(self.messages)
        self.messages.append({"role": "assistant", "content": scenario.answer})
        return Trace(tuple(requests), scenario.answer)

    def _take(self, turn: tuple[Call, ...], tools: dict[str, Any]) -> None:
        calls = [{"name": call.tool, "arguments": json.dumps(call.arguments)} for call in turn]
        named = [{"id": c.call_id, "type": "function", "function": f} for c, f in zip(turn, calls, strict=True)]
        self.messages.append({"role": "assistant", "content": None, "tool_calls": named})
        for call in turn:
            try:
                content = text_of(tools[call.tool](**call.arguments))
            except RuntimeError as error:
                content = f"Error: {error}"
            self.messages.append({"role": "tool", "tool_call_id": call.call_id, "content": content})


class PlainDriver:
    """Connected by hand, so detaching is leaving the adapter out."""

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        return _Agent(scenario.system).run(scenario, adapter=ContextAdapter(bank, **scenario.options) if bank else None)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        agent, adapter = _Agent(first.system), ContextAdapter(bank)
        agent.run(first, adapter=adapter)
        return agent.run(second, adapter=adapter)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        agent = _Agent(first.system)
        agent.run(first, adapter=ContextAdapter(bank) if bank else None)
        return agent.run(second, adapter=None)


@pytest.mark.slow
class TestPlainLoop(IntegrationContract):
    driver = PlainDriver()
