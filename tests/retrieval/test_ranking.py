"""Scores are scaled, and ranks are fused."""

from __future__ import annotations

import numpy as np
import pytest

from amb_retrieval.ranking import fused_ranks, scaled


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


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
