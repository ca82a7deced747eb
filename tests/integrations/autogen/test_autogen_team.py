"""What the members of a team see of one another's tool calls."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_core import MemoryBank
from amb_core.testing.integration_story import Scenario, fact, keeper_tools, page, task

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-autogen")
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import RoundRobinGroupChat, Swarm

from amb_autogen import with_memory

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _member(name: str, scenario: Scenario, bank: MemoryBank | None, **arguments: Any) -> tuple[AssistantAgent, Any]:
    client = scripted.client_for(scenario)
    own = with_memory(bank, tools=keeper_tools(), agent=name) if bank else {"tools": [*keeper_tools()]}
    return AssistantAgent(name, client, **own | arguments), client


def _calling(tool: str, number: int = 0, **arguments: Any) -> Scenario:
    call = scripted.Call(tool, arguments or {"number": number}, f"call-{tool}-{number}")
    return Scenario(task(), ((call,),), ())


async def _second_sees(first: Scenario, bank: MemoryBank | None) -> str:
    """What the second member's model gets from the first one, whose turn ends with a tool call."""
    reader, _ = _member("reader", first, bank)
    writer, client = _member("writer", Scenario(task(), (), ()), bank)
    await RoundRobinGroupChat([reader, writer], termination_condition=MaxMessageTermination(3)).run(task=task())
    (said,) = [m for m in client.create_calls[0]["messages"] if getattr(m, "source", "") == "reader"]
    return str(said.content)


async def test_without_amb_the_whole_page_goes_to_the_team_mates() -> None:
    assert await _second_sees(_calling("fetch"), None) == page(0)


async def test_team_mates_see_a_reference_and_find_the_fact_in_the_shared_memory(bank: MemoryBank) -> None:
    said = await _second_sees(_calling("fetch"), bank)
    assert said.startswith("Kept in memory as [n1]")
    assert len(said) < 400
    assert fact(0) in bank.snapshot().injections[-1].block
    assert len(bank.snapshot().entries) == 1


async def test_a_short_result_is_passed_on_as_it_is(bank: MemoryBank) -> None:
    assert await _second_sees(_calling("broken", 3), bank) == "the mast of station 3 is down"


async def test_a_source_that_was_opened_is_not_passed_on_whole(bank: MemoryBank) -> None:
    bank.read(page(0), source="log")
    assert "[n1]" in (said := await _second_sees(_calling("deep_retrieval", node_id="n1"), bank))
    assert len(said) < 400


async def test_of_a_result_that_memory_lost_only_the_ends_are_passed_on(bank: MemoryBank) -> None:
    bank.close()
    said = await _second_sees(_calling("fetch"), bank)
    assert said.startswith(page(0)[:100])
    assert "not in memory" in said
    assert len(said) < 0.6 * len(page(0))


async def test_a_handed_over_result_is_taken_in_once(bank: MemoryBank) -> None:
    turn = (_calling("fetch").turns[0][0], scripted.Call("transfer_to_writer", {}, "call-h"))
    reader, _ = _member("reader", Scenario(task(), (turn,), ()), bank, handoffs=["writer"])
    writer, client = _member("writer", Scenario(task(), (), ()), bank)
    await Swarm([reader, writer], termination_condition=MaxMessageTermination(3)).run(task=task())
    types = [message.type for message in client.create_calls[0]["messages"]]
    assert "FunctionExecutionResultMessage" in types
    assert [entry.text for entry in bank.snapshot().entries if entry.text == page(0)] == [page(0)]
