"""Where a memory holds, and that nothing of it is left where it does not."""

from __future__ import annotations

import asyncio
import runpy
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, long_task, page, task
from amb_core import AmbError, InvalidParameter, MemoryBank, Settings
from amb_core.rendering import has_block
from amb_core.text import estimate_tokens

pytest.importorskip("crewai", reason="CrewAI is not installed: make test-frameworks")
from crewai import Agent, Crew
from crewai.hooks import (
    HookAborted,
    InterceptionPoint,
    LLMCallHookContext,
    get_hooks,
    register_hook,
    unregister_hook,
)
from crewai.hooks.dispatch import get_scoped_hooks

from amb_crewai import attach, detach, memory

pytestmark = [pytest.mark.crewai, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("crewai_driver.py"))))
ALWAYS = Settings(inject="always", prompt_budget_tokens=8_000)
"""A block in every request, and too little room for what the long task brings."""


def reading(*numbers: int, answer: str = "All log books are read.") -> Scenario:
    turns = tuple((Call("fetch", {"number": number}, f"call-{number}"),) for number in numbers)
    return Scenario(task(), turns, keeper_tools(), answer=answer)


def made(scenario: Scenario, **options: Any) -> SimpleNamespace:
    """A model, an agent and a crew for a scenario; call `start` to run it."""
    llm = scripted.model_for(scenario, **options)
    agent = scripted.agent_for(scenario, llm)
    return SimpleNamespace(llm=llm, agent=agent, crew=scripted.crew_of(agent, scenario))


def registered(*agents: Any) -> list[Any]:
    """All hooks that CrewAI knows of, and those the agents' executors copied."""
    hooks = [hook for point in InterceptionPoint for hook in (*get_hooks(point), *get_scoped_hooks(point))]
    executors = [agent.agent_executor for agent in agents if agent.agent_executor]
    return hooks + [hook for one in executors for hook in (*one.before_llm_call_hooks, *one.after_llm_call_hooks)]


def blocks(request: Any) -> int:
    return sum(has_block(str(message["content"])) for message in request.messages)


def seen(request: Any) -> str:
    return "\n".join(str(message["content"]) for message in request.messages)


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task(), settings=ALWAYS) as opened:
        yield opened


STARTS: dict[str, Callable[[Any], Any]] = {
    "kickoff": lambda one: one.crew.kickoff(),
    "kickoff_async": lambda one: asyncio.run(one.crew.kickoff_async()),
    "akickoff": lambda one: asyncio.run(one.crew.akickoff()),
    "kickoff_for_each": lambda one: one.crew.kickoff_for_each([{"topic": "waves"}])[0],
    "agent": lambda one: one.agent.kickoff(task()),
    "agent_async": lambda one: asyncio.run(one.agent.kickoff_async(task())),
}


@pytest.mark.parametrize(("start", "native"), [(start, at % 2 == 0) for at, start in enumerate(STARTS)])
def test_every_way_to_start_has_the_memory(bank: MemoryBank, start: str, native: bool) -> None:
    one = made(long_task(), native=native)
    target = one.agent if start.startswith("agent") else one.crew
    with memory(bank, target):
        assert STARTS[start](one).raw == long_task().answer
    assert [blocks(request) for request in one.llm.requests] == [1] * 21
    assert fact(19) in seen(one.llm.requests[20])
    assert max(len(seen(request)) for request in one.llm.requests) < 32_000
    assert [entry.text for entry in bank.snapshot().results] == [page(number) for number in range(20)]
    assert not registered(one.agent)


@pytest.mark.parametrize(("start", "native"), [("kickoff", False), ("agent", True)])
def test_by_default_a_crew_and_an_agent_have_each_result_in_the_next_request(start: str, native: bool) -> None:
    """Raw, or in the block."""
    one = made(long_task(), native=native)
    target = one.agent if start.startswith("agent") else one.crew
    with MemoryBank(task(), settings=Settings(prompt_budget_tokens=8_000)) as bank, memory(bank, target):
        assert STARTS[start](one).raw == long_task().answer
    asked = one.llm.requests
    assert [number for number in range(20) if fact(number) not in seen(asked[number + 1])] == []
    assert max(len(seen(request)) for request in asked) < 32_000
    assert blocks(asked[0]) == 0
    assert blocks(asked[-1]) == 1


