"""What the record of a step says was learnt."""

from __future__ import annotations

import pytest

from amb_core import ManualClock, MemoryBank, StepResult, ToolResult

QUESTIONS = [
    ("How tall is the tower?", "# The tower\n\nThe tower is 80 m tall. Gulls nest on it.", "The tower is 80 m tall."),
    ("塔有多高？", "# 塔\n\n塔高80米。海鸥在上面筑巢。", "塔高80米。"),
]


@pytest.mark.parametrize(("goal", "text", "learnt"), QUESTIONS)
def test_a_closed_step_notes_only_the_sentence_that_has_the_words_asked(goal: str, text: str, learnt: str) -> None:
    with MemoryBank(goal, clock=ManualClock()) as bank:
        insight = bank.host.finish_step(StepResult(tool_results=(ToolResult(tool="read", output=text),)))
    assert [task.context for task in insight.completed_tasks] == [learnt]


@pytest.mark.parametrize(("goal", "text", "learnt"), QUESTIONS)
def test_a_step_that_nobody_closed_is_no_success(goal: str, text: str, learnt: str) -> None:
    with MemoryBank(goal, clock=ManualClock()) as bank:
        bank.absorb(ToolResult(tool="read", output=text))
        assert bank.plan().completed_tasks == ()


def test_a_sentence_that_does_not_answer_is_not_noted() -> None:
    with MemoryBank("How tall is the tower?") as bank:
        said = ToolResult(tool="read", output="Gulls nest on the tower in spring.")
        [done] = bank.host.finish_step(StepResult(tool_results=(said,))).completed_tasks
    assert done.context == ""
