"""The verdict bench: a changed value, a third source, and what becomes of them."""

from __future__ import annotations

import pytest
from amb_bench.value_changes import Pair
from amb_bench.verdict_bench import VerdictScore, decide, measure_reworded_verdicts

from amb_core.agents import LocalAnalysis, LocalIntegration

CHANGED = Pair("The Harlow Dam is 80 metres high.", "The Harlow Dam is 90 metres high.", True, "number")
OTHER = Pair("The Harlow Dam is 80 metres high.", "Sourdough rises slowly.", False, "x")


@pytest.mark.parametrize(
    ("pair", "verification", "outcome"),
    [
        (CHANGED, "The Harlow Dam is 80 metres high.", "right"),
        (CHANGED, "The Harlow Dam is 90 metres high.", "wrong"),
        (CHANGED, "The Harlow Dam is grey.", "undecided"),
        (OTHER, "The Harlow Dam is 80 metres high.", None),
    ],
)
def test_a_case_is_decided_by_the_third_source(pair: Pair, verification: str, outcome: str | None) -> None:
    assert decide(pair, verification, LocalAnalysis(), LocalIntegration()) == outcome


def test_what_is_neither_right_nor_wrong_is_undecided() -> None:
    assert VerdictScore("x", found=10, right=7, wrong=1).undecided == 2


@pytest.mark.slow
def test_a_source_on_either_side_decides_for_it_in_both_languages() -> None:
    for score in measure_reworded_verdicts(LocalAnalysis(), LocalIntegration()):
        assert score.wrong == 0
        assert score.right >= 0.9 * score.found
