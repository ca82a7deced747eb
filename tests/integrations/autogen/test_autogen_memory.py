"""AMBMemory: what AutoGen's Memory protocol allows, and no more in the context than one block."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Scenario, fact, keeper_tools, page, task
from amb_core import ManualClock, MemoryBank
from amb_core.rendering import has_block

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import MemoryQueryEvent
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType
from autogen_core.model_context import BufferedChatCompletionContext, UnboundedChatCompletionContext
from autogen_core.models import UserMessage

from amb_autogen import AMBMemory

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))
TEXT = MemoryMimeType.TEXT


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task(), clock=ManualClock(1e9, step=1)) as opened:
        yield opened


def _scenario(*numbers: int) -> Scenario:
    return Scenario(task(), tuple((scripted.Call("fetch", {"number": n}, f"call-{n}"),) for n in numbers), ())


def _agent(bank: MemoryBank, *scenarios: Scenario, **arguments: Any) -> tuple[AssistantAgent, Any]:
    client = scripted.client_for(*scenarios)
    memory: list[Memory] = [AMBMemory(bank)]
    agent = AssistantAgent("a", client, tools=[*keeper_tools()], memory=memory, max_tool_iterations=9, **arguments)
    return agent, client


async def test_the_block_of_a_turn_takes_the_place_of_the_one_before(bank: MemoryBank) -> None:
    agent, client = _agent(bank, _scenario(0, 1), _scenario(2), _scenario())
    for _ in range(3):
        await agent.run(task=task())
    counts = [sum(has_block(str(m.content)) for m in call["messages"]) for call in client.create_calls]
    assert counts == [1] * 6
    state = await agent.model_context.save_state()
    assert sum(has_block(str(message["content"])) for message in state["messages"]) == 1


async def test_what_a_tool_returned_is_memory_at_the_next_turn(bank: MemoryBank) -> None:
    agent, client = _agent(bank, _scenario(0), _scenario())
    await agent.run(task=task())
    assert not bank.snapshot().results
    result = await agent.run(task=task())
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]
    assert fact(0) in str(client.create_calls[-1]["messages"][-1].content)
    assert any(isinstance(message, MemoryQueryEvent) for message in result.messages)


async def test_the_last_message_is_the_query(bank: MemoryBank) -> None:
    for number in range(3):
        bank.read(f"Lantern {number} burns {number}5 litres of oil. ", source="log")
    context = UnboundedChatCompletionContext([UserMessage(content="What does lantern 2 burn?", source="user")])
    result = await AMBMemory(bank).update_context(context)
    assert "25 litres" in str(result.memories.results[0].content)


async def test_a_context_that_shows_only_the_newest_messages_keeps_the_others(bank: MemoryBank) -> None:
    context = BufferedChatCompletionContext(buffer_size=2)
    for number in range(3):
        await context.add_message(UserMessage(content=f"Question {number}", source="user"))
        await AMBMemory(bank).update_context(context)
    state = await context.save_state()
    assert [message["content"][:6] for message in state["messages"]] == ["Questi"] * 3 + ["<task>"]


async def test_a_memory_that_fails_leaves_the_run_intact(bank: MemoryBank) -> None:
    agent, client = _agent(bank, _scenario(0))
    bank.close()
    await agent.run(task=task())
    assert "<memory>" not in str(client.create_calls[-1]["messages"])


async def test_texts_and_json_go_in_and_are_found_with_where_they_are_from(bank: MemoryBank) -> None:
    memory, quay = AMBMemory(bank), "The quay of Lyness is 80 m long."
    await memory.add(MemoryContent(content=quay, mime_type=TEXT, metadata={"source": "map"}))
    await memory.add(MemoryContent(content={"灯塔": "北角灯塔高 42 米"}, mime_type=MemoryMimeType.JSON))
    found = await memory.query("How long is the quay of Lyness?")
    assert found.results[0].content == quay
    assert (found.results[0].metadata or {})["id"] == "n1"
    chinese = await memory.query(MemoryContent(content="北角灯塔有多高?", mime_type=TEXT))
    assert "42" in str(chinese.results[0].content)
    assert bank.snapshot().results[0].metadata["source"] == "map"


async def test_clear_forgets_and_close_leaves_the_bank_open(bank: MemoryBank) -> None:
    memory = AMBMemory(bank)
    await memory.add(MemoryContent(content="The quay of Lyness is 80 metres long.", mime_type=TEXT))
    await memory.clear()
    await memory.clear()
    await memory.close()
    assert not (await memory.query("quay of Lyness")).results
    assert not bank.closed


async def test_a_memory_is_loaded_from_its_config(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path / name}" for name in ("task.db", "team.db")]
    with MemoryBank(task(), store=urls[0]) as bank, MemoryBank(task(), store=urls[1]) as team:
        config = AMBMemory(bank, shared=team).dump_component()
        loaded = Memory.load_component(config, AMBMemory)
        assert (loaded.bank, loaded.adapter.shared) == (bank, team)
        assert loaded.dump_component() == config
