"""Two agents of the OpenAI Agents SDK, each with a bank of its own and one they share."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import MemoryBank, Settings, ToolResult
from amb_core.contributor import Contributor, RecallContext

pytest.importorskip("agents.run", reason="the OpenAI Agents SDK is not installed: make test-frameworks")
from agents import Agent, Runner

from amb_openai_agents import attach, detach

pytestmark = pytest.mark.openai_agents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("openai_agents_driver.py"))))


@pytest.fixture
def banks() -> Iterator[tuple[MemoryBank, MemoryBank, MemoryBank]]:
    shared, one, two = (MemoryBank(task(), settings=Settings(inject="always")) for _ in range(3))
    with shared, one, two:
        yield shared, one, two


def _fetched(result: ToolResult) -> bool:
    return result.tool == "fetch"


def _member(name: str, *turns: tuple[Call, ...], answer: str, **arguments: Any) -> tuple[Agent[Any], Any]:
    model = scripted.ScriptedModel(Scenario(task(), turns, (), answer=answer))
    own = [*map(scripted.as_tool, keeper_tools()), *arguments.pop("tools", ())]
    return Agent(name=name, instructions=f"You are the {name}.", model=model, tools=own, **arguments), model


def _call(tool: str, number: int) -> tuple[Call, ...]:
    return (Call(tool, {"number": number}, f"call-{tool}-{number}"),)


async def test_after_a_handover_the_second_agent_recalls_what_the_first_one_shared(banks: Any) -> None:
    shared, one, two = banks
    writer, writing = _member("writer", _call("fetch", 1), answer="Written.")
    over = (Call("transfer_to_writer", {}, "call-over"),)
    reader, _ = _member("reader", _call("fetch", 0), over, answer="", handoffs=[writer])
    attach(reader, one, shared=shared, share=_fetched)
    attach(writer, two, shared=shared, share=_fetched)
    result = await Runner.run(reader, task())
    assert result.final_output == "Written."
    assert result.last_agent is writer
    assert fact(0) in writing.inputs[0][-1]["content"]
    assert "[s" in writing.inputs[0][-1]["content"]
    assert [entry.text for entry in shared.snapshot().results] == [page(0), page(1)]
    assert [entry.metadata["agent"] for entry in shared.snapshot().results] == ["reader", "writer"]
    assert not one.snapshot().results
    assert not two.snapshot().results


async def test_a_handover_does_not_bring_the_team_what_the_first_agent_kept_to_itself(banks: Any) -> None:
    shared, one, two = banks
    writer, _ = _member("writer", _call("fetch", 1), answer="Written.")
    over = (Call("transfer_to_writer", {}, "call-over"),)
    reader, _ = _member("reader", _call("reading", 4), over, answer="", handoffs=[writer])
    attach(reader, one, shared=shared, share=_fetched)
    attach(writer, two, shared=shared)
    await Runner.run(reader, task())
    assert [entry.metadata["tool"] for entry in shared.snapshot().results] == ["fetch"]
    assert [entry.metadata["tool"] for entry in one.snapshot().results] == ["reading"]
    assert [entry.metadata["tool"] for entry in two.snapshot().results] == ["reading"]  # handed over by the SDK


async def test_an_agent_used_as_a_tool_shares_its_findings_and_keeps_its_own_notes(banks: Any) -> None:
    shared, one, two = banks
    helper, helping = _member("helper", _call("fetch", 0), _call("reading", 3), answer="The helper is done.")
    asked = (Call("ask_helper", {"input": task()}, "call-ask"),)
    chief, leading = _member("chief", asked, answer="Led.", tools=[helper.as_tool("ask_helper", "Ask the helper.")])
    attach(helper, two, shared=shared, share=_fetched)
    attach(chief, one, shared=shared, share=_fetched, agent="the chief")
    assert (await Runner.run(chief, task())).final_output == "Led."
    assert fact(0) in leading.inputs[1][-1]["content"]
    assert page(0) not in str(leading.inputs)
    assert [entry.text for entry in shared.snapshot().results] == [page(0)]
    assert [entry.metadata["tool"] for entry in two.snapshot().results] == ["reading"]
    assert [entry.text for entry in one.snapshot().results] == ["The helper is done."]
    assert helping.requests[0].tools[-1] == "deep_retrieval"


class Mate(Contributor):
    """A part in a team whose memory knows one page."""

    team, agent, most_tokens = None, "ann", 0

    def cached_result(self, tool: str, arguments: Any) -> str | None:
        return "The team read page 3 already." if arguments == {"number": 3} else None

    def block(self, context: RecallContext, room: int) -> str:
        return ""


async def test_a_search_that_the_team_made_is_answered_from_its_memory() -> None:
    reader, reading = _member("reader", _call("fetch", 3), _call("fetch", 4), answer="Read.")
    bank, before = MemoryBank(task()), reader.tools
    attach(reader, bank, team=Mate())
    await Runner.run(reader, task())
    assert "The team read page 3 already." in str(reading.inputs[1])
    assert fact(4) in str(reading.inputs[2])
    assert [entry.text for entry in bank.snapshot().results] == [page(4)], "an answer of the team is not taken in"
    detach(reader)
    assert reader.tools == before
