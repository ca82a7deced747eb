"""`amb bench curator`: its cases are what they say, and the local curator is better than simpler ways of reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.curator_baselines import BASELINES
from amb_bench.curator_bench import tables
from amb_bench.curator_cases import chinese_cases

from amb_core.errors import UnreadableSource
from amb_team.curator import CuratorRequest


def test_the_chinese_questions_have_both_hops_in_both_halves() -> None:
    cases = chinese_cases()
    assert len({case.request.task for case in cases}) >= 40
    assert {case.half for case in cases} == {"development", "held out"}
    assert all(case.stated for case in cases if case.kind == "bridge")
    assert all(case.request.known for case in cases if case.hop == "final")


def test_the_local_curator_reads_more_off_chinese_hops_than_any_baseline() -> None:
    bridges, answers, _ = tables(BenchOptions(only=("chinese",)))
    for table in (bridges, answers):
        figures = {row[0]: row[1:] for row in table.rows}
        ours = figures.pop("local curator")
        assert all(float(a) >= float(b) for others in figures.values() for a, b in zip(ours, others, strict=True))


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_says_nothing_about_an_empty_observation(name: str) -> None:
    request = CuratorRequest(task="Who directed it?", action="Search[it]", observation="")
    assert BASELINES[name]().curate(request).answer is None


def test_without_the_data_the_english_part_says_where_it_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=tmp_path.name):
        next(iter(tables(BenchOptions(data=tmp_path, only=("english",)))))
