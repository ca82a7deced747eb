"""Values as slots: units, rounding, dates, names, and figures that are names."""

from __future__ import annotations

import pytest

from amb_agents.slots import Slot, compare, find_slots


def only(text: str, kind: str = "number") -> Slot:
    (found,) = (slot for slot in find_slots(text) if slot.kind == kind)
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It has about 3,000 rows.", "It has 2,980 rows."),
        ("It has 1.2 million rows.", "It has 1,204,000 rows."),
        ("人口约50万。", "人口为49.8万。"),
        ("成本为百分之五。", "成本为5%。"),
    ],
)
def test_these_figures_agree(a: str, b: str) -> None:
    assert compare(only(a), only(b)) == "same"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("It was built in 1932.", "It was built in May 1932.", "same"),
        ("It was built in 1932.", "It was built in the 1930s.", "same"),
        ("It was built in 1932.", "It was built on May 3, 1935.", "different"),
        ("1957年10月15日通车。", "1957年通车。", "same"),
        ("1957年10月15日通车。", "1957年11月通车。", "different"),
    ],
)
def test_dates_compare_as_stretches_of_time(a: str, b: str, expected: str) -> None:
    assert compare(only(a, "date"), only(b, "date")) == expected
