"""What is to happen: outlines and steps in their order, their states, and where each storyline stands."""

from __future__ import annotations

import pytest

from amb_core import InvalidInput, InvalidParameter, UnknownId


@pytest.fixture
def siege(plan):
    plan.add("general_outline", id="book", title="The Ninth Rope")
    plan.add("long_outline", id="war", title="The war", within="book")
    plan.add("short_outline", id="siege", title="The siege", within="war", storyline="Mara")
    plan.add("short_outline", id="court", title="The court", within="war", storyline="the Regent")
    for title in ("the walls", "the breach", "the fall"):
        plan.add("step", title=title, within="siege", id=title)
    return plan


def titles(parts) -> list[str]:
    return [part.title for part in parts]


def test_steps_come_in_the_order_of_the_story(siege):
    siege.add("step", title="the mine", within="siege", after="the walls")
    assert titles(siege.inside("siege")) == ["the walls", "the mine", "the breach", "the fall"]


def test_what_was_completed_may_be_taken_up_again_with_what_is_around_it(siege):
    siege.start("the walls")
    with pytest.raises(InvalidInput, match="the walls, the breach, the fall"):
        siege.complete("siege")
    for step in ("the walls", "the breach", "the fall"):
        siege.start(step)
        siege.complete(step)
    assert siege.complete("siege").status == "Completed"
    siege.reopen("the fall")
    assert [siege.part(name).status for name in ("the walls", "the fall", "siege")] == [
        "Completed",
        "InProgress",
        "InProgress",
    ]


def test_what_has_not_begun_cannot_be_completed(siege):
    with pytest.raises(InvalidInput, match="Pending and can become InProgress"):
        siege.complete("the walls")


def test_parts_belong_where_they_belong(siege):
    with pytest.raises(InvalidInput, match="a step belongs into a short_outline"):
        siege.add("step", title="x", within="war")
    with pytest.raises(InvalidParameter, match="general_outline"):
        siege.add("chapter", title="x")
    with pytest.raises(InvalidInput, match="already"):
        siege.add("step", title="x", within="siege", id="the walls")
    with pytest.raises(UnknownId, match="siege"):
        siege.start("The siege")
