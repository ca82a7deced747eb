"""Giving a Pydantic AI agent a memory, and what stays as it was."""

from __future__ import annotations

import asyncio
import base64
import copy
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import Banks, InvalidParameter, MemoryBank, Settings
from amb_core.rendering import has_block

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")
from pydantic_ai import Agent, __version__
from pydantic_ai.messages import ModelRequest, SystemPromptPart, ToolReturnPart, UserPromptPart

from amb_pydantic_ai import AgentMemory, AMBCapability, AMBModel, attach, detach, memory_toolset

pytestmark = pytest.mark.pydantic_ai
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("pydantic_ai_driver.py"))))
REQUEST_ONLY = tuple(map(int, __version__.split(".")[:2])) >= (2, 54)
BOTH = [pytest.param("capability", marks=pytest.mark.skipif(not REQUEST_ONLY, reason="needs 2.54")), "model"]


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task(), settings=Settings(inject="always", prompt_budget_tokens=8_000)) as opened:
        yield opened


def _scenario(*numbers: int) -> Scenario:
    turns = tuple((Call("fetch", {"number": number}, f"call-{number}"),) for number in numbers)
    return Scenario(task(), turns, keeper_tools())


def _agent(how: str, bank: MemoryBank, script: Any, **arguments: Any) -> Agent[Any, Any]:
    model = scripted.model_of(script)
    options = {name: arguments.pop(name) for name in ("placement", "agent", "sharing") if name in arguments}
    if how == "capability":
        capabilities = [AMBCapability(bank, **options), *arguments.pop("capabilities", ())]
        return scripted.agent_for(_scenario(), model, capabilities=capabilities, **arguments)
    own = [memory_toolset(bank)]
    return scripted.agent_for(_scenario(), AMBModel(model, bank, **options), toolsets=own, **arguments)


def _last(script: Any, number: int) -> Any:
    return script.seen[number][-1].parts[-1].content


@pytest.mark.parametrize("how", BOTH)
async def test_the_history_stays_raw_and_goes_on_in_a_second_run(bank: MemoryBank, how: str) -> None:
    script = scripted.Script(_scenario(0, 1), _scenario(2))
    agent = _agent(how, bank, script)
    first = await agent.run(task())
    second = await agent.run(task(), message_history=first.all_messages())
    history = second.all_messages()
    assert not has_block(str(history))
    returned = [part.content for message in history for part in message.parts if isinstance(part, ToolReturnPart)]
    assert returned == [page(0), page(1), page(2)]
    assert sorted(entry.text for entry in bank.snapshot().results) == sorted(returned)
    assert all(str(messages).count("<memory>") == 1 for messages in script.seen)


@pytest.mark.parametrize("how", BOTH)
async def test_streaming_is_the_same(bank: MemoryBank, how: str) -> None:
    script = scripted.Script(_scenario(0, 1))
    agent = _agent(how, bank, script)
    async with agent.run_stream(task()) as result:
        pieces = [piece async for piece in result.stream_text(delta=True)]
    assert "".join(pieces).strip() == "All log books are read."
    assert fact(1) in _last(script, 2)
    assert len(bank.snapshot().results) == 2


@pytest.mark.parametrize("how", BOTH)
async def test_messages_are_never_changed_in_place(bank: MemoryBank, how: str) -> None:
    history = [ModelRequest(parts=[SystemPromptPart("Old."), UserPromptPart(["Look.", "Closely."])])]
    before = copy.deepcopy(history)
    script = scripted.Script(_scenario(*range(8)))
    await _agent(how, bank, script).run(task(), message_history=history)
    assert history == before


@pytest.mark.parametrize("how", BOTH)
async def test_instructions_reach_the_model_in_every_request(bank: MemoryBank, how: str) -> None:
    script = scripted.Script(_scenario(*range(9)))
    await _agent(how, bank, script).run(task())
    assert {request.messages[0]["content"] for request in script.requests} == {_scenario().system}


