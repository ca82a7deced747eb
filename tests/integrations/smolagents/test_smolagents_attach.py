"""Giving a memory to a smolagents agent that calls tools, and taking it away again."""

from __future__ import annotations

import json
import runpy
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, fact, keeper_tools, page, task
from amb_core import AmbError, MemoryBank
from amb_core.rendering import has_block

pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
from smolagents import CodeAgent, ToolCallingAgent
from smolagents.memory import ActionStep, FinalAnswerStep, MemoryStep, PlanningStep

from amb_smolagents import attach, detach

pytestmark = pytest.mark.smolagents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))
BOTH = pytest.mark.parametrize("kind", [ToolCallingAgent, CodeAgent])


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def fetch(*numbers: int) -> Any:
    return scripted.scenario(*([Call("fetch", {"number": n}, f"call-{n}")] for n in numbers))


def shape(agent: Any) -> dict[str, Any]:
    """All parts of an agent that an attachment could leave a trace in."""
    python = getattr(agent, "python_executor", None)
    return {
        "attributes": {name: value for name, value in vars(agent).items() if name not in ("memory", "task")},
        "tools": list(agent.tools.items()),
        "callbacks": {step: list(calls) for step, calls in agent.step_callbacks._callbacks.items()},
        "python": {k: v for k, v in vars(python).items() if k != "state"} if python else None,
        "system": agent.memory.system_prompt.system_prompt,
    }


@BOTH
def test_detaching_leaves_no_trace_before_or_after_a_run(bank: MemoryBank, kind: Any) -> None:
    agent, _ = scripted.agent_for(fetch(0), fetch(1), kind=kind)
    before = shape(agent)
    attach(agent, bank)
    detach(agent)
    assert shape(agent) == before
    attach(agent, bank)
    agent.run(task())
    detach(agent)
    after = shape(agent)
    agent.run(task())
    assert shape(agent) | {"attributes": {}} == after | {"attributes": {}}
    assert set(after["attributes"]) - set(before["attributes"]) == {"interrupt_switch"}  # from any run
    assert not has_block(str(agent.memory.get_full_steps()))


@BOTH
def test_the_transcript_so_far_becomes_memory_and_a_run_goes_on_from_it(bank: MemoryBank, kind: Any) -> None:
    agent, model = scripted.agent_for(fetch(0, 1), fetch(2), kind=kind)
    agent.run(task())
    attach(agent, bank)
    agent.run(task(), reset=False)
    texts = "\n".join(entry.text for entry in bank.snapshot().results)
    assert [number for number in range(3) if page(number) not in texts] == []
    last = "\n".join(map(scripted.text, model.seen[-1]))
    assert [number for number in range(3) if fact(number) not in last] == []


def test_the_agents_own_transcript_stays_raw(bank: MemoryBank) -> None:
    agent, _ = scripted.agent_for(fetch(*range(12)))
    attach(agent, bank)
    agent.run(task())
    observed = [step.observations for step in agent.memory.steps if isinstance(step, ActionStep)]
    assert observed[:-1] == [page(number) for number in range(12)]


def test_a_callback_of_the_users_own_sees_the_step_first_and_stays(bank: MemoryBank) -> None:
    seen: list[bool] = []
    agent, _ = scripted.agent_for(fetch(0), step_callbacks=[lambda step: seen.append(bool(step.model_input_messages))])
    attach(agent, bank)
    agent.run(task())
    detach(agent)
    assert seen == [True, True]
    assert len(agent.step_callbacks._callbacks[ActionStep]) == 2


def test_the_calls_on_the_wire_alternate_and_each_is_followed_by_what_it_returned(bank: MemoryBank) -> None:
    agent, model = scripted.agent_for(fetch(*range(8)))
    attach(agent, bank)
    agent.run(task())
    for messages in map(scripted.wire, model.seen):
        roles = [message["role"].value for message in messages]
        assert roles[0] == "system"
        assert all(one != two for one, two in pairwise(roles))
        assert roles[-1] == "user"
        texts = [message["content"][-1]["text"] for message in messages]
        asked = [at for at, text in enumerate(texts) if text.startswith("Calling tools:")]
        assert all(texts[at + 1].startswith("Observation:\n") for at in asked)


def late(number: int) -> str:
    """Fail after the others.

    Args:
        number: Anything.
    """
    time.sleep(0.5)
    raise RuntimeError(f"the mast of station {number} is down")


