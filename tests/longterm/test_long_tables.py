"""Texts of many figures without a full stop, as tools give them: held against each other with little work."""

from __future__ import annotations

from collections.abc import Callable

from amb_core.longterm.sameness import compare


def compared(things: int) -> str:
    one, other = (
        "Result: " + " ".join(f"{letter}{row} {row * factor}.{row % 10} EUR" for row in range(things // 2))
        for letter, factor in (("r", 7), ("q", 9))
    )
    return compare(one, other).kind


def test_two_tables_of_sixty_things_are_compared_with_little_more_work_than_short_ones(
    growth: Callable[..., float],
) -> None:
    assert compared(60) not in ("same", "adds")
    assert growth(compared, 30) < 10
