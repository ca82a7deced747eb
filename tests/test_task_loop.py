"""`run_task`, with a real bank and local agents."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from amb_core import InvalidParameter, ManualClock, MemoryBank, StepResult, TaskStatus, ToolResult, run_task
from amb_core.rendering import has_block
from amb_loops.task_loop import EnhancedPrompt

FACT = "The reactor of Birkdale was shut down in 1987. The town has a mill."


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank("When was the reactor of Birkdale shut down?", clock=ManualClock(1e9, step=1)) as opened:
        yield opened


class Reader:
    """Reads once, then answers."""

    def __init__(self) -> None:
        self.prompts: list[EnhancedPrompt] = []

    def __call__(self, prompt: EnhancedPrompt) -> StepResult:
        self.prompts.append(prompt)
        if len(self.prompts) == 1:
            return StepResult(tool_results=(ToolResult(tool="visit", output=FACT, call_id="c1"),))
        return StepResult(text="It was shut down in 1987.", answer="1987")


def test_a_task_runs_to_its_answer(bank: MemoryBank) -> None:
    reader = Reader()
    run = run_task(bank, reader, max_rounds=10)
    assert (run.ended, run.answer, run.failures) == ("finished", "1987", 0)
    assert run.rounds == len(reader.prompts) == len(run.insight.completed_tasks)
    assert bank.host.finished


def test_an_answer_that_never_comes_is_given_up_and_called_so(bank: MemoryBank) -> None:
    def reads_but_cannot_answer(prompt: EnhancedPrompt) -> StepResult:
        if prompt.pending is not None and prompt.pending.answers_goal:
            return StepResult(text="no idea", failed=True)
        return StepResult(tool_results=(ToolResult(tool="visit", output=FACT, call_id="c1"),))

    run = run_task(bank, reads_but_cannot_answer, max_rounds=20)
    assert (run.ended, run.answer) == ("gave_up", None)
    assert bank.host.finished


def test_an_answer_to_one_of_three_questions_does_not_end_the_goal() -> None:
    with MemoryBank("How high is the Greyfield dam? Who built it? When was it opened?") as bank:
        run = run_task(bank, lambda prompt: "86 metres", max_rounds=20)
        assert (run.ended, run.answer) == ("gave_up", "86 metres")
        assert "Who built it? When was it opened?" in run.reason

        whole = "86 metres; Harlan Moss built it; it was opened in 1932."
        bank.host.change_goal("How wide is the Greyfield dam? Who built it? When was it opened?")
        assert run_task(bank, lambda prompt: whole, max_rounds=20).ended == "finished"


def test_what_a_step_brought_is_in_the_next_prompt(bank: MemoryBank) -> None:
    reader = Reader()
    run_task(bank, reader, max_rounds=10)
    assert "1987" not in reader.prompts[0]
    assert "The reactor of Birkdale was shut down in 1987." in reader.prompts[1]


def test_a_prompt_is_text_with_the_pending_step_and_messages(bank: MemoryBank) -> None:
    reader = Reader()
    run_task(bank, reader, max_rounds=10)
    prompt = reader.prompts[0]
    assert has_block(prompt)
    assert type(prompt.text) is str
    assert prompt.pending is not None
    assert prompt.messages == ({"role": "user", "content": prompt.text},)


@pytest.mark.parametrize("output", [
    "Birkdale has a mill.",
    ToolResult(tool="visit", output=FACT),
    [ToolResult(tool="visit", output=FACT), ToolResult(tool="visit", output="Calder has a mill.")],
    StepResult(text="done"),
])  # fmt: skip
def test_a_step_may_return_text_results_or_a_step_result(bank: MemoryBank, output: Any) -> None:
    run = run_task(bank, lambda prompt: output, max_rounds=1)
    assert run.rounds == 1
    assert run.insight.completed_tasks[0].status is TaskStatus.SUCCESS


def test_an_exception_is_a_failed_step_and_the_task_goes_on(bank: MemoryBank) -> None:
    reader = Reader()

    def step(prompt: EnhancedPrompt) -> StepResult:
        if not bank.insight.completed_tasks:
            raise TimeoutError("the page took too long")
        return reader(prompt)

    run = run_task(bank, step, max_rounds=10)
    assert run.failures == 1
    assert run.insight.completed_tasks[0].status is TaskStatus.FAILURE
    assert run.answer == "1987"


def test_a_keyboard_interrupt_ends_the_loop(bank: MemoryBank) -> None:
    def step(prompt: EnhancedPrompt) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_task(bank, step)


def test_a_coroutine_function_is_told_what_to_do(bank: MemoryBank) -> None:
    async def step(prompt: EnhancedPrompt) -> str:
        return "done"

    class Step:
        async def __call__(self, prompt: EnhancedPrompt) -> str:
            return "done"

    for kind in (step, Step(), lambda prompt: step(prompt)):
        with pytest.raises(InvalidParameter, match=r"asyncio\.run"):
            run_task(bank, kind, max_rounds=1)  # type: ignore[arg-type]
    assert run_task(bank, lambda prompt: asyncio.run(step(prompt)), max_rounds=1).rounds == 1


def test_a_run_that_gives_up_says_why(bank):
    def broken(prompt):
        raise RuntimeError("the budget of 10 calls is spent")

    run = run_task(bank, broken)

    assert run.answer is None
    assert run.reason.startswith("The step that was to answer was given up.")
    assert "the budget of 10 calls is spent" in run.reason


def test_a_run_that_reaches_its_limit_names_the_limit_and_the_step(bank):
    run = run_task(bank, lambda prompt: StepResult(text="Still looking.", failed=True), max_rounds=1)

    assert "limit of 1 rounds" in run.reason
    assert run.insight.pending.description in run.reason
