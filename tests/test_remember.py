"""`@remember(bank)` over every kind of step function, with a real bank and local agents."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from amb_core import InvalidParameter, ManualClock, MemoryBank, Settings, ToolResult, remember
from amb_core.adapter import TokenCounter
from amb_core.rendering import has_block
from amb_embedders import HashingEmbedder

Messages = list[dict[str, Any]]
QUESTION: dict[str, Any] = {"role": "user", "content": "Which town has a reactor?"}


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    settings = Settings(block_tokens=400, prompt_budget_tokens=3_000, max_raw_tokens=300)
    with MemoryBank("Which town has a reactor?", settings=settings, clock=ManualClock(1e9, step=1)) as opened:
        yield opened


def _turn(number: int) -> Messages:
    call = {"id": f"c{number}", "type": "function", "function": {"name": "visit", "arguments": f'{{"page": {number}}}'}}
    text = " ".join(f"Town {number} has {n * 11 + number} houses in ward {n}." for n in range(30))
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": text},
    ]


class Seen:
    """What a step function was given, call by call."""

    def __init__(self) -> None:
        self.prompts: list[Messages] = []

    def note(self, messages: Messages) -> str:
        self.prompts.append(messages)
        return f"answer {len(self.prompts)}"


def _plain(bank: MemoryBank, seen: Seen) -> Callable[[Messages], str]:
    @remember(bank)
    def step(messages: Messages) -> str:
        return seen.note(messages)

    return step


def _coroutine(bank: MemoryBank, seen: Seen) -> Callable[[Messages], str]:
    @remember(bank)
    async def step(messages: Messages) -> str:
        await asyncio.sleep(0)
        return seen.note(messages)

    assert inspect.iscoroutinefunction(step)
    return lambda messages: asyncio.run(step(messages))


def _generator(bank: MemoryBank, seen: Seen) -> Callable[[Messages], str]:
    @remember(bank)
    def step(messages: Messages) -> Generator[str, None, None]:
        yield seen.note(messages)

    return lambda messages: "".join(step(messages))


def _async_generator(bank: MemoryBank, seen: Seen) -> Callable[[Messages], str]:
    @remember(bank)
    async def step(messages: Messages) -> AsyncGenerator[str, None]:
        yield seen.note(messages)

    async def collect(messages: Messages) -> str:
        return "".join([part async for part in step(messages)])

    return lambda messages: asyncio.run(collect(messages))


def _handed_on(bank: MemoryBank, seen: Seen) -> Callable[[Messages], str]:
    async def work(messages: Messages) -> str:
        return seen.note(messages)

    step = remember(bank)(lambda messages: work(messages))

    async def wait(messages: Messages) -> str:
        return await step(messages)

    return lambda messages: asyncio.run(wait(messages))


KINDS = [_plain, _coroutine, _generator, _async_generator, _handed_on]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_step_gets_a_bounded_prompt_and_loses_nothing(bank: MemoryBank, kind: Any) -> None:
    seen, messages, count = Seen(), [QUESTION], TokenCounter()
    step = kind(bank, seen)
    for number in range(1, 11):
        assert step(messages) == f"answer {number}"
        messages += _turn(number)
    step(messages)
    assert bank.size.entries == 10
    assert all(has_block(prompt[-1]["content"]) for prompt in seen.prompts)
    assert max(sum(map(count.message, prompt)) for prompt in seen.prompts) <= bank.settings.prompt_budget_tokens
    assert len(messages) == 21


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_call_returned_is_memory_at_the_next_step(bank: MemoryBank, kind: Any) -> None:
    seen, messages = Seen(), [QUESTION, *_turn(1)]
    messages[-1]["content"] = "The reactor stands in Birkdale."
    kind(bank, seen)(messages)
    assert "The reactor stands in Birkdale." in seen.prompts[0][-1]["content"]


def test_what_the_step_appends_reaches_the_caller(bank: MemoryBank) -> None:
    @remember(bank)
    def step(messages: Messages) -> None:
        messages.extend(_turn(1))

    messages: Messages = [QUESTION]
    step(messages)
    assert messages == [QUESTION, *_turn(1)]
    assert bank.size.entries == 1


def test_returned_tool_results_and_messages_are_taken_in(bank: MemoryBank) -> None:
    @remember(bank)
    def step(messages: Messages, number: int) -> Any:
        return ToolResult(tool="visit", output="Calder has a mill.") if number else _turn(5)

    step([QUESTION], 1)
    step([QUESTION], number=0)
    assert bank.size.entries == 2


def test_methods_other_names_and_defaults_work(bank: MemoryBank) -> None:
    class Agent:
        @remember(bank, argument="history")
        def step(self, question: str, history: Messages = []) -> Messages:  # noqa: B006
            """Do it."""
            return history

    assert has_block(Agent().step("?", [QUESTION])[-1]["content"])
    assert has_block(Agent().step("?")[-1]["content"])
    assert Agent.step.__doc__ == "Do it."


@pytest.mark.parametrize("is_async", [False, True])
def test_an_observation_is_memory_and_reaches_the_step_behind_the_block(bank: MemoryBank, is_async: bool) -> None:
    seen: list[str] = []

    def step(observation: str) -> str:
        seen.append(observation)
        return "look further"

    async def astep(observation: str) -> str:
        return step(observation)

    told = remember(bank)(astep if is_async else step)  # its only parameter needs no name
    for observation in ("The town of Birkdale has a reactor.", "", "A mill stands in Ost. " * 900):
        answer = asyncio.run(told(observation)) if is_async else told(observation)
        assert answer == "look further"

    assert bank.size.entries == 2
    assert seen[0].startswith("<task>")
    assert seen[0].endswith("The town of Birkdale has a reactor.")
    assert seen[0].count("Birkdale") == 1
    assert "Birkdale has a reactor" in seen[1]
    assert "the whole is in memory as step 2" in seen[2]
    assert TokenCounter().text(seen[2]) <= bank.settings.prompt_budget_tokens


def test_a_state_with_messages_is_handed_on_with_the_bounded_list(bank: MemoryBank) -> None:
    @remember(bank, argument="state")
    def step(state: dict[str, Any]) -> dict[str, Any]:
        state["messages"].append({"role": "assistant", "content": "mine"})
        return {"messages": _turn(1)} if has_block(state["messages"][-2]["content"]) else {}

    state = {"messages": [QUESTION], "other": 1}
    assert step(state)["messages"] == _turn(1)
    assert state == {"messages": [QUESTION], "other": 1}
    assert bank.size.entries == 1


def test_a_step_without_the_argument_is_refused(bank: MemoryBank) -> None:
    with pytest.raises(InvalidParameter, match="no parameter 'messages'"):
        remember(bank)(lambda history, turn: history)


async def test_a_cancelled_step_loses_nothing_and_doubles_nothing(bank: MemoryBank) -> None:
    started = asyncio.Event()

    @remember(bank)
    async def step(messages: Messages, patience: float) -> int:
        started.set()
        await asyncio.sleep(patience)
        return len(messages)

    messages = [QUESTION, *_turn(1)]
    task = asyncio.create_task(step(messages, 60))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    messages += _turn(2)
    await step(messages, 0)
    assert bank.size.entries == 2


class Waiting(HashingEmbedder):
    """Embeds only once the event loop has come round: memory work on the loop itself would wait in vain."""

    def __init__(self, turning: threading.Event) -> None:
        super().__init__()
        self._turning = turning

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        assert self._turning.wait(timeout=30), "the event loop stood still"
        return super().embed(texts, role=role)


async def test_memory_work_does_not_hold_up_the_event_loop() -> None:
    turning = threading.Event()
    with MemoryBank("Which town has a reactor?", embedder=Waiting(turning)) as bank:

        @remember(bank)
        async def step(messages: Messages) -> int:
            return len(messages)

        working = asyncio.create_task(step([QUESTION, *_turn(1)]))
        asyncio.get_running_loop().call_later(0.05, turning.set)
        await working
        assert bank.size.entries == 1
