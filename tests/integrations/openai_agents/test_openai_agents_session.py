"""AMBSession: what it hands out, keeps, and takes in; and the items of a transcript that are no function calls."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, keeper_tools, page, task
from amb_core import MemoryBank, Scope, ScopeMixed
from amb_core.adapter import TokenCounter

pytest.importorskip("agents.run", reason="the OpenAI Agents SDK is not installed: make test-frameworks")
from agents import Runner, Session, SQLiteSession
from agents.memory import SessionSettings

from amb_openai_agents import AMBSession, attach
from amb_openai_agents.transcript import chat_messages

pytestmark = pytest.mark.openai_agents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("openai_agents_driver.py"))))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _user(text: str) -> Any:
    return {"role": "user", "content": text}


def _pair(number: int) -> list[Any]:
    call = {"type": "function_call", "call_id": f"c{number}", "name": "fetch", "arguments": f'{{"number": {number}}}'}
    return [call, {"type": "function_call_output", "call_id": f"c{number}", "output": page(number)}]


async def test_it_is_a_session_and_results_are_memory_when_they_are_added(bank: MemoryBank) -> None:
    session = AMBSession(bank, session_id="talk")
    assert isinstance(session, Session)
    assert session.session_id == "talk"
    await session.add_items([_user("go"), *_pair(0)])
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]
    assert bank.snapshot().results[0].metadata["arguments"] == {"number": 0}


async def test_it_hands_out_the_newest_items_that_fit_and_keeps_all(bank: MemoryBank) -> None:
    session = AMBSession(bank, keep_tokens=3_000)
    for number in range(6):
        await session.add_items([_user(f"question {number}"), *_pair(number)])
    items = await session.get_items()
    assert sum(TokenCounter().message(told) for told in chat_messages(items)) <= 3_000
    assert items[-2:] == _pair(5)
    calls, answers = (
        [i["call_id"] for i in items if i.get("type") == kind] for kind in ("function_call", "function_call_output")
    )
    assert calls == answers
    assert len(await session.history.get_items()) == 18


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 5, 99])
@pytest.mark.parametrize("by", ["history", "session", "dict", "argument"])
async def test_a_limit_is_kept_to_the_item(bank: MemoryBank, limit: int, by: str) -> None:
    items = [_user("go"), *_pair(0), {"role": "assistant", "content": "The boat is called Petrel."}, _user("go on")]
    settings = SessionSettings(limit=limit)
    theirs = SQLiteSession("talk", session_settings=settings if by == "history" else SessionSettings(limit=4))
    own = {"session": settings, "dict": {"limit": limit}}.get(by)
    session = AMBSession(bank, history=theirs, session_settings=own)
    await session.add_items(items)
    found = await session.get_items(limit if by == "argument" else None)
    assert found == await theirs.get_items(limit) == items[len(items) - min(limit, len(items)) :]
    answers = [entry for entry in bank.snapshot().results if "Petrel" in entry.text]
    assert len(answers) == (limit < 2)  # what is left out is memory


async def test_an_answer_that_is_no_longer_handed_out_is_memory_once_and_a_question_never(bank: MemoryBank) -> None:
    session = AMBSession(bank, keep_tokens=60)
    told = {"role": "assistant", "content": "The boat is called Petrel. " * 9}
    await session.add_items([_user("What is my boat called? " * 9), told])
    await session.add_items([_user("What is for lunch? " * 9)])
    await session.get_items()
    await session.get_items()
    (entry,) = bank.snapshot().results
    assert entry.text.startswith("assistant: The boat is called Petrel.")


async def test_two_sessions_on_one_bank_are_refused_and_one_goes_on(bank: MemoryBank) -> None:
    first, second = _scenario(0, "What is in the log?"), _scenario(1, "And what else?")
    agent = scripted.agent_for(first, scripted.ScriptedModel(first, second))
    attach(agent, bank)
    session = AMBSession(bank, session_id="ann")
    await Runner.run(agent, first.task, session=session)
    await Runner.run(agent, second.task, session=session)
    assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]
    asked = len(agent.model.requests)
    for stranger in (AMBSession(bank, session_id="bob"), SQLiteSession("bob"), None):
        with pytest.raises(ScopeMixed):
            await Runner.run(agent, first.task, session=stranger)
    assert len(agent.model.requests) == asked
    assert bank.host.scope == Scope(thread="ann")


def _scenario(number: int, asked: str) -> Scenario:
    return Scenario(asked, ((Call("fetch", {"number": number}, f"call-{number}"),),), keeper_tools())


async def test_items_can_be_counted_popped_and_cleared_as_in_any_session(bank: MemoryBank) -> None:
    session = AMBSession(bank, history=SQLiteSession("own"), keep_tokens=10)
    assert session.session_id == "own"
    await session.add_items([_user(f"{number}") for number in range(8)])
    assert await session.get_items(limit=8) == [_user(f"{number}") for number in range(8)]
    assert await session.pop_item() == _user("7")
    assert await session.get_items(limit=1) == [_user("6")]
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None


async def test_a_second_run_goes_on_from_the_session_without_taking_anything_in_twice(bank: MemoryBank) -> None:
    turns = [Scenario(task(), ((Call("fetch", {"number": n}, f"call-{n}"),),), ()) for n in range(2)]
    model = scripted.ScriptedModel(*turns)
    agent = scripted.agent_for(Scenario(task(), (), keeper_tools()), model)
    memory = attach(agent, bank)
    session = AMBSession(memory.adapter)
    for _ in range(2):
        assert (await Runner.run(agent, task(), session=session)).final_output == "All log books are read."
    assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]
    assert "<memory>" not in str(await session.history.get_items())
    assert any(item.get("call_id") == "call-0" for item in model.inputs[2])


async def test_results_of_hosted_and_other_tools_are_taken_in(bank: MemoryBank) -> None:
    session = AMBSession(bank)
    hosted = {
        "type": "mcp_call",
        "id": "m1",
        "name": "weather",
        "arguments": "{}",
        "output": "Rain at the Skerry.",
        "server_label": "w",
    }
    shell = {"type": "shell_call", "call_id": "s1", "action": {"commands": ["date"]}}
    shown = {"type": "shell_call_output", "call_id": "s1", "output": [{"stdout": "Monday", "stderr": ""}]}
    picture = {"type": "computer_call", "call_id": "k1", "action": {"type": "screenshot"}}
    screen = {
        "type": "computer_call_output",
        "call_id": "k1",
        "output": {"type": "computer_screenshot", "image_url": "data:,"},
    }
    await session.add_items([_user("go"), hosted, shell, shown, picture, screen])
    tools = {entry.metadata["tool"]: entry.text for entry in bank.snapshot().results}
    assert tools["weather"] == "Rain at the Skerry."
    assert "Monday" in tools["shell"]
    assert "data:" not in str(tools)
