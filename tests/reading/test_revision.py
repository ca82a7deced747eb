"""What changed in a page that was read again, and what finding it costs on hostile pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_core.reading.revision import rewritten_sentences


def _page(towns: int, *, sentences: int) -> str:
    return "".join(f"House {number % towns} is big. " for number in range(sentences))


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", "One more house is here."])
def test_the_work_of_comparing_two_readings_grows_with_the_page(
    growth: Callable[[Callable[[int], object], int], float], more: str
) -> None:
    def compared(size: int) -> object:
        return rewritten_sentences(_page(7, sentences=size), _page(5, sentences=size) + more)

    assert growth(compared, 800) < 6


def test_of_a_long_page_each_changed_figure_is_found_at_its_place() -> None:
    older = [f"House {number} of Ulm has {number * 3} windows." for number in range(1_200)]
    newer = [*older]
    for number in (0, 600, 1_199):
        newer[number] = f"House {number} of Ulm has {number * 3 + 1} windows."
    changed = rewritten_sentences(" ".join(newer), " ".join(older))
    assert [(each.now, each.before) for each in changed] == [("1", "0"), ("1801", "1800"), ("3598", "3597")]