def test_what_returned_before_a_parallel_call_failed_is_not_lost(bank: MemoryBank) -> None:
    turn = [Call("late", {"number": 4}, "call-a"), Call("fetch", {"number": 0}, "call-b")]
    agent, model = scripted.agent_for(replace(scripted.scenario(turn), tools=(late, *keeper_tools())))
    attach(agent, bank)
    agent.run(task())
    entries = bank.snapshot().results
    found = [(entry.metadata["tool"], entry.metadata.get("is_error", False)) for entry in entries]
    assert found == [("fetch", False), ("late", True)]
    assert entries[0].text == page(0)
    assert fact(0) in scripted.text(model.seen[1][-1])


def test_a_run_that_begins_anew_shows_again_what_an_earlier_run_had_condensed(bank: MemoryBank) -> None:
    agent, model = scripted.agent_for(fetch(*range(9)), fetch(0))
    attach(agent, bank, sharing=True)
    agent.run(task())
    agent.run(task())
    assert page(0) in "".join(map(scripted.text, model.seen[-1]))
    assert len(bank.snapshot().results) == 9


@pytest.mark.parametrize("placement", ["tail", "user_prefix", "system"])
def test_the_block_can_stand_in_three_places(bank: MemoryBank, placement: str) -> None:
    agent, model = scripted.agent_for(fetch(0), max_steps=1, replies=[*scripted.said([fetch(0)], as_code=False)])
    model.replies[1] = "That was all."
    attach(agent, bank, placement=placement, inject="always")
    assert agent.run(task()) == "That was all."
    for messages in model.seen:  # an action, and the answer that is forced at the last step
        wired = scripted.wire(messages)
        roles = [m["role"].value for m in wired for part in m["content"] if has_block(part["text"])]
        assert roles == ["system" if placement == "system" else "user"]
        assert task() in json.dumps([part for message in wired for part in message["content"]])


@pytest.mark.parametrize("streamed", [False, True])
def test_a_streaming_run_is_bounded_like_any_other(bank: MemoryBank, streamed: bool) -> None:
    agent, model = scripted.agent_for(fetch(0, 1), stream_outputs=streamed)
    attach(agent, bank, inject="always")
    *_, last = agent.run(task(), stream=True)
    assert isinstance(last, FinalAnswerStep)
    assert last.output == "All log books are read."
    assert [has_block(scripted.text(messages[-1])) for messages in model.seen] == [True] * 3
    assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]


@pytest.mark.parametrize("inject", ["missing", "always"])
def test_every_plan_is_made_with_the_block(bank: MemoryBank, inject: Any) -> None:
    bank.read(page(7), source="log")
    plain = scripted.said([fetch(0, 1)], as_code=False)
    agent, model = scripted.agent_for(
        fetch(0), planning_interval=2, replies=["Look.", *plain[:2], "Look on.", plain[2]]
    )
    attach(agent, bank, inject=inject)
    agent.run(task())
    texts = ["\n".join(map(scripted.text, messages)) for messages in model.seen]
    counts = [text.count("</memory>") for text in texts]
    assert counts == [1] * 5 if inject == "always" else counts[0] and counts[3], "each plan has what memory knows"
    assert fact(7) in texts[0]
    assert fact(1) in texts[3]
    plans = [step for step in agent.memory.steps if isinstance(step, PlanningStep)]
    assert [plan.model_input_messages for plan in plans] == [[], []]
    assert len(bank.snapshot().injections) == 5 or inject == "missing"


def test_a_step_memory_cannot_read_does_not_end_the_run(bank: MemoryBank) -> None:
    agent, model = scripted.agent_for(fetch(0, 1))
    agent.step_callbacks.register(ActionStep, lambda step: setattr(step, "observations", ["no", "text"]))
    attach(agent, bank)
    assert agent.run(task()) == "All log books are read."
    assert len(model.seen) == 3


INSIDE = ["write_memory_to_messages", "_generate_planning_step", "process_tool_calls"]


@pytest.mark.parametrize("name", INSIDE)
def test_a_smolagents_that_works_otherwise_inside_is_refused_with_a_way_out(bank: MemoryBank, name: str) -> None:
    agent, _ = scripted.agent_for(fetch(0))
    setattr(agent, name, None)
    before = shape(agent)
    with pytest.raises(AmbError, match=f"{name}.*docs/smolagents.md"):
        attach(agent, bank)
    assert shape(agent) == before


def test_smolagents_still_works_inside_the_way_it_is_attached_to() -> None:
    agent, _ = scripted.agent_for(fetch(0), kind=CodeAgent)
    assert all(callable(getattr(ToolCallingAgent, name)) for name in INSIDE)
    assert callable(agent.python_executor.send_tools)
    assert isinstance(agent.step_callbacks._callbacks, dict)
    agent.step_callbacks.register(MemoryStep, print)
    assert print in agent.step_callbacks._callbacks[MemoryStep]