def test_what_runs_outside_a_scope_is_untouched(bank: MemoryBank) -> None:
    one, other = made(reading(0)), made(reading(1))
    with memory(bank, one.crew):
        other.crew.kickoff()
    assert [blocks(request) for request in other.llm.requests] == [0, 0]
    assert "deep_retrieval" not in other.llm.requests[0].tools
    assert not bank.snapshot().results


@pytest.mark.parametrize("named", [True, False])
def test_nothing_is_left_after_a_run_that_fails(bank: MemoryBank, named: bool) -> None:
    one = made(reading(0))
    one.agent.max_retry_limit, one.llm._replies[1] = 0, RuntimeError("the model is gone")
    before = [tool.name for tool in one.agent.tools]
    with pytest.raises(RuntimeError, match="the model is gone"), memory(bank, *([one.crew] if named else [])):
        one.crew.kickoff()
    assert not registered(one.agent)
    assert [tool.name for tool in one.agent.tools] == before
    assert not any(has_block(str(message["content"])) for message in one.agent.agent_executor.messages)


def test_attach_holds_until_detach_and_leaves_nothing(bank: MemoryBank) -> None:
    one = made(reading(0, 1))
    one.llm.will_say(*scripted.spoken(reading(2), native=True), *scripted.spoken(reading(3), native=True))
    one.crew.kickoff()
    attach(one.crew, bank)
    one.crew.kickoff()
    detach(one.crew)
    one.crew.kickoff()
    assert [blocks(request) for request in one.llm.requests] == [0, 0, 0, 1, 1, 0, 0]
    assert [entry.text for entry in bank.snapshot().results] == [page(2)]
    assert not registered(one.agent)
    assert getattr(one.agent.agent_executor, "use_better_compaction", True)


def test_an_agent_has_one_memory_at_a_time(bank: MemoryBank) -> None:
    one = made(reading(0))
    attach(one.agent, bank)
    with pytest.raises(InvalidParameter, match="has a memory already"):
        attach(one.agent, bank)
    with pytest.raises(InvalidParameter, match="has a memory already"), memory(bank, one.agent):
        pass
    detach(one.agent)
    with pytest.raises(InvalidParameter, match="nothing was attached"):
        detach(one.agent)
    assert not registered(one.agent)


@pytest.mark.parametrize("way", ["threads", "tasks"])
def test_two_crews_at_once_in_scopes_without_names_never_mix(way: str) -> None:
    banks = [MemoryBank(task(), settings=ALWAYS), MemoryBank(task(), settings=ALWAYS)]
    ones = [made(reading(*range(odd, 8, 2))) for odd in range(2)]

    async def run(one: Any, bank: MemoryBank) -> None:
        with memory(bank):
            await one.crew.akickoff()

    async def together() -> None:
        await asyncio.gather(*map(run, ones, banks))

    if way == "tasks":
        asyncio.run(together())
    else:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda one, bank: asyncio.run(run(one, bank)), ones, banks))
    for odd, (one, bank) in enumerate(zip(ones, banks, strict=True)):
        assert [entry.text for entry in bank.snapshot().results] == [page(n) for n in range(odd, 8, 2)]
        assert [blocks(request) for request in one.llm.requests] == [1] * 5


def test_the_inner_of_two_scopes_has_the_run(bank: MemoryBank) -> None:
    one = made(reading(0))
    with MemoryBank(task(), settings=ALWAYS) as inner:
        with memory(bank), memory(inner):
            one.crew.kickoff()
        assert len(inner.snapshot().results) == 1
    assert not bank.snapshot().results
    assert [blocks(request) for request in one.llm.requests] == [1, 1]


