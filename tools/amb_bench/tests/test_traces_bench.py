"""`amb bench traces`: sets by name, tables of every arm, evidence for the questions of experts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.traces_bench import tables
from amb_bench.traces_peers import PEERS, peers_here
from amb_bench.traces_sets import load_sets, sampled

from amb_core import Settings
from amb_core.errors import InvalidParameter, UnreadableSource
from amb_replay import Trace, replay_trace

SETS = ("tau_small", "swe_small")
QUESTION = {"question": "Which code did step 2 show?", "answer": "Step 2 showed K-4002.", "type": "A"}


def messages(doors: int) -> list[dict[str, Any]]:
    """An agent that opens doors one after another and then says the code of the first."""
    told: list[dict[str, Any]] = [{"role": "user", "content": "Find the code of the first door."}]
    for number in range(doors):
        called = {"id": f"c{number}", "function": {"name": "open", "arguments": json.dumps({"door": number})}}
        text = f"door_{number} has the code K-{4_000 + number}.\n" + f"Behind door {number} is a grey wall.\n" * 60
        told += [{"role": "assistant", "content": None, "tool_calls": [called]}]
        told += [{"role": "tool", "tool_call_id": f"c{number}", "content": text}]
    return [*told, {"role": "assistant", "content": "door_0 opens with K-4000"}]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with two sets of two runs each, one of them with questions, and a set of further trials."""
    (tmp_path / "traces").mkdir()
    for name in (*SETS, "tau_small_trials"):
        rows = [{"id": f"{name}-{n}", "messages": messages(n), "questions": [QUESTION]} for n in (12, 20)]
        file = tmp_path / "traces" / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def test_small_results_are_measured_at_half_the_budget_and_further_trials_are_left_out(data: Path) -> None:
    found = {one.name: (one.budget, one.block) for one in load_sets(data)}
    assert found == {"tau_small": (4_000, 800), "swe_small": (8_000, 1_200)}
    assert [one.name for one in load_sets(data, names=["trials"])] == ["tau_small_trials"]


def test_a_sample_is_spread_evenly_and_holds_no_larger_trace(data: Path) -> None:
    tau = next(load_sets(data, names=["tau_small"]))
    assert [one.trace.id for one in sampled(tau.traces, most=1, largest=10**6)] == ["tau_small-12"]
    assert sampled(tau.traces, most=5, largest=10) == []


@pytest.mark.slow
def test_every_arm_has_a_row_in_each_setting_and_the_oracle_finds_what_is_needed(data: Path) -> None:
    found = list(tables(BenchOptions(data=data, only=("tight", "tau_small"))))
    recall, cost = found[0], found[-1]
    rows = {str(row[0]): row for row in recall.rows}
    assert {"full", "window", "window+bm25", "masked", "lazy", "amb", "oracle"} <= rows.keys()
    assert recall.name == "traces tight far"
    assert str(rows["oracle"][1]).startswith("100.0")
    assert {str(row[0]): row[1] for row in cost.rows}["full"] == "1.00"


@pytest.mark.slow
@pytest.mark.nightly
def test_several_processes_find_what_one_finds_and_what_was_kept_is_not_made_again(data: Path, tmp_path: Path) -> None:
    alone = BenchOptions(data=data, only=("default", "questions", "tau_small"))
    several = replace(alone, workers=2, keep=tmp_path / "kept")
    first, second, third = (list(tables(options)) for options in (alone, several, several))
    assert first == second == third
    assert len(list((tmp_path / "kept").glob("*.pickle"))) == 2


@pytest.mark.slow
def test_the_curve_is_of_the_longest_run_whose_licence_lets_it_be_shown(data: Path, tmp_path: Path) -> None:
    curve, *plots = tables(BenchOptions(data=data, only=("curve",), out=tmp_path / "plots"))
    assert curve.title == "tau_small-20, 21 calls"
    over = {str(row[0]): row[2] for row in curve.rows}
    assert over["amb"] == "0" != over["full"]
    written = [Path(str(row[0])) for plot in plots for row in plot.rows]
    assert written[-1].name == "curve-run.html"
    assert "<title>" in written[-1].read_text(encoding="utf-8")
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written[:-1])
    assert not list(tables(BenchOptions(data=data, only=("curve", "swe_small"))))


