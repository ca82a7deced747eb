"""Giving an agent of the OpenAI Agents SDK a memory beside whatever else it was given."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import Banks, InvalidInput, InvalidParameter, MemoryBank, Settings
from amb_core.rendering import has_block

pytest.importorskip("agents.run", reason="the OpenAI Agents SDK is not installed: make test-frameworks")
from agents import Agent, RunConfig, Runner
from agents.lifecycle import AgentHooksBase, RunHooksBase

from amb_openai_agents import attach, detach, memory_tools, run_options, with_memory

pytestmark = pytest.mark.openai_agents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("openai_agents_driver.py"))))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task(), settings=Settings(inject="always", prompt_budget_tokens=8_000)) as opened:
        yield opened


def _scenario(*numbers: int) -> Scenario:
    turns = tuple((Call("fetch", {"number": number}, f"call-{number}"),) for number in numbers)
    return Scenario(task(), turns, keeper_tools())


def _agent(*numbers: int, **arguments: Any) -> tuple[Agent[Any], Any]:
    model = scripted.ScriptedModel(_scenario(*numbers), thinking=arguments.pop("thinking", False))
    return scripted.agent_for(_scenario(), model, **arguments), model


class _Told(AgentHooksBase[Any, Any]):
    """Hooks that write down what they are called for."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.blocks: list[bool] = []

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: Any, input_items: Any) -> None:
        self.calls.append("llm")
        self.blocks.append(has_block(str(input_items[-1]["content"])))

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        self.calls.append(tool.name)

    async def on_end(self, context: Any, agent: Any, output: Any) -> None:
        self.calls.append("end")


class _RunTold(RunHooksBase[Any, Any]):
    """The same for a run."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        self.calls.append(tool.name)


async def test_hooks_of_the_agents_own_are_called_and_see_what_is_sent(bank: MemoryBank) -> None:
    told = _Told()
    agent, _ = _agent(0, hooks=told)
    attach(agent, bank)
    await Runner.run(agent, task())
    assert told.calls == ["llm", "fetch", "llm", "end"]
    assert told.blocks == [True, True]


async def test_detaching_gives_back_the_same_tools_and_hooks(bank: MemoryBank) -> None:
    told = _Told()
    agent, _ = _agent(0, hooks=told)
    before = dict(vars(agent))
    attach(agent, bank)
    await Runner.run(agent, task())
    detach(agent)
    assert all(vars(agent)[name] is value for name, value in before.items())


@pytest.mark.parametrize("sync", [True, False])
async def test_a_filter_of_the_users_own_comes_first(bank: MemoryBank, sync: bool) -> None:
    def shout(data: Any) -> Any:
        items = [{**item, "content": "LOUD"} if item.get("role") == "user" else item for item in data.model_data.input]
        return replace(data.model_data, input=items)

    async def shout_later(data: Any) -> Any:
        return shout(data)

    hooks, config = _RunTold(), RunConfig(call_model_input_filter=shout if sync else shout_later, workflow_name="w")
    agent, model = _agent(0, tools=[*map(scripted.as_tool, keeper_tools()), *memory_tools(bank)])
    options = run_options(bank, run_config=config, hooks=hooks)
    await Runner.run(agent, task(), **options)
    assert model.inputs[0][0]["content"] == "LOUD"
    assert has_block(model.inputs[1][-1]["content"])
    assert hooks.calls == ["fetch"]
    assert options["run_config"].workflow_name == "w"


async def test_a_run_with_a_memory_leaves_an_agent_with_its_own_alone(bank: MemoryBank) -> None:
    agent, model = _agent(0)
    with MemoryBank(task()) as other:
        attach(agent, bank)
        await Runner.run(agent, task(), **run_options(other))
        assert not other.snapshot().results
        assert not other.snapshot().injections
    assert str(model.inputs[1]).count("<memory>") == 1
    assert len(bank.snapshot().results) == 1


async def test_streaming_is_the_same(bank: MemoryBank) -> None:
    agent, model = _agent(0, 1)
    attach(agent, bank)
    streamed = Runner.run_streamed(agent, task())
    kinds = [event.type async for event in streamed.stream_events()]
    assert "run_item_stream_event" in kinds
    assert fact(1) in model.inputs[2][-1]["content"]
    assert streamed.final_output == "All log books are read."


async def test_the_result_keeps_the_raw_transcript_without_blocks(bank: MemoryBank) -> None:
    agent, _ = _agent(0, 1)
    attach(agent, bank)
    items = (await Runner.run(agent, task())).to_input_list()
    assert [item["output"] for item in items if item.get("type") == "function_call_output"] == [page(0), page(1)]
    assert not has_block(str(items))


async def test_the_last_result_is_taken_in_when_the_tool_ends_the_run(bank: MemoryBank) -> None:
    agent, _ = _agent(0, tool_use_behavior="stop_on_first_tool")
    attach(agent, bank)
    await Runner.run(agent, task())
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]
    assert [entry.metadata["agent"] for entry in bank.snapshot().results] == ["reader"]


async def test_a_reasoning_item_stays_with_its_call(bank: MemoryBank) -> None:
    agent, model = _agent(
        *range(12), thinking=True, **with_memory(bank, tools=[*map(scripted.as_tool, keeper_tools())])
    )
    await Runner.run(agent, task(), max_turns=20)
    kinds = [item.get("type", "message") for item in model.inputs[-1]]
    assert len(kinds) < 30
    assert kinds.count("reasoning") == kinds.count("function_call") == kinds.count("function_call_output")
    for at, kind in enumerate(kinds):
        assert kind != "reasoning" or kinds[at : at + 3] == ["reasoning", "function_call", "function_call_output"]


@pytest.mark.parametrize("whole_run", [True, False])
@pytest.mark.parametrize("kept_by", [{"conversation_id": "conv-1"}, {"previous_response_id": "resp-0"}])
async def test_history_kept_by_the_server_is_refused(
    bank: MemoryBank, whole_run: bool, kept_by: dict[str, Any]
) -> None:
    agent, _ = _agent(0)
    options = run_options(bank) if whole_run else {}
    if not whole_run:
        attach(agent, bank)
    with pytest.raises(InvalidInput, match="the server keeps this run's history"):
        await Runner.run(agent, task(), **options, **kept_by)


def test_nobody_is_told_to_say_who_it_is_before_anything_is_sent(tmp_path: Path) -> None:
    agent, model = _agent(0)
    attach(agent, Banks(f"sqlite:///{tmp_path}/"))
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        Runner.run_sync(agent, task())
    assert not model.requests
