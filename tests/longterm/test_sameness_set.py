"""The published pairs: more than four in five are merged, nothing with another value is, whatever one word becomes."""

from __future__ import annotations

import pytest
from amb_bench.paraphrase import paraphrase_pairs
from amb_bench.paraphrase_bench import outcome_of

from amb_core.longterm.sameness import compare
from amb_core.longterm.sameness.saying import said

HALVES = pytest.mark.parametrize("half", ["development", "held-out"])
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.mark.slow
@HALVES
@LANGUAGES
def test_more_than_four_paraphrases_in_five_are_merged(half: str, language: str) -> None:
    found = [
        outcome_of(pair)
        for pair in paraphrase_pairs()
        if (pair.half, pair.language, pair.expected) == (half, language, "merged")
    ]
    assert len(found) >= 40
    assert found.count("merged") > 0.8 * len(found)


@LANGUAGES
def test_no_changed_value_is_merged_and_most_are_conflicts(language: str) -> None:
    pairs = [pair for pair in paraphrase_pairs() if pair.language == language and pair.expected == "conflict"]
    found = [outcome_of(pair) for pair in pairs]
    assert [pair for pair, outcome in zip(pairs, found, strict=True) if outcome == "merged"] == []
    assert found.count("conflict") > 0.85 * len(found) > 85


def test_another_matter_is_hardly_ever_taken_for_a_conflict_and_never_merged() -> None:
    found = [outcome_of(pair) for pair in paraphrase_pairs() if pair.expected == "different"]
    assert "merged" not in found
    assert found.count("different") > 0.95 * len(found)


@pytest.mark.slow
@LANGUAGES
def test_no_thing_said_can_be_exchanged_for_an_unknown_word(language: str) -> None:
    """In the sentence itself: whatever stands in its place, the two are not the same."""
    unknown = "骡羿" if language == "zh" else "quorv"
    for pair in paraphrase_pairs():
        if pair.language != language or pair.expected != "merged":
            continue
        for thing in said(pair.old).things:
            before, behind = pair.old[: thing.start], pair.old[thing.start + len(thing.surface) :]
            if thing.use != "soft" and pair.old == f"{before}{thing.surface}{behind}":
                changed = f"{before}{unknown}{behind}"
                assert compare(changed, pair.old).kind in ("conflict", "different"), changed
