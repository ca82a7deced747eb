"""Texts of many figures without a full stop, as tools give them: held against each other without delay."""

from __future__ import annotations

import time

from amb_core.longterm.sameness import compare


def test_two_tables_of_sixty_things_are_compared_in_a_moment() -> None:
    one, other = (
        "Result: " + " ".join(f"{letter}{row} {row * factor}.{row % 10} EUR" for row in range(30))
        for letter, factor in (("r", 7), ("q", 9))
    )
    begun = time.process_time()
    assert compare(one, other).kind not in ("same", "adds")
    assert time.process_time() - begun < 3