@pytest.mark.slow
def test_questions_are_answered_by_the_turns_they_name(data: Path) -> None:
    [table] = tables(BenchOptions(data=data, only=("questions", "swe_small")))
    rows = {str(row[0]): row[1:] for row in table.rows}
    assert set(rows["oracle"]) == set(rows["named turns, then BM25"]) == {100.0}
    assert rows["newest passages"][0] == 0.0


def only_the_newest(messages: Any, bound: int, count: Any) -> Any:
    """An arm of one's own."""
    return messages[-1:]


class Remembering:
    """An arm of one's own that is an object for each run, and counts otherwise."""

    def __init__(self, *, count: Any) -> None:
        self.count, self.seen = count, 0

    def prepare(self, messages: Any, bound: int) -> Any:
        assert len(messages) > self.seen - 1
        self.seen = len(messages)
        fitting = [at for at in range(len(messages)) if sum(len(str(one)) for one in messages[at:]) <= 5 * bound]
        return SimpleNamespace(messages=[*messages[:1], *messages[fitting[0] if fitting else -1 :]])


def test_arms_stand_at_the_same_bound_or_tokens_and_ones_own_among_them(data: Path) -> None:
    own = [f"{__name__}:only_the_newest", f"{__name__}:Remembering"]
    asked = BenchOptions(data=data, only=("tau_small",), same="bound", arms=("window", "append-only", *own), half="odd")
    [table] = tables(asked)
    rows = {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert list(rows) == ["full", "window", "append-only", *own]
    assert "1 runs, 21 calls, bound 4,000" in table.title
    assert {name: row["over"] == "0" for name, row in rows.items()} == {name: name != "full" for name in rows}
    assert (rows["full"]["steady"], rows["full"]["bill"], rows["full"]["far"]) == ("100.0", "1.00", "100.0")
    assert float(str(rows["append-only"]["steady"])) > float(str(rows["window"]["steady"]))
    assert (rows[own[0]]["far"], rows[own[0]]["steady"]) == ("0.0", "0.0")
    assert 50 < float(str(rows["window"]["used"])) <= 100


@pytest.mark.slow
def test_both_comparisons_give_a_table_for_each_set_and_one_for_all(data: Path) -> None:
    found = list(tables(BenchOptions(data=data, same="both", arms=("window",), quick=True, only=(*SETS,))))
    assert [table.name for table in found] == [
        f"traces tight same {same} {name}" for same in ("bound", "tokens") for name in (*reversed(SETS), "all sets")
    ]
    assert [str(row[0]) for row in found[-1].rows] == ["full", "window", "amb"]


def test_an_arm_or_a_counter_that_is_not_there_is_named(data: Path) -> None:
    for options, says in (
        (BenchOptions(data=data, arms=("windo",)), "append-only"),
        (BenchOptions(data=data, arms=("no_module_here:x",)), "cannot be loaded"),
        (BenchOptions(data=data, same="bound", count="json:no_such"), "cannot be loaded"),
    ):
        with pytest.raises(InvalidParameter, match=says):
            list(tables(options))


def test_without_data_or_with_a_broken_line_it_is_said_where(data: Path, tmp_path: Path) -> None:
    (data / "traces" / "broken.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"line 1 of .*broken"):
        list(load_sets(data, names=["broken"]))
    with pytest.raises(UnreadableSource, match="AMB_DATA"):
        list(load_sets(tmp_path / "traces"))
    with pytest.raises(InvalidParameter, match="parts are"):
        list(tables(BenchOptions(data=data, only=("nothing-like-it",))))


@pytest.mark.slow
@pytest.mark.parametrize(("peer", "module"), list(PEERS.items()))
def test_a_peer_prepares_every_request_where_its_library_is_installed(peer: str, module: str) -> None:
    pytest.importorskip(module)
    peers = peers_here("none")
    settings = Settings(prompt_budget_tokens=4_000, block_tokens=800)
    run = replay_trace(Trace("t", tuple(messages(12))), settings=settings, arms=("full", "amb", peer), others=peers)
    assert len(run.arms[peer].costs) == len(run.calls)
    assert run.arms[peer].costs[-1].tokens < run.arms["full"].costs[-1].tokens
