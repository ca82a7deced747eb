"""Several agents: a bank each and one for all, managers and delegates, flows, tasks in threads."""

from __future__ import annotations

import asyncio
import json
import re
import runpy
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import ScriptedChatModel
from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import MemoryBank, Settings, ToolResult
from amb_core.chat_io import ChatReply, ToolCall
from amb_core.rendering import has_block

pytest.importorskip("crewai", reason="CrewAI is not installed: make test-frameworks")
from crewai import LLM, Agent, Crew, Process, Task
from crewai.flow.flow import Flow, listen, start
from crewai.tools import tool

from amb_crewai import attach, detach, memory

pytestmark = [pytest.mark.crewai, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("crewai_driver.py"))))
ALWAYS = Settings(inject="always", prompt_budget_tokens=8_000)
"""A block in every request, and too little room for what the long task brings."""


def calling(*calls: Call, answer: str = "Done.") -> Scenario:
    return Scenario(task(), tuple((call,) for call in calls), keeper_tools(), answer=answer)


def fetching(*numbers: int) -> Scenario:
    return calling(*(Call("fetch", {"number": number}, f"call-{number}") for number in numbers))


def member(role: str, scenario: Scenario, **options: Any) -> SimpleNamespace:
    llm = scripted.model_for(scenario)
    return SimpleNamespace(llm=llm, agent=scripted.agent_for(scenario, llm, role=role, **options))


def tasks_of(*members: SimpleNamespace, **options: Any) -> list[Task]:
    return [Task(description=task(), expected_output="text", agent=one.agent, **options) for one in members]


def seen(request: Any) -> str:
    return "\n".join(str(message["content"]) for message in request.messages)


def blocks(llm: Any) -> list[int]:
    return [sum(has_block(str(message["content"])) for message in request.messages) for request in llm.requests]


def texts(bank: MemoryBank) -> list[str]:
    return [entry.text for entry in bank.snapshot().results]


@pytest.fixture
def team() -> Iterator[SimpleNamespace]:
    with ExitStack() as open_banks:
        yield SimpleNamespace(
            **{name: open_banks.enter_context(MemoryBank(task(), settings=ALWAYS)) for name in ("ada", "bea", "shared")}
        )


def _share(result: ToolResult) -> bool:
    return result.tool == "fetch"


@pytest.mark.parametrize("scoped", [True, False])
def test_a_crew_with_a_bank_for_each_agent_and_one_for_all(team: SimpleNamespace, scoped: bool) -> None:
    diary = Call("reading", {"number": 3}, "call-r")
    ada = member("ada", calling(Call("fetch", {"number": 0}, "call-0"), diary))
    bea = member("bea", fetching(1))
    crew = Crew(agents=[ada.agent, bea.agent], tasks=tasks_of(ada, bea))
    with ExitStack() as open_memories:
        for one, bank in ((ada, team.ada), (bea, team.bea)):
            if scoped:
                open_memories.enter_context(memory(bank, one.agent, shared=team.shared, share=_share))
            else:
                attach(one.agent, bank, shared=team.shared, share=_share)
                open_memories.callback(detach, one.agent)
        crew.kickoff()
    assert texts(team.shared) == [page(0), page(1)]
    assert [entry.metadata["agent"] for entry in team.shared.snapshot().results] == ["ada", "bea"]
    assert ["1003" in text for text in texts(team.ada)] == [True]
    assert fact(0) in seen(bea.llm.requests[0])
    assert re.search(r"\[s\d+\]", seen(bea.llm.requests[0]))
    assert "1003" not in seen(bea.llm.requests[1])
    assert blocks(ada.llm) + blocks(bea.llm) == [1] * 5


@pytest.mark.parametrize("own_manager", [True, False])
def test_a_manager_and_its_coworkers_share_the_memory_of_the_crew(team: SimpleNamespace, own_manager: bool) -> None:
    worker = member("reader", fetching(0))
    order = {"coworker": "reader", "task": "read page 0", "context": "none"}
    boss = scripted.model_for(calling(Call("delegate_work_to_coworker", order, "call-b")))
    manager: dict[str, Any] = {"manager_llm": boss}
    if own_manager:
        manager = {"manager_agent": Agent(role="boss", goal="g", backstory="b", llm=boss)}
    job = Task(description=task(), expected_output="text")
    crew = Crew(agents=[worker.agent], tasks=[job], process=Process.hierarchical, **manager)
    with memory(team.shared, crew):
        assert crew.kickoff().raw == "Done."
    assert blocks(worker.llm) == blocks(boss) == [1, 1]
    assert fact(0) in seen(boss.requests[1])
    assert "deep_retrieval" in boss.requests[0].tools
    assert "deep_retrieval" not in [one.name for one in (*worker.agent.tools, *(job.tools or []))]


