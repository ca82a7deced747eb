"""`amb bench hotpotqa`: the arms side by side, the gains with intervals, and one object of figures as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.hotpotqa import Arm, Budgets, LocalActor, run_experiment
from amb_bench.hotpotqa.experiment import paired, reworded, second_pass
from amb_bench.hotpotqa.hotpot_figures import arm_tables
from amb_bench.hotpotqa_bench import tables

from amb_cli import main
from amb_core.errors import InvalidParameter
from amb_tools.hotpotqa import bundled_questions

pytestmark = pytest.mark.nightly

QUESTIONS, PASSAGES = bundled_questions()


def test_an_interval_holds_the_mean_and_says_when_it_excludes_zero() -> None:
    gain = paired([0.0] * 20, [1.0] * 15 + [0.0] * 5)
    assert gain.mean == 0.75
    assert 0 < gain.low < 0.75 < gain.high < 1
    assert gain.excludes_zero
    assert not paired([0.0, 1.0], [1.0, 0.0]).excludes_zero
    assert paired([], []).mean == 0.0


def test_with_team_memory_more_supporting_facts_are_read_and_no_search_is_repeated() -> None:
    told = run_experiment(QUESTIONS, PASSAGES, LocalActor(), arms=("none", "all"), seeds=(0,), count=len(QUESTIONS))
    without, remembering = told.episodes["none"], told.episodes["all"]
    assert [each.question for each in without] == [each.question for each in remembering]
    assert sum(each.em for each in remembering) > sum(each.em for each in without)
    assert sum(each.support for each in remembering) > sum(each.support for each in without)
    assert sum(each.repeated for each in remembering) == 0 < sum(each.repeated for each in without)


def test_a_question_that_several_seeds_drew_counts_once() -> None:
    seeds = (0, 1)
    arms: tuple[Arm, ...] = ("none", "all")
    one = run_experiment(QUESTIONS[:5], PASSAGES, LocalActor(), arms=arms, seeds=(0,), count=5)
    two = run_experiment(QUESTIONS[:5], PASSAGES, LocalActor(), arms=arms, seeds=seeds, count=5)
    widths = []
    for told in (one, two):
        gains = arm_tables(told, of="all", over="a few")[0].figures["against_none"]
        assert isinstance(gains, dict)
        _, low, high = gains["all"]["repeated"]
        widths.append(high - low)
    assert widths[1] >= 0.9 * widths[0]


def test_a_run_is_the_same_each_time() -> None:
    runs = [
        run_experiment(QUESTIONS, PASSAGES, LocalActor(), arms=("all",), seeds=(1,), count=4, budgets=Budgets(5, 300))
        for _ in range(2)
    ]
    assert runs[0].episodes == runs[1].episodes


def test_meta_memory_saves_searches_when_questions_come_again_in_other_words() -> None:
    without, remembering = second_pass(QUESTIONS, PASSAGES, LocalActor(), seeds=(0,), count=len(QUESTIONS))
    assert sum(each.searches for each in remembering) < sum(each.searches for each in without)
    assert all(reworded(question).text != question.text for question in QUESTIONS)


def test_the_command_writes_the_figures_at_the_top_level(tmp_path: Path, data_free: None) -> None:
    file = tmp_path / "told.json"
    given = ["--actor", "local", "--memory", "shared", "--questions", "3", "--seed", "1", "--json", str(file)]
    assert main(["bench", "hotpotqa", *given]) == 0
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["memory"] == "shared"
    assert {"em", "f1", "support", "hops", "repeated", "tokens"} <= told.keys()
    assert set(told["arms"]) == {"none", "shared"}
    assert len(told["against_none"]["shared"]["em"]) == 3


@pytest.mark.parametrize(
    "options", [BenchOptions(actor="robot"), BenchOptions(memory="some"), BenchOptions(only=("x",))]
)
def test_what_is_not_known_is_refused(options: BenchOptions) -> None:
    with pytest.raises(InvalidParameter):
        list(tables(options))


@pytest.fixture
def data_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMB_DATA", str(tmp_path))
