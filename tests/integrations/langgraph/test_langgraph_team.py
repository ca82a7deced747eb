"""A supervisor with two workers: a bank of their own each, and one the whole team shares."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import MemoryBank

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
pytest.importorskip("langgraph_supervisor", reason="langgraph-supervisor is not installed")
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph_supervisor import create_supervisor

from amb_langgraph import AMBMiddleware

pytestmark = [
    pytest.mark.langgraph,
    pytest.mark.filterwarnings("ignore:create_react_agent has been moved"),
]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("langgraph_driver.py"))))
ASKED = {"messages": [("user", task())]}


@pytest.fixture
def banks() -> Iterator[dict[str, MemoryBank]]:
    opened = {name: MemoryBank(task()) for name in ("ada", "bea", "chief", "team")}
    yield opened
    for bank in opened.values():
        bank.close()


def _fetch(number: int) -> Call:
    return Call("fetch", {"number": number}, f"call-{number}")


def _handing(name: str) -> Call:
    return Call(f"transfer_to_{name}", {}, f"call-to-{name}")


def _team(
    banks: dict[str, MemoryBank], *, shared: bool, mode: Any = "last_message", inject: Any = None, **small: bool
) -> tuple[Any, Any]:
    """Ada reads page 0, then Bea reads page 1; the chief hands over to them and answers."""
    own: dict[str, Any] = {"inject": inject} | ({"shared": banks["team"]} if shared else {})
    reads = {"ada": ((_fetch(0),),), "bea": ((_fetch(1),),), "chief": ((_handing("ada"),), (_handing("bea"),))}
    scenarios = {
        name: Scenario(task(), turns, keeper_tools(), answer=f"{name} is done.") for name, turns in reads.items()
    }
    models = {name: scripted.ScriptedModel.of(scenario) for name, scenario in scenarios.items()}
    workers = [
        create_agent(
            models[name],
            tools=[*keeper_tools()],
            name=name,
            middleware=[AMBMiddleware(banks[name], agent=name, **own, **small)],
        )
        for name in ("ada", "bea")
    ]
    chief = AMBMiddleware(banks["chief"], agent="chief", **own)
    graph = create_supervisor(
        workers, model=models["chief"], tools=[*chief.tools], prompt="You lead.", output_mode=mode,
        pre_model_hook=chief.pre_model_hook,
    )  # fmt: skip
    return graph.compile(checkpointer=InMemorySaver()), models


def _run(graph: Any, in_async: bool) -> Any:
    config = scripted.thread()
    return asyncio.run(graph.ainvoke(ASKED, config)) if in_async else graph.invoke(ASKED, config)


def _entries(bank: MemoryBank) -> list[tuple[str, str]]:
    return [(entry.metadata["agent"], entry.text) for entry in bank.snapshot().results]


@pytest.mark.parametrize("in_async", [False, True])
def test_workers_with_a_bank_of_their_own_keep_to_themselves(banks: dict[str, MemoryBank], in_async: bool) -> None:
    graph, models = _team(banks, shared=False)
    assert _run(graph, in_async)["messages"][-1].content == "chief is done."
    assert _entries(banks["ada"]) == [("ada", page(0))]
    assert _entries(banks["bea"]) == [("bea", page(1))]
    assert fact(0) not in str(models["bea"].requests)
    assert fact(0) not in str(models["chief"].requests)


@pytest.mark.parametrize("in_async", [False, True])
def test_what_one_finds_is_in_the_block_of_the_others_who_share_a_bank(
    banks: dict[str, MemoryBank], in_async: bool
) -> None:
    graph, models = _team(banks, shared=True, inject="always")
    _run(graph, in_async)
    assert _entries(banks["team"]) == [("ada", page(0)), ("bea", page(1))]
    assert fact(0) in str(models["bea"].requests[0].messages[-1]["content"])
    last = str(models["chief"].requests[-1].messages[-1]["content"])
    assert "· [s" in last
    assert fact(1) in last
    assert [len(_entries(banks[name])) for name in ("ada", "bea", "chief")] == [0, 0, 0]


def test_a_whole_history_passed_on_is_taken_in_once(banks: dict[str, MemoryBank]) -> None:
    graph, _ = _team(banks, shared=True, mode="full_history")
    _run(graph, in_async=False)
    assert _entries(banks["team"]) == [("ada", page(0)), ("bea", page(1))]


def test_with_small_states_no_raw_result_is_passed_on(banks: dict[str, MemoryBank]) -> None:
    graph, _ = _team(banks, shared=True, mode="full_history", small_state=True)
    passed = str(_run(graph, in_async=False)["messages"])
    assert "Kept in memory as [s1]" in passed
    assert page(0)[:200] not in passed
    assert _entries(banks["team"]) == [("ada", page(0)), ("bea", page(1))]


@pytest.mark.parametrize("in_async", [False, True])
def test_a_react_agent_takes_the_hook_and_the_tool_node(banks: dict[str, MemoryBank], in_async: bool) -> None:
    scenario = Scenario(task(), ((_fetch(0),), (_fetch(1),)), keeper_tools())
    model, memory = scripted.ScriptedModel.of(scenario), AMBMiddleware(banks["ada"])
    agent = create_react_agent(model, memory.tool_node(scenario.tools), pre_model_hook=memory.pre_model_hook)
    messages = _run(agent, in_async)["messages"]
    assert [message.content for message in messages][2::2] == [page(0), page(1)]
    assert [entry.text for entry in banks["ada"].snapshot().results] == [page(0), page(1)]
    assert "deep_retrieval" in model.requests[0].tools
    assert fact(1) in str(model.requests[2].messages[-1]["content"])
