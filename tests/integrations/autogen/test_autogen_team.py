"""Teams: what members see of one another's tool calls, and a bank of one's own beside the team's."""

from __future__ import annotations

import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Scenario, fact, keeper_tools, page, task
from amb_core import MemoryBank, ToolResult

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import RoundRobinGroupChat, SelectorGroupChat, Swarm

from amb_autogen import with_memory

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _member(
    name: str,
    scenario: Scenario,
    bank: MemoryBank | None,
    *,
    memory_options: Mapping[str, Any] = MappingProxyType({}),
    **arguments: Any,
) -> tuple[AssistantAgent, Any]:
    client = scripted.client_for(scenario)
    own: dict[str, Any] = {"tools": [*keeper_tools()]}
    if bank:
        own = with_memory(bank, tools=keeper_tools(), agent=name, **memory_options)
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


async def test_team_mates_see_a_reference_and_find_the_fact_in_the_shared_memory(bank: MemoryBank) -> None:
    said = await _second_sees(_calling("fetch"), bank)
    assert said.startswith("Kept in memory as [n1]")
    assert len(said) < 400
    assert fact(0) in bank.snapshot().injections[-1].block
    assert len(bank.snapshot().results) == 1


async def test_a_source_that_was_opened_is_not_passed_on_whole(bank: MemoryBank) -> None:
    bank.read(page(0), source="log")
    assert "[n1]" in (said := await _second_sees(_calling("deep_retrieval", node_id="n1"), bank))
    assert len(said) < 400


async def test_a_handed_over_result_is_taken_in_once(bank: MemoryBank) -> None:
    turn = (_calling("fetch").turns[0][0], scripted.Call("transfer_to_writer", {}, "call-h"))
    reader, _ = _member("reader", Scenario(task(), (turn,), ()), bank, handoffs=["writer"])
    writer, client = _member("writer", Scenario(task(), (), ()), bank)
    await Swarm([reader, writer], termination_condition=MaxMessageTermination(3)).run(task=task())
    types = [message.type for message in client.create_calls[0]["messages"]]
    assert "FunctionExecutionResultMessage" in types
    assert [entry.text for entry in bank.snapshot().results if entry.text == page(0)] == [page(0)]


# --- a bank for each member, and one for the team ---------------------------------------------------------------------


def _public(result: ToolResult) -> bool:
    return result.tool != "reading"


async def _run_as(form: str, members: list[AssistantAgent], turns: int) -> None:
    end = MaxMessageTermination(1 + turns)
    if form == "round-robin":
        await RoundRobinGroupChat(members, termination_condition=end).run(task=task())
    elif form == "swarm":
        await Swarm(members, termination_condition=end).run(task=task())
    else:
        names = [member.name for member in members]
        chooser = scripted.ReplayChatCompletionClient(names, model_info=scripted.MODEL)
        await SelectorGroupChat(members, chooser, termination_condition=end).run(task=task())


def _handing_over(form: str, *calls: Any, to: str) -> Scenario:
    over = [scripted.Call(f"transfer_to_{to}", {}, "call-over")] if form == "swarm" else []
    return Scenario(task(), ((*calls, *over),), ())


async def test_of_a_private_result_the_others_learn_no_more_than_that_there_is_one(bank: MemoryBank) -> None:
    kept = {"shared": bank, "share": lambda result: result.tool != "fetch"}
    with MemoryBank(task()) as one, MemoryBank(task()) as two:
        reader, _ = _member("reader", _calling("fetch"), one, memory_options=kept)
        writer, client = _member("writer", Scenario(task(), (), ()), two, memory_options=kept)
        await _run_as("round-robin", [reader, writer], turns=2)
        (said,) = [m.content for m in client.create_calls[0]["messages"] if getattr(m, "source", "") == "reader"]
        assert said == "The result of fetch is kept in this agent's own memory."
        assert one.size.entries == 1


@pytest.mark.parametrize("form", ["round-robin", "selector", "swarm"])
async def test_each_member_keeps_its_own_notes_and_finds_those_of_the_team(bank: MemoryBank, form: str) -> None:
    calls = [scripted.Call("fetch", {"number": 0}, "call-f"), scripted.Call("reading", {"number": 4}, "call-r")]
    with MemoryBank(task()) as one, MemoryBank(task()) as two:
        kept = {"shared": bank, "share": _public, "inject": "always"}
        options = {"handoffs": ["writer"]} if form == "swarm" else {}
        reader, _ = _member("reader", _handing_over(form, *calls, to="writer"), one, **options, memory_options=kept)
        writer, client = _member("writer", Scenario(task(), (), ()), two, memory_options=kept)
        await _run_as(form, [reader, writer], turns=2)
        assert [entry.text for entry in bank.snapshot().results if entry.text == page(0)] == [page(0)]
        assert [entry.metadata["tool"] for entry in one.snapshot().results] == ["reading"]
        handed_over = ["reading"] if form == "swarm" else []  # by AutoGen, with the call in the same turn
        assert [entry.metadata["tool"] for entry in two.snapshot().results] == handed_over
        block = str(client.create_calls[0]["messages"][-1].content)
        assert "[s" in block
        assert fact(0) in block
        assert ("1004" in block) is (form == "swarm")


async def test_a_whole_team_is_loaded_with_its_banks(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path / name}" for name in ("team.db", "one.db")]
    with MemoryBank(task(), store=urls[0]) as team, MemoryBank(task(), store=urls[1]) as one:
        reader, _ = _member("reader", _calling("fetch"), one, memory_options={"shared": team}, tools=None)
        chat = RoundRobinGroupChat([reader], termination_condition=MaxMessageTermination(2))
        loaded = RoundRobinGroupChat.load_component(chat.dump_component())
        (again,) = loaded._participants
        assert isinstance(again, AssistantAgent)
        assert again.model_context.adapter.bank is one
        assert again.model_context.adapter.shared is team
