"""The pairs in other words, the ways they are judged by, and what a bank makes of changed values."""

from __future__ import annotations

import pytest
from amb_bench.conflict_baselines import conflict_ways, other_figures
from amb_bench.conflict_bench import measure_swallowed
from amb_bench.reworded import reworded_pairs
from amb_bench.value_changes import Pair

from amb_core.text import Language

CHANGED = Pair("The Harlow Dam is 80 metres high.", "The Harlow Dam is 90 metres high.", True, "number")
OTHER = Pair("The Harlow Dam is 80 metres high.", "Sourdough rises for 12 hours.", False, "other")


@pytest.mark.parametrize(("language", "least"), [("en", 120), ("zh", 80)])
def test_there_are_enough_pairs_and_half_are_held_out(language: Language, least: int) -> None:
    held_out = reworded_pairs(language, half="held-out")
    everything = reworded_pairs(language)
    assert len(everything) >= least
    assert abs(2 * len(held_out) - len(everything)) <= 2
    assert 0.4 < sum(pair.conflict for pair in everything) / len(everything) < 0.6


@pytest.mark.nightly
def test_calling_every_pair_a_contradiction_finds_all_of_them() -> None:
    ways = {way.name: way for way in conflict_ways([CHANGED, OTHER], lambda a, b: False)}
    assert (ways["every pair"].precision, ways["every pair"].recall) == (0.5, 1.0)
    assert ways["aligned claims (ours)"].recall == 0.0


def test_other_figures_count_only_in_like_words() -> None:
    assert other_figures(CHANGED.a, CHANGED.b)
    assert not other_figures(OTHER.a, OTHER.b)


def test_a_changed_value_is_no_repeat_for_a_bank() -> None:
    told = measure_swallowed("x", [CHANGED, OTHER])
    assert (told.pairs, told.repeats, told.without_node, told.conflicts) == (1, 0, 0, 1)
