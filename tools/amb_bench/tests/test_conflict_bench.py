"""The conflict bench: pairs made from passages, scores, and the goal on real data where it is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.conflict_bench import judge, tables
from amb_bench.datasets import Passage, Sample, load_hotpotqa
from amb_bench.value_changes import Pair, changed_value_pairs

from amb_agents import contradictions
from amb_core.errors import InvalidParameter, UnreadableSource

BRIDGE = (
    "Riverton Bridge\n"
    "Riverton Bridge was opened in 1932 by Ada Harlow. It carries 3,000 cars a day. It is painted grey."
)
PIER = "Lyness Pier\nLyness Pier is a wooden pier. It was repaired by John Roe in the spring. It has 40 lamps."


def flags(a: str, b: str) -> bool:
    return bool(contradictions(a, b))


def pairs(*texts: str, whole: bool = False) -> list[Pair]:
    sample = Sample("s", tuple(Passage(str(n), text, "s") for n, text in enumerate(texts)), ())
    return list(changed_value_pairs(sample, chinese=False, whole=whole))


def test_one_value_of_a_sentence_is_changed_at_a_time() -> None:
    changed = {pair.kind: pair.b for pair in pairs(BRIDGE, PIER) if pair.conflict and pair.a.startswith("Riverton")}
    assert "by Ada Harlow" in changed["date"]
    assert "1932" not in changed["date"]
    assert "3,000" not in changed["number"]


def test_look_alikes_are_no_conflicts() -> None:
    kinds = {pair.kind for pair in pairs(BRIDGE, PIER) if not pair.conflict}
    assert {"other sentence", "other entity", "other time", "other attribute", "other notation"} <= kinds


def test_scores_count_by_kind() -> None:
    told = [Pair("a", "b", True, "x"), Pair("a", "c", True, "x"), Pair("b", "c", False, "y")]
    result = judge("t", told, lambda a, b: b == "c")
    assert (result.precision, result.recall, result.alarms_per_thousand) == (0.5, 0.5, 1000.0)
    assert [score.rate for score in result.scores] == [0.5, 1.0]


@pytest.mark.slow
def test_the_goal_is_met_on_a_part_of_real_passages() -> None:
    try:
        sample = load_hotpotqa()
    except UnreadableSource as error:
        pytest.skip(str(error))
    part = Sample("part", sample.passages[::8], ())
    result = judge("part", changed_value_pairs(part, chinese=False, whole=False), flags)
    assert result.precision >= 0.98
    assert result.recall >= 0.4


def test_the_bench_has_no_parts_and_names_the_data_it_needs(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="no parts"):
        list(tables(BenchOptions(only=("memory",))))
    with pytest.raises(UnreadableSource, match="hotpotqa"):
        list(tables(BenchOptions(data=tmp_path, quick=True)))
