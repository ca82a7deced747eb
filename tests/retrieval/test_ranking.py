"""Picks find both halves of a question, follow leads, and keep their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.retrieval.ranking import Lead, fused_ranks, pick, scaled


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


GAINS = np.array([[0.6, 0.5, 0.0], [0.0, 0.0, 0.4]], dtype=np.float32)
"""Two notes about the first half of a question, one about the second."""


def test_a_note_about_the_other_half_comes_before_a_second_one_about_the_same() -> None:
    picks = pick(GAINS, floats(0, 0, 0), k=3, novelty=floats(0.6, 0.6, 0.6))
    assert [entry.index for entry in picks] == [0, 2, 1]


def test_without_novelty_the_order_is_that_of_the_sums() -> None:
    assert [entry.index for entry in pick(GAINS, floats(0, 0, 0.2), k=3)] == [0, 2, 1]
    assert [entry.index for entry in pick(GAINS, floats(0, 0, 0), k=3)] == [0, 1, 2]


def test_a_lead_of_a_good_pick_moves_up_and_says_from_where() -> None:
    picks = pick(GAINS, floats(0, 0, 0), k=3, leads=lambda index: [Lead(2, 1.0, "mentions it")] if index == 0 else [])
    assert [(entry.index, entry.via, entry.reason) for entry in picks[:2]] == [(0, None, ""), (2, 0, "mentions it")]


def test_equal_candidates_keep_their_order() -> None:
    assert [entry.index for entry in pick(np.zeros((0, 9), dtype=np.float32), np.ones(9, dtype=np.float32), k=9)] == [
        *range(9)
    ]


def test_no_candidates_give_no_picks() -> None:
    assert pick(np.zeros((2, 0), dtype=np.float32), floats(), k=5) == []


numbers = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=12)


@given(numbers, st.integers(1, 14))
def test_scores_start_at_one_never_rise_and_fewer_picks_are_a_prefix(values: list[float], k: int) -> None:
    rest = floats(*values)
    picks = pick(np.stack([rest, rest[::-1]]), rest, k=k, novelty=np.full(len(rest), 0.6, dtype=np.float32))
    scores = [entry.score for entry in picks]
    assert len(picks) == min(k, len(values))
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == (1.0 if rest.max() > 0 else 0.0)
    assert all(0.0 <= score <= 1.0 for score in scores)
    fewer = pick(np.stack([rest, rest[::-1]]), rest, k=1, novelty=np.full(len(rest), 0.6, dtype=np.float32))
    assert fewer == picks[:1]


@pytest.mark.parametrize(
    ("values", "low", "expected"),
    [
        ([0.0, 2.0, 4.0], 0.0, [0.0, 0.5, 1.0]),
        ([0.8, 0.9], 0.8, [0.0, 1.0]),
        ([0.5], 0.5, [1.0]),
        ([0.0, 0.0], 0.0, [0.0, 0.0]),
        ([-1.0, -0.5], -1.0, [0.0, 0.0]),
        ([], 0.0, []),
    ],
)
def test_scaling_maps_the_low_to_zero_and_the_best_to_one(
    values: list[float], low: float, expected: list[float]
) -> None:
    assert scaled(floats(*values), low=low).tolist() == pytest.approx(expected)


def test_fused_ranks_prefer_what_both_lists_rank_high() -> None:
    fused = fused_ranks([floats(0.9, 0.8, 0.0), floats(0.0, 0.9, 0.8)])
    assert int(fused.argmax()) == 1
    assert fused.max() == pytest.approx(1.0)
