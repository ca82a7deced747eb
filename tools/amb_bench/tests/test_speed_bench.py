"""The speed bench measures every part beside its floor; how long things take is not a matter for tests."""

from __future__ import annotations

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.speed_bank import bank_figures, journal_figures, opening_figures
from amb_bench.speed_bench import tables
from amb_bench.speed_child import measured
from amb_bench.speed_peers import PEERS, peer_figures
from amb_bench.speed_stages import prepare_figures, stage_figures

from amb_core.errors import AmbError, InvalidParameter

pytestmark = pytest.mark.nightly  # test_benches.py runs it once by day


def test_every_operation_is_timed_beside_the_floor() -> None:
    [table] = tables(BenchOptions(only=("index", "60"), quick=True))
    rows = {str(row[0]): row[1:] for row in table.rows}
    assert {"floor: add", "floor: search", "add", "replace", "remove", "conflict candidates"} <= rows.keys()
    assert rows["add"][1] == pytest.approx(float(rows["add"][0]) / float(rows["floor: add"][0]))


def test_an_unknown_part_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidParameter, match="peers"):
        list(tables(BenchOptions(only=("everything",))))


def test_a_measurement_that_fails_says_why() -> None:
    with pytest.raises(AmbError, match="nobody"):
        measured("speed_peers:peer_figures", name="nobody", size=1, rounds=1)


def test_banks_are_written_to_over_both_stores() -> None:
    assert all(value > 0 for value in bank_figures(size=20, rounds=2).values())
    assert all(value >= 0 for value in journal_figures(rounds=2).values())


def test_banks_are_opened_over_both_stores() -> None:
    assert all(value > 0 for value in opening_figures(size=1_100).values())


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_is_measured_or_said_to_be_missing(name: str) -> None:
    found = peer_figures(name=name, size=12, rounds=2)
    assert found["note"]
    assert found["add"] == "–" or float(found["search"]) >= 0


def test_an_absorb_is_measured_by_stage_in_every_language() -> None:
    figures = stage_figures(rounds=6)
    assert figures.keys() == {"English", "Chinese", "JSON"}
    assert all(found["ms"] > 0 and found["floor"] > 0 for found in figures.values())


def test_preparing_is_measured_with_and_without_a_new_result() -> None:
    assert all(value > 0 for value in prepare_figures(rounds=2).values())
