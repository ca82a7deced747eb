"""One smolagents agent is one conversation: it runs again, and again when memory fails."""

from __future__ import annotations

import runpy
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, page, task
from amb_core import MemoryBank, ScopeMixed

pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
from smolagents import CodeAgent, ToolCallingAgent

from amb_smolagents import attach, detach

pytestmark = pytest.mark.smolagents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))
BOTH = pytest.mark.parametrize("kind", [ToolCallingAgent, CodeAgent])
TASKS = ("Which lamp is on line 2?", "Who keeps the oven of line 4?", "How many pegs are there?")


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def fetch(number: int) -> Any:
    return scripted.scenario([Call("fetch", {"number": number}, f"call-{number}")])


def three_runs(kind: Any, **options: Any) -> tuple[Any, Any]:
    return scripted.agent_for(*map(fetch, range(3)), kind=kind, **options)


@BOTH
@pytest.mark.parametrize("reset", [True, False])
@pytest.mark.parametrize("stream", [False, True])
def test_each_run_after_the_first_has_its_task_for_a_goal_in_the_same_bank(
    bank: MemoryBank, kind: Any, reset: bool, stream: bool
) -> None:
    agent, _ = three_runs(kind)
    adapter, goals = attach(agent, bank), []
    for asked in TASKS:
        answer = agent.run(asked, reset=reset, stream=stream)
        assert not stream or list(answer)
        goals.append(bank.insight.task_goal)
    assert goals == [task(), *TASKS[1:]]
    assert "\n".join(entry.text for entry in bank.snapshot().results).count(page(2)) == 1
    assert not adapter.failures


def test_a_plan_is_made_for_the_new_goal(bank: MemoryBank) -> None:
    replies = ["Plan: look it up.", scripted.code("print(fetch(0))"), scripted.code("final_answer('A')")] * 2
    agent, model = scripted.agent_for(fetch(0), kind=CodeAgent, replies=replies, planning_interval=9)
    attach(agent, bank, inject="always")
    agent.run(TASKS[0])
    agent.run(TASKS[1])
    plan = "\n".join(map(scripted.text, model.seen[3]))
    assert f"Goal: {TASKS[1]}" in plan


def test_a_second_agent_on_the_bank_is_another_conversation(bank: MemoryBank) -> None:
    first, second = three_runs(ToolCallingAgent)[0], three_runs(ToolCallingAgent)[0]
    attach(first, bank)
    attach(second, bank)
    first.run(TASKS[0])
    for asked in TASKS[:2]:
        with pytest.raises(ScopeMixed):
            second.run(asked)
    first.run(TASKS[1])


def test_a_detached_agent_goes_on_when_it_is_attached_again(bank: MemoryBank) -> None:
    agent, _ = three_runs(ToolCallingAgent)
    for asked in TASKS:
        attach(agent, bank)
        agent.run(asked)
        detach(agent)
    assert bank.size.entries == 3


@pytest.mark.parametrize("alone_first", [True, False])
def test_a_managed_agent_works_for_its_manager_and_by_itself(bank: MemoryBank, alone_first: bool) -> None:
    reader, _ = three_runs(ToolCallingAgent, name="reader", description="Reads.")
    code = scripted.code("print(reader('Read the page.'))")
    replies = [code, scripted.code("final_answer('A')")] * 2
    lead, _ = scripted.agent_for(fetch(0), kind=CodeAgent, replies=replies, managed_agents=[reader])
    with MemoryBank("What do the pages say?") as own:
        attach(lead, bank, managed={"reader": own})
        if alone_first:
            reader.run(TASKS[0])
        lead.run(TASKS[1])
        lead.run(TASKS[2])
        if not alone_first:
            reader.run(TASKS[0])
        assert own.size.entries == 3
        assert bank.insight.task_goal == TASKS[2]


@BOTH
@pytest.mark.parametrize("planning", [None, 1])
@pytest.mark.parametrize("fault", ["closed", "no table", "share"])
def test_a_fault_of_memory_leaves_no_run(tmp_path: Path, kind: Any, planning: int | None, fault: str) -> None:
    def share(result: Any) -> bool:
        raise ValueError("nobody knows")

    replies = scripted.said([fetch(0), fetch(1)], as_code=kind is CodeAgent)
    plans = replies if planning is None else [reply for each in replies for reply in ("Plan: go on.", each)]
    agent, _ = scripted.agent_for(fetch(0), kind=kind, replies=plans, planning_interval=planning)
    bank, team = MemoryBank(task(), store=f"sqlite:///{tmp_path / 'a.db'}"), MemoryBank(task())
    adapter = attach(agent, bank, **({"shared": team, "share": share} if fault == "share" else {}))
    agent.run(TASKS[0])
    if fault == "closed":
        bank.close()
    elif fault == "no table":
        with sqlite3.connect(tmp_path / "a.db") as other:
            for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                other.execute(f'DROP TABLE IF EXISTS "{name}"')
    assert agent.run(TASKS[1])
    assert adapter.failures
