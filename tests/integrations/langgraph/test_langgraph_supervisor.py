"""A LangGraph supervisor with long-term memory: what it, its workers and the state get, and what is kept."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_longterm import LongTermMemory

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
pytest.importorskip("langgraph_supervisor", reason="langgraph-supervisor is not installed")
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph_supervisor import create_supervisor

from amb_langgraph import AMBSupervisor

pytestmark = [pytest.mark.langgraph, pytest.mark.filterwarnings("ignore:create_react_agent has been moved")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("langgraph_driver.py"))))

QUERY = "SELECT region, SUM(amount) FROM orders GROUP BY region"
TELLING = "From now on, all amounts in EUR. Show the revenue by region."
ASKING = "Show the revenue by region again."
SIX = {"memory_search", "memory_write", "memory_update", "memory_delete", "memory_summarize", "memory_route"}


@pytest.fixture
def memory() -> Iterator[LongTermMemory]:
    with LongTermMemory("memory://") as opened:
        yield opened


def run_sql(query: str) -> str:
    """Run a query."""
    if "DROP" in query or "broken" in query:
        raise ValueError("no such table")
    return "north 120.5"


def _call(tool: str, number: int = 1, **arguments: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": f"{tool}-{number}"}])


def _sql_agent(answer: str = "North has 120.5.", query: str = QUERY) -> tuple[Any, Any]:
    model = scripted.ScriptedModel(replies=[_call("run_sql", query=query), AIMessage(answer)])
    return create_agent(model, tools=[run_sql], name="text2sql", system_prompt="You write SQL."), model


def _team(
    supervisor: AMBSupervisor, *, mode: Any = "last_message", answer: str = "North has 120.5."
) -> tuple[Any, Any, Any]:
    """A chief that hands over to a SQL worker and answers."""
    agent, sql = _sql_agent(answer)
    chief = scripted.ScriptedModel(replies=[_call("transfer_to_text2sql"), AIMessage("Done.")])
    graph = create_supervisor(
        [supervisor.worker(agent)], model=chief, tools=[*supervisor.tools], prompt="You lead.",
        pre_model_hook=supervisor.pre_model_hook, output_mode=mode,
    )  # fmt: skip
    return graph.compile(checkpointer=InMemorySaver()), chief, sql


def _ask(graph: Any, text: str, *, in_async: bool = False, **configured: str) -> list[Any]:
    config = {"configurable": {"thread_id": "t", "user_id": "u1", **configured}}
    asked = {"messages": [("user", text)]}
    state = asyncio.run(graph.ainvoke(asked, config)) if in_async else graph.invoke(asked, config)
    return list(state["messages"])


def _got(model: Any, call: int = 0) -> str:
    return json.dumps(model.requests[call].messages, ensure_ascii=False)


@pytest.mark.parametrize("in_async", [False, True])
@pytest.mark.parametrize("mode", ["last_message", "full_history"])
def test_the_second_session_gets_what_the_first_one_learnt(memory: LongTermMemory, mode: str, in_async: bool) -> None:
    graph, _, _ = _team(AMBSupervisor(memory, workers=["text2sql"], strict=True), mode=mode)
    _ask(graph, TELLING, in_async=in_async, thread_id="monday")
    graph, chief, sql = _team(AMBSupervisor(memory, workers=["text2sql"], strict=True), mode=mode)
    state = _ask(graph, ASKING, in_async=in_async, thread_id="tuesday")
    for model in (chief, sql):
        assert "all amounts in EUR" in _got(model)
        assert QUERY in _got(model)
        assert "North has 120.5." in _got(model)
    assert state[0].content == ASKING
    assert not any("<memories>" in str(message.content) for message in state)


def test_the_block_is_the_same_in_all_calls_that_answer_one_message(memory: LongTermMemory) -> None:
    supervisor = AMBSupervisor(memory, workers=["text2sql"], strict=True)
    memory.write("All amounts in EUR", namespace="user_profile/u1", metadata={"type": "user-profile"})
    graph, chief, _ = _team(supervisor)
    _ask(graph, ASKING)
    first, second = (request.messages[1]["content"] for request in chief.requests)
    assert first == second
    assert first.startswith("<memories>")
    assert first.endswith(f"</memories>\n\n{ASKING}")


def test_users_do_not_see_each_other(memory: LongTermMemory) -> None:
    supervisor = AMBSupervisor(memory, workers=["text2sql"], strict=True)
    for user in ("u1", "u10"):
        graph, chief, sql = _team(supervisor)
        _ask(graph, ASKING if user == "u10" else TELLING, user_id=user, thread_id=user)
    assert "EUR" not in _got(chief) + _got(sql)
    assert {name.rpartition("/")[2] for name in memory.namespaces()} == {"u1", "u10"}


def test_a_thread_without_a_user_is_one_of_its_own(memory: LongTermMemory) -> None:
    graph, _, _ = _team(AMBSupervisor(memory, strict=True))
    _ask(graph, TELLING, user_id="", thread_id="t7")
    assert "user_profile/anonymous-t7" in memory.namespaces()


def test_where_nobody_can_tell_whose_it_is_there_is_no_memory(memory: LongTermMemory) -> None:
    supervisor = AMBSupervisor(memory, strict=True)
    assert [message.content for message in supervisor.messages([("user", TELLING)])] == [TELLING]
    agent, _ = _sql_agent()
    assert (
        supervisor.worker(agent).invoke({"messages": [("user", TELLING)]})["messages"][-1].content == "North has 120.5."
    )
    assert "whose" in supervisor.tools[0].invoke({"query": "q"})
    assert memory.namespaces() == []


@pytest.mark.parametrize("in_async", [False, True])
def test_a_create_agent_supervisor_takes_it_as_middleware(memory: LongTermMemory, in_async: bool) -> None:
    memory.write("All amounts in EUR", namespace="user_profile/u1", metadata={"type": "user-profile"})
    supervisor = AMBSupervisor(memory, strict=True)
    agent, sql = _sql_agent()
    worker = supervisor.worker(agent)

    def ask_text2sql(task: str) -> str:
        """Hand a task to the SQL worker."""
        return str(worker.invoke({"messages": [("user", task)]})["messages"][-1].content)

    chief = scripted.ScriptedModel(replies=[_call("ask_text2sql", task="Revenue by region"), AIMessage("Done.")])
    graph = create_agent(chief, tools=[ask_text2sql], middleware=[supervisor], checkpointer=InMemorySaver())
    state = _ask(graph, "Show the revenue by region.", in_async=in_async)
    assert "All amounts in EUR" in _got(chief)
    assert "All amounts in EUR" in _got(sql)
    assert set(chief.requests[0].tools) >= SIX
    assert state[0].content == "Show the revenue by region."
    assert "Task: Revenue by region" in memory.records("text2sql_memories/u1")[0].content


def test_the_supervisors_model_uses_the_tools_for_its_own_user(memory: LongTermMemory) -> None:
    supervisor = AMBSupervisor(memory, strict=True)
    memory.write("All amounts in USD", namespace="user_profile/u2")
    replies = [
        _call("memory_write", content="All amounts in EUR", namespace="user_profile"),
        _call("memory_search", query="amounts", namespace="user_profile/u2"),
        _call("memory_search", number=2, query="all amounts"),
        AIMessage("Done."),
    ]
    graph = create_agent(scripted.ScriptedModel(replies=replies), tools=[], middleware=[supervisor])
    told = [message.content for message in _ask(graph, "Hello!") if message.type == "tool"]
    assert json.loads(told[0])["status"] == "inserted"
    assert "namespace is one of" in told[1]
    assert [hit["content"] for hit in json.loads(told[2])] == ["All amounts in EUR"]


def test_trouble_with_memory_does_not_end_the_run() -> None:
    memory = LongTermMemory("memory://")
    supervisor = AMBSupervisor(memory)
    memory.close()
    graph, _, _ = _team(supervisor)
    assert _ask(graph, TELLING)[-1].content == "Done."
    assert supervisor.failures["write"] == 3
