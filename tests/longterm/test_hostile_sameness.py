"""Texts made to take long are held against each other with work in proportion to their length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_core.longterm.sameness import compare

AHEAD = ("由", "和", "由到", "之比", "prefer tea to ", "by the ", "divided by ", "than rather ", "is a ", "through ")
DENIED = ("not ", "a not ", "less than not ", "被", "unsubscribed ", "ratio to ", "3前")
WRITTEN = ("Aa-", "A.", "(a", "US ", "x The ", "once ", "I ", '"', "a/", "a@a.", "YYYY-", "  ")


def compared(piece: str, length: int) -> str:
    text = (piece * length)[:length]
    return compare(f"{text} new", f"z{text} old").kind


@pytest.mark.parametrize("piece", [*AHEAD, *DENIED, *WRITTEN])
def test_a_hostile_text_takes_work_in_its_length(piece: str, growth: Callable[..., float]) -> None:
    assert growth(lambda length: compared(piece, length), 1_000) < 6


@pytest.mark.parametrize("piece", ["Aa-", "a/", "YYYY-", "由", "  (", "US "])
def test_a_hostile_text_of_sixty_thousand_characters_is_read_to_its_end(piece: str) -> None:
    assert compared(piece, 60_000) in ("same", "adds", "conflict", "different")  # the square would take minutes


@pytest.mark.parametrize("gap", [" ", "\t \t", "  \n  "])
def test_blanks_before_what_was_said_earlier_belong_to_the_remark(gap: str) -> None:
    assert compare(f"Reports in EUR{gap}(earlier: Reports in USD)", "Reports in EUR").kind == "same"