def test_tasks_that_run_in_threads_are_in_the_scope(team: SimpleNamespace) -> None:
    ada, bea = member("ada", fetching(0)), member("bea", fetching(1))
    jobs = [*tasks_of(ada, async_execution=True), *tasks_of(bea)]
    with memory(team.shared):
        Crew(agents=[ada.agent, bea.agent], tasks=jobs).kickoff()
    assert sorted(texts(team.shared)) == sorted([page(0), page(1)])
    assert blocks(ada.llm) + blocks(bea.llm) == [1] * 4


@pytest.mark.parametrize("in_a_loop", [True, False])
def test_a_flow_is_in_the_scope_with_all_its_steps(team: SimpleNamespace, in_a_loop: bool) -> None:
    ada, bea = member("ada", fetching(0)), member("bea", fetching(1))

    class Reading(Flow[dict[str, Any]]):
        @start()
        def first(self) -> str:
            return str(Crew(agents=[ada.agent], tasks=tasks_of(ada)).kickoff().raw)

        @listen(first)
        async def second(self) -> str:
            return str((await bea.agent.kickoff_async(task())).raw)

    with memory(team.shared):
        flow = Reading(tracing=False)
        assert (asyncio.run(flow.kickoff_async()) if in_a_loop else flow.kickoff()) == "Done."
    assert texts(team.shared) == [page(0), page(1)]
    assert blocks(ada.llm) + blocks(bea.llm) == [1] * 4
    assert fact(0) in seen(bea.llm.requests[0])


# --- CrewAI's own client, against a server on this machine ------------------------------------------------------------


def _served(reply: Any) -> ChatServer:
    return ChatServer(ScriptedChatModel(reply))


def test_the_answer_demanded_when_iterations_are_used_up_is_bounded_too(team: SimpleNamespace) -> None:
    def reply(asked: Any) -> ChatReply:
        number = len(server.exchanges)
        call = ToolCall(f"call-{number}", "fetch", json.dumps({"number": number}))
        return ChatReply(text="", tool_calls=(call,)) if asked.tools else ChatReply(text="That is all.")

    with _served(reply) as server:
        llm = LLM(model="openai/gpt-4o-mini", base_url=server.url, api_key="none")
        agent = Agent(role="r", goal="g", backstory="b", tools=[tool(keeper_tools()[0])], llm=llm, max_iter=8)
        with memory(team.ada, agent):
            assert agent.kickoff(task()).raw == "That is all."
        asked = [exchange.request["messages"] for exchange in server.exchanges]
    assert [sum(has_block(str(message["content"])) for message in one) for one in asked] == [1] * 9
    assert max(len(str(one)) for one in asked) < 32_000
    assert fact(7) in str(asked[-1][-1]["content"])
    assert texts(team.ada) == [page(number) for number in range(8)]


def _planned(asked: Any) -> ChatReply:
    """Plans two steps, fetches one page in each, and answers."""
    names = [one["function"]["name"] for one in asked.tools]
    if "create_reasoning_plan" in names:
        step = {"tool_to_use": "fetch", "depends_on": []}
        steps = [step | {"step_number": n, "description": f"read page {n}"} for n in (1, 2)]
        plan = json.dumps({"plan": "read", "steps": steps, "ready": True})
        return ChatReply(text="", tool_calls=(ToolCall("call-p", "create_reasoning_plan", plan),))
    if names and asked.messages[-2]["role"] != "tool":
        number = 1 if "read page 1" in str(asked.messages[1]) else 2
        return ChatReply(text="", tool_calls=(ToolCall(f"call-{number}", "fetch", json.dumps({"number": number})),))
    return ChatReply(text="That is all.")


def test_an_agent_that_plans_has_the_block_in_every_call_of_every_step(team: SimpleNamespace) -> None:
    with _served(_planned) as server:
        llm = LLM(model="openai/gpt-4o-mini", base_url=server.url, api_key="none")
        agent = Agent(role="r", goal="g", backstory="b", tools=[tool(keeper_tools()[0])], llm=llm, planning=True)
        with memory(team.ada, agent):
            assert agent.kickoff(task()).raw == "That is all."
        asked = [exchange.request["messages"] for exchange in server.exchanges]
    assert [sum(has_block(str(message["content"])) for message in one) for one in asked] == [1] * 6
    assert sorted(texts(team.ada)) == sorted([page(1), page(2)])
