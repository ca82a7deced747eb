"""The bench of long books has a limit beside each question, and its tasks at once find what would be lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.benches import BENCHES, BenchOptions
from amb_bench.narrative.big_book import BigBook
from amb_bench.narrative.desk_load import desk_load, lost

from amb_book import Story


def test_a_manuscript_is_made_as_long_as_it_is_asked_for() -> None:
    text = BigBook(40, 1_000, 0).manuscript(50_000)
    assert 49_990 < len(text.encode()) <= 50_000
    assert text.count("Chapter ") >= 3


@pytest.mark.nightly
def test_tasks_at_once_in_threads_are_all_in_the_book() -> None:
    assert desk_load(6).faults == ()


@pytest.mark.nightly
@pytest.mark.slow
def test_tasks_at_once_in_processes_are_all_in_the_book() -> None:
    assert desk_load(6, processes=2).faults == ()


def test_a_task_that_settled_nothing_is_found_missing(tmp_path: Path) -> None:
    with Story(tmp_path / "book") as story:
        story.desk().send("/new guest 0")
        assert lost(story, 1) == [
            "Guest0 Ardmore is 0 times in the book, with {}",
            "0 settlements of 1 tasks",
            "0 of 1 tasks are closed",
        ]


@pytest.mark.slow
@pytest.mark.nightly
def test_every_question_has_its_limit_beside_it() -> None:
    asked, desk, taken = BENCHES["narrative"].tables(BenchOptions(only=("scale",), quick=True))
    assert [row[0] for row in asked.rows][1:2] == ["position"]
    assert {row[2] for row in asked.rows[1:5]} == {50}
    assert [row[-1] for row in desk.rows] == ["nothing"] * 3
    assert len(taken.rows) == 3
