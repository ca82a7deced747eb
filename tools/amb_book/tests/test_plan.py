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


def test_a_step_that_begins_takes_the_outlines_around_it_along(siege):
    siege.start("the walls")
    assert titles(siege.parts(status="InProgress")) == ["The Ninth Rope", "The war", "The siege", "the walls"]


def test_storylines_stand_side_by_side(siege):
    siege.start("the walls")
    siege.complete("the walls")
    siege.start("the breach")
    mara, regent = siege.positions()
    assert (mara.storyline, mara.outline, mara.step, mara.next_step) == ("Mara", "siege", "the breach", "the fall")
    assert (mara.completed, mara.steps) == (1, 3)
    assert (regent.storyline, regent.outline, regent.step) == ("the Regent", "court", "")


def test_an_outline_is_completed_when_nothing_in_it_is_open(siege):
    siege.start("the walls")
    with pytest.raises(InvalidInput, match="the walls, the breach, the fall"):
        siege.complete("siege")
    for step in ("the walls", "the breach", "the fall"):
        siege.start(step)
        siege.complete(step)
    assert siege.complete("siege").status == "Completed"
    assert len(siege.parts()) == 7  # nothing is deleted


def test_what_was_completed_may_be_taken_up_again_with_what_is_around_it(siege):
    test_an_outline_is_completed_when_nothing_in_it_is_open(siege)
    siege.reopen("the fall")
    assert [siege.part(name).status for name in ("the walls", "the fall", "siege")] == [
        "Completed",
        "InProgress",
        "InProgress",
    ]


def test_what_has_not_begun_cannot_be_completed(siege):
    with pytest.raises(InvalidInput, match="Pending and can become InProgress"):
        siege.complete("the walls")


def test_what_comes_next_is_told(siege):
    siege.start("the walls")
    assert titles(siege.upcoming())[:2] == ["the breach", "the fall"]


def test_parts_belong_where_they_belong(siege):
    with pytest.raises(InvalidInput, match="a step belongs into a short_outline"):
        siege.add("step", title="x", within="war")
    with pytest.raises(InvalidParameter, match="general_outline"):
        siege.add("chapter", title="x")
    with pytest.raises(InvalidInput, match="already"):
        siege.add("step", title="x", within="siege", id="the walls")
    with pytest.raises(UnknownId, match="siege"):
        siege.start("The siege")


def test_a_plan_without_outlines_says_what_to_plan_first(plan):
    with pytest.raises(InvalidInput, match="plan that first"):
        plan.add("step", title="x")
