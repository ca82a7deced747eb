"""Members of a series differ in their number, and contradict one another in nothing."""

import pytest

from amb_core import ManualClock, MemoryBank, ToolResult

SERIES = [
    "crate {0} ok",
    "Row {0}: status {1} done",
    "user {0} logged in from 10.0.0.{0}",
    "test_{0} passed in {1} s",
    "Commit {0} fixes bug {1}",
    "[{0}] Result {0}: page {1} of the catalogue",
    "The temperature in hall {0} is {1} degrees.",
    "第{0}号仓库正常，有{1}箱。",
    "订单{0}已发货，共{1}件。",
]


@pytest.mark.parametrize("line", SERIES)
def test_the_members_of_a_series_contradict_one_another_in_nothing(line: str) -> None:
    with MemoryBank("Which one?", clock=ManualClock(1.0, step=1)) as bank:
        for number in range(1, 9):
            bank.absorb(ToolResult(tool="read", output=line.format(number, 3 * number + 7), source=f"s{number}"))

        assert bank.conflicts == ()
