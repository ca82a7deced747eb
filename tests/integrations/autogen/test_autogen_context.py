"""AMBContext by itself: what it takes in, shows, saves, and can be built from again."""

from __future__ import annotations

import base64
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import fact, page, task
from amb_core import InvalidParameter, ManualClock, MemoryBank, Settings
from amb_core.adapter import TokenCounter

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from autogen_agentchat.agents import AssistantAgent
from autogen_core import CancellationToken, FunctionCall, Image
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    UserMessage,
)
from autogen_core.tools import BaseTool

from amb_autogen import AMBContext, memory_tools, with_memory

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    settings = Settings(prompt_budget_tokens=8_000)  # a fourth of the default, so that pages leave
    with MemoryBank(task(), settings=settings, clock=ManualClock(1e9, step=1)) as opened:
        yield opened


def _turn(*numbers: int, call_id: str = "call-{}", thought: str | None = None) -> list[LLMMessage]:
    ids = [call_id.format(number) for number in numbers]
    calls = [FunctionCall(i, f'{{"number": {n}}}', "fetch") for i, n in zip(ids, numbers, strict=True)]
    results = [
        FunctionExecutionResult(content=page(n), name="fetch", call_id=i) for i, n in zip(ids, numbers, strict=True)
    ]
    asked = AssistantMessage(content=calls, thought=thought, source="a")
    return [asked, FunctionExecutionResultMessage(content=results)]


async def _filled(bank: MemoryBank, *turns: list[LLMMessage], **options: Any) -> AMBContext:
    context = AMBContext(bank, **options)
    await context.add_message(UserMessage(content=task(), source="user"))
    for message in (message for turn in turns for message in turn):
        await context.add_message(message)
    return context


async def test_a_result_is_memory_as_soon_as_it_is_added(bank: MemoryBank) -> None:
    await _filled(bank, _turn(0), agent="reader", run="monday")
    (entry,) = bank.snapshot().results
    wanted = {"tool": "fetch", "arguments": {"number": 0}, "call_id": "call-0", "agent": "reader", "run": "monday"}
    assert wanted.items() <= entry.metadata.items()


async def test_the_transcript_stays_raw(bank: MemoryBank) -> None:
    context = await _filled(bank, *(_turn(number) for number in range(8)))
    await context.get_messages()
    state = await context.save_state()
    texts = [m["content"][0]["content"] for m in state["messages"] if m["type"] == "FunctionExecutionResultMessage"]
    assert texts == [page(number) for number in range(8)]


async def test_room_for_a_long_system_message_is_left(bank: MemoryBank) -> None:
    context = await _filled(bank, *(_turn(number) for number in range(6)), reserved_tokens=3_000)
    request = scripted.plain(await context.get_messages())
    assert sum(map(TokenCounter().message, request)) + 3_000 <= bank.settings.prompt_budget_tokens


async def test_an_image_that_waits_is_shown_with_the_block(bank: MemoryBank, tmp_path: Path) -> None:
    (tmp_path / "chart.png").write_bytes(base64.b64decode(PIXEL))
    bank.attach(tmp_path / "chart.png")
    (tmp_path / "torn.png").write_bytes(base64.b64decode(PIXEL)[:40])
    bank.attach(tmp_path / "torn.png")
    bank.plan()
    last = (await (await _filled(bank)).get_messages())[-1]
    assert isinstance(last, UserMessage)
    assert isinstance(last.content, list)
    assert [type(part) for part in last.content] == [str, Image]


async def test_clear_empties_the_transcript_and_not_the_bank(bank: MemoryBank) -> None:
    context = await _filled(bank, _turn(0), inject="always")
    await context.clear()
    (block,) = await context.get_messages()
    assert fact(0) in str(block.content)


async def test_a_loaded_transcript_is_taken_in_by_a_new_bank(bank: MemoryBank) -> None:
    state = await (await _filled(bank, _turn(0), _turn(1))).save_state()
    with MemoryBank(task()) as other:
        context = AMBContext(other)
        await context.load_state(state)
        assert fact(1) in str((await context.get_messages())[-1].content)
        await context.load_state(state)
        await context.get_messages()
        assert [entry.text for entry in other.snapshot().results] == [page(0), page(1)]


async def test_an_agents_state_travels_with_it(bank: MemoryBank) -> None:
    scenario = scripted.long_task()
    agent = AssistantAgent(
        "a", scripted.client_for(scenario), max_tool_iterations=30, **with_memory(bank, tools=scenario.tools)
    )
    await agent.run(task=scenario.task)
    client = scripted.client_for(scripted.Scenario("And now?", (), ()))
    other = AssistantAgent("a", client, **with_memory(bank))
    await other.load_state(await agent.save_state())
    await other.run(task="And now?")
    shown = str(client.create_calls[0]["messages"])
    assert len(bank.snapshot().results) == 20
    assert len(shown) < 25_000
    assert "All log books are read." in shown


# --- component configs ------------------------------------------------------------------------------------------------


async def test_a_context_is_loaded_from_its_store_in_another_process(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'task.db'}"
    bank = MemoryBank(task(), store=url, settings=Settings(block_tokens=700))
    context = await _filled(bank, _turn(0), inject="always")
    config = context.dump_component().model_dump()
    bank.close(keep=True)
    first, second = (ChatCompletionContext.load_component(config, AMBContext) for _ in range(2))
    assert first.bank is second.bank
    assert first.bank.settings.block_tokens == 700
    assert fact(0) in str((await first.get_messages())[-1].content)
    first.bank.close()


async def test_a_whole_agent_is_loaded_with_its_tool(tmp_path: Path) -> None:
    with MemoryBank(task(), store=f"sqlite:///{tmp_path / 'task.db'}") as bank:
        bank.read(page(0), source="log")
        opened = scripted.Call("deep_retrieval", {"node_id": "n1"}, "call-d")
        client = scripted.client_for(scripted.Scenario(task(), ((opened,),), ()))
        agent = AssistantAgent("a", client, max_tool_iterations=5, **with_memory(bank))
        loaded = AssistantAgent.load_component(agent.dump_component())
        last = (await loaded.run(task=task())).messages[-2]
        assert page(0)[:200] in str(getattr(last, "content", last))


@pytest.mark.parametrize("embedder", [None, "hashing"])
def test_a_bank_in_memory_cannot_be_named_in_a_config(embedder: str | None) -> None:
    with MemoryBank(task(), embedder=embedder) as bank, pytest.raises(InvalidParameter, match=r"sqlite:///task\.db"):
        AMBContext(bank).dump_component()


# --- tools ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strict", [False, True])
async def test_deep_retrieval_is_an_autogen_tool(bank: MemoryBank, strict: bool) -> None:
    bank.read(page(0), source="log")
    (tool,) = memory_tools(bank, strict=strict)
    assert isinstance(tool, BaseTool)
    parameters = tool.schema.get("parameters", {})
    assert parameters.get("required") == (["node_id", "page"] if strict else ["node_id"])
    assert tool.schema.get("strict") is strict
    value = await tool.run_json({"node_id": "[n1]"}, CancellationToken())
    assert page(0)[:200] in tool.return_value_as_string(value)
