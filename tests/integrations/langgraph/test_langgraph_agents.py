"""What a LangChain agent's graph holds beside its prompts: its state, its checkpoints, its streams and its tools."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, long_task, page, task
from amb_core import MemoryBank

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from amb_langgraph import AMBMiddleware

pytestmark = pytest.mark.langgraph
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("langgraph_driver.py"))))
ASKED = {"messages": [("user", task())]}


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _agent(scenario: Scenario, memory: AMBMiddleware, **options: Any) -> tuple[Any, Any]:
    model = scripted.ScriptedModel.of(scenario)
    options.setdefault("tools", [*scenario.tools])
    return create_agent(model, system_prompt=scenario.system, middleware=[memory], **options), model


def _calling(*calls: Call, **options: Any) -> Scenario:
    return Scenario(task(), tuple((call,) for call in calls), keeper_tools(), **options)


def _fetch(number: int) -> Call:
    return Call("fetch", {"number": number}, f"call-{number}")


def _texts(messages: Any) -> list[str]:
    return [str(message.content) for message in messages]


# --- state and checkpoints --------------------------------------------------------------------------------------------


def test_the_state_holds_what_it_would_hold_without_memory(bank: MemoryBank) -> None:
    agent, _ = _agent(_calling(_fetch(0), _fetch(1)), AMBMiddleware(bank))
    messages = agent.invoke(ASKED)["messages"]
    assert _texts(messages) == [task(), "", page(0), "", page(1), "All log books are read."]


def test_a_small_state_gives_the_same_prompts(bank: MemoryBank) -> None:
    with MemoryBank(task()) as other:
        requests = []
        for memory in (AMBMiddleware(bank), AMBMiddleware(other, small_state=True)):
            agent, model = _agent(long_task(), memory)
            agent.invoke(ASKED, {"recursion_limit": 99})
            requests.append(model.requests)
    assert requests[0] == requests[1]


def test_a_small_state_goes_on_in_a_new_process(bank: MemoryBank) -> None:
    saver = InMemorySaver()
    for calls in ([_fetch(0)], [_fetch(1)]):  # a middleware of its own each time, as after a restart
        memory = AMBMiddleware(bank, small_state=True)
        agent, model = _agent(_calling(*calls), memory, checkpointer=saver)
        agent.invoke(ASKED, scripted.thread())
    assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]
    assert fact(0) in str(model.requests[0].messages)
    assert memory.failures == {}


def test_of_a_result_that_memory_lost_the_state_keeps_all(bank: MemoryBank) -> None:
    bank.close()
    memory = AMBMiddleware(bank, small_state=True)
    agent, _ = _agent(_calling(_fetch(0)), memory)
    assert page(0) in _texts(agent.invoke(ASKED)["messages"])
    assert memory.failures["absorb"] > 0


def test_resuming_a_thread_takes_nothing_in_twice(tmp_path: Path) -> None:
    saver, url = InMemorySaver(), f"sqlite:///{tmp_path / 'task.db'}"
    for number in range(2):
        bank = MemoryBank(task(), store=url) if number == 0 else MemoryBank.resume(url)
        agent, _ = _agent(_calling(_fetch(number)), AMBMiddleware(bank), checkpointer=saver)
        agent.invoke(ASKED, scripted.thread())
        entries = [entry.text for entry in bank.snapshot().results]
        bank.close(keep=True)
    assert entries == [page(0), page(1)]


def test_two_threads_are_two_runs(bank: MemoryBank) -> None:
    memory = AMBMiddleware(bank, sharing=True)
    for name, number in (("one", 0), ("two", 1)):
        call = Call("fetch", {"number": number}, "call-0")  # some models count their calls from 0 each time
        agent, _ = _agent(_calling(call), memory, checkpointer=InMemorySaver())
        agent.invoke(ASKED, scripted.thread(name))
    entries = [(entry.metadata["run"], entry.text) for entry in bank.snapshot().results]
    assert entries == [("one", page(0)), ("two", page(1))]


# --- results of other shapes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("small", [False, True])
def test_what_a_command_brings_is_taken_in(bank: MemoryBank, small: bool) -> None:
    @tool
    def fetch(number: int, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Fetch a page."""
        return Command(update={"messages": [ToolMessage(page(number), tool_call_id=tool_call_id)]})

    agent, model = _agent(_calling(_fetch(3)), AMBMiddleware(bank, small_state=small), tools=[fetch])
    messages = agent.invoke(ASKED)["messages"]
    assert [(entry.text, entry.metadata["tool"]) for entry in bank.snapshot().results] == [(page(3), "fetch")]
    assert (page(3) in _texts(messages)) is not small
    assert fact(3) in str(model.requests[1].messages)


