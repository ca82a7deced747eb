"""Agents that exist: what `attach` exchanges and `detach` puts back, and the graphs it does not know."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import Banks, InvalidParameter, MemoryBank, ToolResult

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph

from amb_langgraph import AMBMiddleware, attach, detach

pytestmark = [pytest.mark.langgraph, pytest.mark.filterwarnings("ignore:create_react_agent has been moved")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("langgraph_driver.py"))))
ASKED = {"messages": [("user", task())]}
FETCHES = Scenario(task(), ((Call("fetch", {"number": 0}, "call-0"),),), keeper_tools())


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _parts(agent: Any) -> tuple[Any, ...]:
    """Everything an agent's two nodes are made of."""
    functions = [getattr(agent.nodes["model"].bound, name) for name in ("func", "afunc")]
    cells = [cell.cell_contents for function in functions for cell in function.__closure__]
    return (
        *(list(cell) if isinstance(cell, list) else cell for cell in cells),
        dict(agent.nodes["tools"].bound.tools_by_name),
    )


def test_a_detached_agent_has_exactly_its_own_parts(bank: MemoryBank) -> None:
    agent = create_agent(scripted.ScriptedModel.of(FETCHES), tools=[*FETCHES.tools])
    before = _parts(agent)
    memory = attach(agent, bank)
    assert _parts(agent) != before
    detach(agent)
    assert _parts(agent) == before
    assert memory.failures == {}


def test_what_a_thread_holds_already_is_taken_in(bank: MemoryBank) -> None:
    model = scripted.ScriptedModel.of(FETCHES, Scenario(task(), (), ()))
    agent = create_agent(model, tools=[*FETCHES.tools], checkpointer=InMemorySaver(), name="reader")
    agent.invoke(ASKED, scripted.thread())
    attach(agent, bank, inject="always")
    agent.invoke(ASKED, scripted.thread())
    (entry,) = bank.snapshot().results
    assert (entry.text, entry.metadata["agent"], entry.metadata["tool"]) == (page(0), "reader", "fetch")
    assert fact(0) in str(model.requests[-1].messages[-1])


def test_the_agents_own_middleware_goes_on(bank: MemoryBank) -> None:
    seen: list[bool] = []

    @wrap_model_call
    def look(request: Any, handler: Any) -> Any:
        seen.append("<memory>" in str(request.messages))
        return handler(request)

    model = scripted.ScriptedModel.of(FETCHES)
    agent = create_agent(model, tools=[*FETCHES.tools], middleware=[look])
    attach(agent, bank, inject="always")
    agent.invoke(ASKED)
    assert seen == [False, False]
    assert "<memory>" in str(model.requests[1].messages)


def test_the_agents_model_settles_a_dispute_and_the_tools_never_change(bank: MemoryBank) -> None:
    for source, tons in (("a", 18), ("b", 12), ("c", 18)):
        said = f"Log of {source}. The Harbour Point battery has a usable capacity of {tons} MWh."
        bank.absorb(ToolResult(tool="read", output=said, source=source))
    settle = Call("settle_dispute", {"id": "c1", "holds": "18 MWh", "because": "step 1 and step 3"}, "call-1")
    model = scripted.ScriptedModel.of(Scenario(task(), ((settle,),), FETCHES.tools))
    agent = create_agent(model, tools=[*FETCHES.tools])
    attach(agent, bank, settles=True)
    agent.invoke(ASKED)
    assert "c1 is settled: 18 MWh holds." in str(model.requests[1].messages)
    assert "settle_dispute" in model.requests[0].tools
    assert model.requests[0].tools == model.requests[1].tools


def _by_hand() -> Any:
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda state: {"messages": []})
    builder.set_entry_point("model")
    return builder.compile()


@pytest.mark.parametrize("make", [_by_hand, object])
def test_for_another_graph_the_error_says_what_to_do_instead(bank: MemoryBank, make: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"pre_model_hook=memory\.pre_model_hook"):
        attach(make(), bank)


def test_a_small_state_cannot_be_attached(bank: MemoryBank) -> None:
    agent = create_agent(scripted.ScriptedModel.of(FETCHES))
    with pytest.raises(InvalidParameter, match="pass small_state to an AMBMiddleware"):
        attach(agent, bank, small_state=True)


@pytest.mark.parametrize("way", ["attach", "middleware"])
def test_nobody_is_told_to_say_who_it_is_before_anything_is_sent(tmp_path: Path, way: str) -> None:
    model, banks = scripted.ScriptedModel.of(FETCHES), Banks(f"sqlite:///{tmp_path}/")
    agent = create_agent(model, [*FETCHES.tools], middleware=[AMBMiddleware(banks)] if way == "middleware" else [])
    if way == "attach":
        attach(agent, banks)
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        agent.invoke(ASKED)
    assert not model.requests