@pytest.mark.parametrize("how", BOTH)
async def test_what_an_output_tool_returns_is_no_finding(bank: MemoryBank, how: str) -> None:
    final = (Call("final_result", {"response": 4}, "call-out"),)
    turns = ((Call("fetch", {"number": 0}, "call-0"),), final)
    scripts = [Scenario(task(), turns, (), answer="") for _ in range(2)]
    script = scripted.Script(*scripts)
    del script.replies[2]
    agent = _agent(how, bank, script, output_type=int)
    first = await agent.run(task())
    assert first.output == 4
    await agent.run(task(), message_history=first.all_messages())
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]


@pytest.mark.parametrize("how", BOTH)
async def test_a_call_made_again_after_an_error_is_told_apart_by_what_it_returned(bank: MemoryBank, how: str) -> None:
    tries = [(Call("broken", {"number": 1}, "call-x"),), (Call("fetch", {"number": 1}, "call-x"),)]
    script = scripted.Script(Scenario(task(), tuple(tries), ()))
    await _agent(how, bank, script).run(task())
    kept = [(entry.metadata["tool"], page(1) in entry.text) for entry in bank.snapshot().results]
    assert kept == [("broken", False), ("fetch", True)]


@pytest.mark.skipif(not REQUEST_ONLY, reason="needs 2.54")
async def test_what_comes_after_the_last_request_is_taken_in_by_the_capability(bank: MemoryBank) -> None:
    turn = (Call("fetch", {"number": 0}, "call-0"), Call("final_result", {"response": 4}, "call-out"))
    script = scripted.Script(Scenario(task(), (turn,), ()))
    await _agent("capability", bank, script, output_type=int, end_strategy="exhaustive").run(task())
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]


@pytest.mark.parametrize("how", BOTH)
async def test_runs_of_one_agent_side_by_side_keep_their_own_transcripts(bank: MemoryBank, how: str) -> None:
    scripts = [scripted.Script(_scenario(number, number + 1)) for number in (0, 4)]
    agents = [_agent(how, bank, script, sharing=True) for script in scripts]
    await asyncio.gather(*(agent.run(task()) for agent in agents))
    assert sorted(entry.text for entry in bank.snapshot().results) == sorted(map(page, (0, 1, 4, 5)))
    assert page(4) not in str(scripts[0].seen)


async def test_detaching_gives_back_the_same_model_and_tools(bank: MemoryBank) -> None:
    script = scripted.Script(_scenario(0))
    agent = scripted.agent_for(_scenario(), scripted.model_of(script))
    model, tools = agent.model, dict(agent.toolsets[0].tools)
    assert isinstance(attach(agent, bank), AgentMemory)
    await agent.run(task())
    assert [entry.metadata["agent"] for entry in bank.snapshot().results] == ["reader"]
    detach(agent)
    assert agent.model is model
    assert agent.toolsets[0].tools == tools


def test_an_agent_without_a_model_or_with_a_tool_of_that_name_is_refused_and_left_alone(bank: MemoryBank) -> None:
    with pytest.raises(InvalidParameter, match="no model"):
        attach(Agent(), bank)
    agent = scripted.agent_for(_scenario(), scripted.model_of(scripted.Script()))
    agent.tool_plain(keeper_tools()[0], name="deep_retrieval")
    model = agent.model
    with pytest.raises(InvalidParameter, match="of its own"):
        attach(agent, bank)
    assert agent.model is model


async def test_a_waiting_image_is_shown_beside_the_block(bank: MemoryBank, tmp_path: Path) -> None:
    dot = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
    )
    (tmp_path / "dot.png").write_bytes(dot)
    bank.attach(tmp_path / "dot.png")
    script = scripted.Script(_scenario())
    await _agent("model", bank, script).run(task())
    assert [getattr(part, "data", None) for part in _last(script, 0)][1:] == [dot]


def test_nobody_is_told_to_say_who_it_is_before_anything_is_sent(tmp_path: Path) -> None:
    script = scripted.Script(_scenario(0))
    agent = scripted.agent_for(_scenario(), scripted.model_of(script))
    attach(agent, Banks(f"sqlite:///{tmp_path}/"))
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        agent.run_sync(task(), deps={})
    assert not script.seen
