"""The error figures of segmentation, on cases worked out by hand."""

from __future__ import annotations

import pytest
from amb_bench.datasets import data_folder
from amb_bench.segmentation_bench import concatenations, pk, scores_of, segmentation_table, window_diff

from amb_core.errors import UnreadableSource

PASSAGES = [f"Passage {number} says something.\nAnd more of it." for number in range(20)]


def test_the_right_cuts_have_no_error() -> None:
    assert pk([10, 20], [10, 20], length=30) == 0.0
    assert window_diff([10, 20], [10, 20], length=30) == 0.0


def test_a_missed_cut_costs_the_windows_that_cross_it() -> None:
    assert pk([50], [], length=100) == pytest.approx(25 / 76)
    assert window_diff([50], [], length=100) == pytest.approx(25 / 76)


def test_two_cuts_for_one_cost_only_window_diff() -> None:
    assert pk([50], [50, 51], length=100) < window_diff([50], [50, 51], length=100)


def test_boundaries_are_where_the_passages_begin() -> None:
    for sample in concatenations(PASSAGES, count=5, joiner=" "):
        assert 4 <= len(sample.boundaries) <= 11
        assert all(sample.text[at:].startswith("Passage") for at in sample.boundaries)


def test_equal_seeds_give_equal_texts() -> None:
    first = list(concatenations(PASSAGES, count=3, joiner="", seed=4))
    assert first == list(concatenations(PASSAGES, count=3, joiner="", seed=4))
    assert first != list(concatenations(PASSAGES, count=3, joiner="", seed=5))


def test_scores_count_the_cuts_that_are_too_many() -> None:
    texts = list(concatenations(PASSAGES, count=3, joiner=" "))
    assert scores_of("none", lambda text: [], texts).surplus < -3


@pytest.mark.slow
def test_the_local_agent_beats_both_baselines_on_real_passages() -> None:
    try:
        data_folder()
    except UnreadableSource as missing:
        pytest.skip(str(missing))
    for name, (agent, fixed, one) in segmentation_table(count=15).items():
        assert agent.window_diff < 0.5 * min(fixed.window_diff, one.window_diff), name
