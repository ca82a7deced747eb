"""Texts made to take long are held against each other with work in proportion to their length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_longterm.sameness import content_terms, other_values, same

WORDS = (
    "由到",
    "不",
    "从",
    "把",
    "在",
    "最喜欢的",
    "moved ",
    "in ",
    "not ",
    "was moved from ",
    "instead of ",
    "from a ",
)
WRITTEN = ("Aa-", "A.", "(a", "US ", "x The ", "I ", '"', "a/", "a@a.", "YYYY-", "  ", "r1 7.1 EUR ", ", ", "n't")


def compared(piece: str, length: int) -> tuple[object, ...]:
    text = (piece * length)[:length]
    one, other = f"{text} new", f"z{text} old"
    return same(one, other), other_values(one, other), content_terms(one)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("piece", [*WORDS, *WRITTEN])
def test_a_hostile_text_takes_work_in_its_length(piece: str, growth: Callable[..., float]) -> None:
    assert growth(lambda length: compared(piece, length), 500) < 8


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["Aa-", *(pytest.param(p, marks=pytest.mark.nightly) for p in ("a/", "不", "  ", "I "))]
)
def test_a_hostile_text_of_sixty_thousand_characters_is_read_to_its_end(piece: str) -> None:
    assert compared(piece, 60_000)[0] is False  # the square would take minutes
