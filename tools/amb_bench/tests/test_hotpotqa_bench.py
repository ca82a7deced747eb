"""`amb bench hotpotqa`: the arms side by side, the gains with intervals, and one object of figures as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.hotpotqa import LocalActor, run_experiment
from amb_bench.hotpotqa.experiment import reworded, second_pass
from amb_bench.hotpotqa_bench import tables

from amb_cli import main
from amb_core.errors import InvalidParameter
from amb_tools.hotpotqa import bundled_questions

pytestmark = pytest.mark.nightly

QUESTIONS, PASSAGES = bundled_questions()


def test_with_team_memory_more_supporting_facts_are_read_and_no_search_is_repeated() -> None:
    told = run_experiment(QUESTIONS, PASSAGES, LocalActor(), arms=("none", "all"), seeds=(0,), count=len(QUESTIONS))
    without, remembering = told.episodes["none"], told.episodes["all"]
    assert [each.question for each in without] == [each.question for each in remembering]
    assert sum(each.em for each in remembering) > sum(each.em for each in without)
    assert sum(each.support for each in remembering) > sum(each.support for each in without)
    assert sum(each.repeated for each in remembering) == 0 < sum(each.repeated for each in without)


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
