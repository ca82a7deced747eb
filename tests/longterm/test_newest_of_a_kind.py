"""Of facts that answer a question alike but for one part, the one told last comes first."""

from __future__ import annotations

import pytest

from amb_core import LongTermMemory, ManualClock

ALIKE = [
    ("Lunch costs ${}.", ("8.50", "9.20"), "What does lunch cost?"),
    ("The backup runs {} a week.", ("twice", "three times"), "How often does the backup run?"),
    ("{} leads the red team.", ("Kim", "Pat"), "Who leads the red team?"),
    ("Room {} is booked for the review.", ("4B", "7A"), "Which room is booked for the review?"),
    ("{}负责采购", ("王强", "李敏"), "谁负责采购？"),
    ("{}号窗口办理退款", ("3", "8"), "几号窗口办理退款？"),
]


@pytest.mark.parametrize(("told", "values", "question"), ALIKE)
def test_the_newest_of_answers_that_are_alike_but_for_one_part_is_first(
    told: str, values: tuple[str, str], question: str
) -> None:
    clock = ManualClock(1.8e9)
    with LongTermMemory("memory://", clock=clock) as memory:
        for value in values:
            memory.write(told.format(value), namespace="domain_facts/u1")
            clock.advance(86_400)
        assert memory.search(question, namespace="domain_facts/u1", top_k=1)[0].content == told.format(values[1])


def test_what_stands_in_a_profile_changes_without_a_type() -> None:
    clock = ManualClock(1.8e9)
    with LongTermMemory("memory://", clock=clock) as memory:
        for said in ("I live in Utrecht.", "We moved to Gdansk at the weekend!"):
            memory.write(said, namespace="user_profile/u1")
            clock.advance(86_400)
        assert "Gdansk" in memory.search("Where do I live?", namespace="user_profile/u1", top_k=1)[0].content
