"""Giving a memory to an agent that exists, and taking it away again."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Scenario, fact, keeper_tools, page, task
from amb_core import AmbError, MemoryBank
from amb_core.rendering import has_block

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from autogen_agentchat.agents import AssistantAgent
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_core.tools import FunctionTool, StaticWorkbench

from amb_autogen import attach, detach, with_memory

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))
PARTS = ("_model_context", "_workbench", "_tool_call_summary_formatter")


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _scenario(*numbers: int) -> Scenario:
    turns = tuple((scripted.Call("fetch", {"number": n}, f"call-{n}"),) for n in numbers)
    return Scenario(task(), turns, keeper_tools())


def _agent(*scenarios: Scenario, **arguments: Any) -> tuple[AssistantAgent, Any]:
    client = scripted.client_for(*scenarios)
    arguments = {"tools": [*keeper_tools()]} | arguments
    return AssistantAgent("a", client, max_tool_iterations=9, **arguments), client


def _parts(agent: AssistantAgent) -> list[Any]:
    return [getattr(agent, name) for name in PARTS]


async def test_the_transcript_so_far_becomes_memory(bank: MemoryBank) -> None:
    first, second = _scenario(0, 1), _scenario(2)
    agent, client = _agent(first, second)
    await agent.run(task=first.task)
    attach(agent, bank, inject="always")
    await agent.run(task=second.task)
    assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1), page(2)]
    assert fact(0) in str(client.create_calls[-1]["messages"][-1].content)
    assert {entry.metadata["agent"] for entry in bank.snapshot().results} == {"a"}


async def test_detaching_gives_back_every_part_and_the_whole_transcript(bank: MemoryBank) -> None:
    own = BufferedChatCompletionContext(buffer_size=99)
    agent, _ = _agent(_scenario(0), _scenario(1), model_context=own)
    parts = _parts(agent)
    await agent.run(task=task())
    attach(agent, bank)
    await agent.run(task=task())
    detach(agent)
    assert all(now is before for now, before in zip(_parts(agent), parts, strict=True))
    messages = await own.get_messages()
    assert [message.type for message in messages].count("FunctionExecutionResultMessage") == 2
    assert page(1) in [message["content"] for message in scripted.plain(messages)]
    assert not has_block(str(messages))


async def test_a_workbench_of_the_agents_own_stays_beside_ours(bank: MemoryBank) -> None:
    bench = StaticWorkbench([FunctionTool(keeper_tools()[0], description="Fetch one page of a log book.")])
    agent, client = _agent(_scenario(0), tools=None, workbench=bench)
    attach(agent, bank)
    await agent.run(task=task())
    assert [tool["name"] for tool in client.create_calls[0]["tools"]] == ["fetch", "deep_retrieval"]
    assert len(bank.snapshot().results) == 1
    detach(agent)
    assert agent._workbench == [bench]


@pytest.mark.parametrize("several", [False, True])
async def test_a_new_agent_can_have_a_workbench_too(bank: MemoryBank, several: bool) -> None:
    bench = StaticWorkbench([FunctionTool(keeper_tools()[0], description="Fetch one page of a log book.")])
    arguments = with_memory(bank, workbench=[bench] if several else bench)
    agent, client = _agent(_scenario(0), **arguments | {"tools": None})
    await agent.run(task=task())
    assert [tool["name"] for tool in client.create_calls[0]["tools"]] == ["fetch", "deep_retrieval"]


async def test_a_format_string_of_the_agents_own_stays(bank: MemoryBank) -> None:
    one_call = _scenario(0)
    client = scripted.client_for(one_call)
    agent = AssistantAgent("a", client, tools=[*keeper_tools()], tool_call_summary_format="{tool_name} gave: {result}")
    attach(agent, bank)
    answer = (await agent.run(task=one_call.task)).messages[-1].content
    assert answer.startswith("fetch gave: ")
    assert page(0) not in answer


@pytest.mark.parametrize("name", [*PARTS, "_model_client"])
def test_an_autogen_that_keeps_its_parts_elsewhere_is_refused_with_a_way_out(bank: MemoryBank, name: str) -> None:
    agent, _ = _agent(_scenario())
    before = {part: value for part, value in vars(agent).items() if part != name}
    delattr(agent, name)
    with pytest.raises(AmbError, match=name):
        attach(agent, bank)
    assert vars(agent) == before