def test_the_output_has_the_transcript_as_it_would_be_without_memory(bank: MemoryBank) -> None:
    plain, one = made(long_task()), made(long_task())
    with memory(bank, one.crew):
        output = one.crew.kickoff()
    assert output.tasks_output[0].messages == plain.crew.kickoff().tasks_output[0].messages


def test_hooks_of_the_users_own_run_as_before(bank: MemoryBank) -> None:
    asked: list[str] = []

    def mine(call: LLMCallHookContext) -> None:
        asked.append(call.agent.role)

    one = made(reading(0))
    register_hook(InterceptionPoint.PRE_MODEL_CALL, mine)
    try:
        with memory(bank, one.crew):
            one.crew.kickoff()
        assert asked == ["keeper", "keeper"]
        assert registered() == [mine]
    finally:
        unregister_hook(InterceptionPoint.PRE_MODEL_CALL, mine)


@pytest.mark.skipif("use_better_compaction" not in Agent.model_fields, reason="this CrewAI moves no results")
def test_a_result_that_crewai_would_move_to_a_file_is_memory_as_a_whole(bank: MemoryBank) -> None:
    without, one = made(reading(0), window=4_096), made(reading(0), window=4_096)
    without.crew.kickoff()
    assert "temporary artifact" in seen(without.llm.requests[1])
    with memory(bank, one.crew):
        one.crew.kickoff()
    assert "temporary artifact" not in seen(one.llm.requests[1])
    assert [entry.text for entry in bank.snapshot().results] == [page(0)]


def test_where_the_model_is_too_small_crewai_summarises_and_the_user_is_told(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    one = made(reading(0, 1, 2), window=2_500)
    script, one.llm._replies[:] = list(one.llm._replies), []

    def reply(messages: Any) -> Any:
        asked_to_summarise = "summar" in str(messages[0]["content"]).lower()
        return "<summary>Some were read.</summary>" if asked_to_summarise else script.pop(0)

    one.llm.will_say(*[reply] * 12)
    with memory(bank, one.crew):
        assert one.crew.kickoff().raw == "All log books are read."
    assert [entry.text for entry in bank.snapshot().results] == [page(number) for number in range(3)]
    assert caplog.text.count("set prompt_budget_tokens below the window") == 1


@pytest.mark.parametrize("given", [{}, {"prompt_budget_tokens": 8_000}, {"inject": "always"}])
def test_requests_are_kept_within_the_window_of_the_model(given: Any, caplog: pytest.LogCaptureFixture) -> None:
    one = made(reading(*range(12)), window=6_963)
    with MemoryBank(task(), settings=Settings(**given)) as bank, memory(bank, one.crew):
        assert one.crew.kickoff().raw == "All log books are read."
    assert len(one.llm.requests) == 13  # and none of them asks for a summary
    assert [number for number in range(12) if fact(number) not in seen(one.llm.requests[number + 1])] == []
    assert max(estimate_tokens(seen(request)) for request in one.llm.requests) < (
        6_963 if "prompt_budget_tokens" in given else 3_482
    )
    assert "prompt_budget_tokens" not in caplog.text


def test_a_strict_bank_ends_the_run_when_it_fails() -> None:
    bank = MemoryBank(task(), settings=Settings(strict=True))
    bank.close()
    one = made(reading(0))
    with pytest.raises(HookAborted, match="memory failed: this bank is closed"), memory(bank, one.crew):
        one.crew.kickoff()
    assert not registered(one.agent)


def test_a_crewai_without_scoped_hooks_is_told_what_to_do(bank: MemoryBank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(sys.modules["crewai.hooks.dispatch"], "scoped_hooks")
    one = made(reading(0))
    with pytest.raises(AmbError, match=r"use attach\(crew, bank\)"), memory(bank, one.crew):
        pass
    assert "deep_retrieval" not in [tool.name for tool in one.agent.tools]


def test_the_hooks_we_stand_on_are_where_they_were() -> None:
    assert {"agent_executor", "tools"} <= set(Agent.model_fields)
    assert {"agents", "tasks", "manager_agent", "process"} <= set(Crew.model_fields)
