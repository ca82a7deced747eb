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
    ("a", "b"),
    [
        ("It has 20 rows.", "It has 21 rows."),
        ("It has about 3,000 rows.", "It has 3,900 rows."),
        ("It costs $3.5 million.", "It costs $4.5 million."),
        ("有三千人参加。", "有5000人参加。"),
    ],
)
def test_these_figures_differ(a: str, b: str) -> None:
    assert compare(only(a), only(b)) == "different"


@pytest.mark.parametrize(
    ("a", "b"), [("It weighs 1,000 kg.", "It weighs 1 tonne."), ("It costs 5 euros.", "It costs 5 dollars.")]
)
def test_figures_of_different_units_are_not_compared(a: str, b: str) -> None:
    assert compare(only(a), only(b)) == "incomparable"


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


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("made by Tom Hanks", "made by Hanks", "incomparable"),
        ("found in Bavaria by night", "found in Munich by night", "incomparable"),
        ("made by Tom Hanks", "made by Meg Ryan", "different"),
    ],
)
def test_names_compare_by_their_words(a: str, b: str, expected: str) -> None:
    assert compare(only(a, "name"), only(b, "name")) == expected


@pytest.mark.parametrize(
    "text",
    ["It needs version 3.5 to run.", "See chapter 12 for more.", "He flew on Apollo 11.", "他住在第3届会议的12号楼。"],
)
def test_figures_that_name_something_do_not_measure(text: str) -> None:
    assert all(slot.fixed or slot.kind == "name" for slot in find_slots(text))
