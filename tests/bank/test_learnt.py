"""What the record of a step says was learnt."""

from __future__ import annotations

import pytest

from amb_core import ManualClock, MemoryBank, ToolResult


@pytest.mark.parametrize(("goal", "summary", "learnt"), [
    ("How tall is the tower?", "# The tower\n\nThe tower is 80 m tall.", "The tower is 80 m tall."),
    ("塔有多高？", "# 塔\n\n塔高80米。", "塔高80米。"),
])  # fmt: skip
def test_what_a_step_learnt_is_told_without_headings(goal: str, summary: str, learnt: str) -> None:
    with MemoryBank(goal, clock=ManualClock()) as bank:
        bank.absorb(ToolResult(tool="read", output=summary))
        [done] = bank.plan().completed_tasks
    assert done.context == learnt
