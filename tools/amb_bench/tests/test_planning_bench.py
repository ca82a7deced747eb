"""The planning bench: any wording of the right step counts, and the local agent is held against simple planners."""

from __future__ import annotations

import pytest
from amb_bench.planning_bench import is_right, planning_tables, step_of
from amb_bench.planning_situations import SITUATIONS

from amb_core.models import PendingTask, TaskType

BY_NAME = {situation.name: situation for situation in SITUATIONS}


def test_the_local_agent_is_right_everywhere_and_simple_planners_are_not() -> None:
    (table,) = planning_tables()
    agent, priority, answer = (row[-1] for row in table.rows)
    assert agent == 1.0
    assert isinstance(priority, float)
    assert isinstance(answer, float)
    assert agent > priority > answer


@pytest.mark.parametrize("words", ["Look up how tall the tower is.", "Search for the height of the Eiffel Tower."])
def test_a_search_may_be_worded_freely(words: str) -> None:
    step = PendingTask(type=TaskType.NORMAL, description=words)
    assert is_right(step, BY_NAME["nothing is known"], language="en")


def test_a_search_for_something_else_is_wrong() -> None:
    step = PendingTask(type=TaskType.NORMAL, description="Find out when the bridge was opened.")
    assert not is_right(step, BY_NAME["nothing is known"], language="en")
    assert not is_right(step, BY_NAME["the first part is known"], language="en")


def test_the_other_conflict_or_no_step_is_wrong() -> None:
    situation = BY_NAME["of two conflicts the first is verified"]
    assert is_right(step_of("validate c1", language="zh"), situation, language="zh")
    assert not is_right(step_of("validate c2", language="zh"), situation, language="zh")
    assert not is_right(None, situation, language="zh")


def test_where_nothing_is_left_to_do_any_step_is_wrong() -> None:
    situation = BY_NAME["everything is done"]
    assert is_right(None, situation, language="en")
    assert not is_right(step_of("one answer", language="en"), situation, language="en")
