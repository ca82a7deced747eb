"""Contradictions: a table of sentence pairs, what a found one carries, and which texts never contradict each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amb_agents import contradictions

TABLE = json.loads((Path(__file__).parent / "sentence_pairs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("a", "b"), TABLE["conflict"])
def test_these_contradict_each_other(a: str, b: str) -> None:
    assert contradictions(a, b)
    assert contradictions(b, a)


@pytest.mark.parametrize(("a", "b"), TABLE["no conflict"])
def test_these_can_both_be_true(a: str, b: str) -> None:
    assert not contradictions(a, b)
    assert not contradictions(b, a)


def test_a_text_that_gives_both_values_contradicts_neither() -> None:
    both = "The Harlow Dam is 80 metres high. The Harlow Dam is 84 metres high including the railing."
    assert not contradictions(both, "The Harlow Dam is 84 metres high.")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("3. The Harlow Dam stands on the river Orr.", "7. The Harlow Dam stands on the river Orr."),
        ("The Harlow Dam stands on the river Orr.[3]", "The Harlow Dam stands on the river Orr.[8]"),
        ("Orr Server 3.1 supports the new format of tables.", "Orr Server 3.4 supports the new format of tables."),
        ("Chapter 3: The Harlow Dam and the river Orr.", "Chapter 4: The Harlow Dam and the river Orr."),
        ("用户7：青屿水厂的日产水量很大，水质很好。", "用户9：青屿水厂的日产水量很大，水质很好。"),
        (
            "Updated on 3 May 2020 by the staff of the Harlow Dam.",
            "Updated on 4 May 2021 by the staff of the Harlow Dam.",
        ),
        ("Orr United won nine games in the 2006 season.", "Orr United won nine games in the 1957 season."),
        ("In 2006, the Harlow Dam held 300 tonnes of water.", "In 1957, the Harlow Dam held 300 tonnes of water."),
        ("2006年，青屿水厂的日产水量为8万吨。", "1957年，青屿水厂的日产水量为8万吨。"),
        ("Flight HAT083 to Leeds has 3 free seats left.", "Flight HAT097 to Leeds has 5 free seats left."),
        ('{"plant": "Harlow", "output": "450 MW of power"}', '{"plant": "Harlow", "output": "540 MW of power"}'),
    ],
)
def test_marks_labels_members_of_a_series_and_machine_data_contradict_nothing(a: str, b: str) -> None:
    assert contradictions(a, b) == ()


def test_a_topic_given_from_outside_tells_what_a_text_is_about() -> None:
    a, b = "It was opened by the old mayor of Leeds in 1932.", "It was opened by the old mayor of Leeds in 1935."
    assert contradictions(a, b, topics=("Lyness Pier", "Lyness Pier"))
    assert not contradictions(a, b, topics=("Lyness Pier", "Harlow Dam"))
    assert not contradictions(a, b)
