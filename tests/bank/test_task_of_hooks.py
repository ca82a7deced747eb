"""What `<task>` says where nobody runs the steps."""

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult, run_task

SWE = "Fix the issue below.\n\n<issue>\nThe parser drops the last line.\n</issue>\n\nRun the tests of the folder."


def task_of(bank):
    return ContextAdapter(bank).block().text.split("<memory>")[0]


def test_under_hooks_the_goal_stands_there_as_asked_and_no_step_is_called_a_success(result):
    with MemoryBank(SWE) as bank:
        for number in range(3):
            bank.absorb(ToolResult(tool="bash", arguments={"command": f"cat {number}.py"}, output=f"x = {number}"))
        task = task_of(bank)

    assert "Goal: Fix the issue below." in task
    assert "Results read so far: 3; newest first: bash “cat 2.py”, bash “cat 1.py”, bash “cat 0.py”" in task
    assert not any(word in task for word in ("success", "Find out", "noted", "Next step"))


@pytest.mark.parametrize(
    ("goal", "step"),
    [("How tall is the mast?", "Find out: How tall is the mast?"), ("桅杆有多高？", "查明：桅杆有多高？")],
)
def test_an_outer_loop_is_shown_its_step(goal, step):
    seen = []
    with MemoryBank(goal) as bank:
        run_task(bank, lambda prompt: seen.append(prompt.text) or "?", max_rounds=1)
    assert f"[NORMAL] {step}" in seen[0]