class Answer(BaseModel):
    """The answer."""

    metres: float


@pytest.mark.parametrize("wanted", [Answer, ToolStrategy(Answer)])
def test_a_structured_answer_comes_through_and_is_not_taken_in(bank: MemoryBank, wanted: Any) -> None:
    answer = Call("Answer", {"metres": 2.0}, "call-a")
    scenario = Scenario(task(), ((_fetch(0),), (answer,), (answer,)), keeper_tools())
    agent, model = _agent(scenario, AMBMiddleware(bank), response_format=wanted, checkpointer=InMemorySaver())
    for _ in range(2):
        assert agent.invoke(ASKED, scripted.thread())["structured_response"] == Answer(metres=2.0)
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]
    assert set(model.requests[0].tools) >= {"fetch", "deep_retrieval", "Answer"}


async def test_threads_of_one_agent_at_once_keep_apart(bank: MemoryBank) -> None:
    model = scripted.PatientModel.of(_calling(*map(_fetch, range(3))))
    agent = create_agent(
        model, [*keeper_tools()], middleware=[AMBMiddleware(bank, sharing=True)], checkpointer=InMemorySaver()
    )
    await asyncio.gather(*(agent.ainvoke(ASKED, scripted.thread(name)) for name in "abc"))
    entries = [(entry.metadata["run"], entry.text) for entry in bank.snapshot().results]
    found = {run: [text for name, text in entries if name == run] for run in "abc"}
    assert found == {run: [page(number) for number in range(3)] for run in "abc"}


def test_a_call_that_waits_for_a_human_is_taken_in_once_it_is_answered(bank: MemoryBank) -> None:
    @tool
    def ask(number: int) -> str:
        """Ask the keeper."""
        return f"The keeper of station {number} said {interrupt('?')}."

    calls = [Call("ask", {"number": 5}, "call-a"), _fetch(0)]
    scenario = Scenario(task(), (tuple(calls),), ())
    agent, _ = _agent(scenario, AMBMiddleware(bank), tools=[ask, *keeper_tools()], checkpointer=InMemorySaver())
    agent.invoke(ASKED, scripted.thread())
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]
    agent.invoke(Command(resume="yes"), scripted.thread())
    assert [entry.text for entry in bank.snapshot().results] == [page(0), "The keeper of station 5 said yes."]


# --- streams, names, failures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["updates", "values", "messages"])
async def test_the_block_is_in_no_stream(bank: MemoryBank, mode: Any) -> None:
    agent, model = _agent(_calling(_fetch(0), _fetch(1)), AMBMiddleware(bank, inject="always"))
    chunks = [str(chunk) async for chunk in agent.astream(ASKED, stream_mode=mode)]
    assert any(fact(0) in chunk for chunk in chunks)
    assert not any("<memory>" in chunk for chunk in chunks)
    assert "<memory>" in str(model.requests[2].messages)


def test_a_thread_that_comes_back_after_many_others_is_taken_in_once(bank: MemoryBank) -> None:
    others = [Scenario(task(), (), ())] * 130
    model = scripted.ScriptedModel.of(_calling(_fetch(0)), *others, _calling(_fetch(1)))
    agent = create_agent(
        model, [*keeper_tools()], middleware=[AMBMiddleware(bank, sharing=True)], checkpointer=InMemorySaver()
    )
    for name in ("first", *map(str, range(len(others))), "first"):
        agent.invoke(ASKED, scripted.thread(name))
    assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]
