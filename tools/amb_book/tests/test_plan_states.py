"""The state of an outline agrees with what is in it, whatever is done in which order."""

from __future__ import annotations

import pytest

from amb_book import Story
from amb_core.errors import InvalidInput


@pytest.fixture
def story():
    with Story(None) as made:
        plan = made.plan
        plan.add("general_outline", title="长篇", id="book")
        plan.add("long_outline", title="The war", id="war")
        plan.add("short_outline", title="The siege", id="siege", storyline="war")
        plan.add("step", title="The walls", id="walls")
        yield made


def finish(story):
    story.plan.start("walls")
    for part in ("walls", "siege", "war", "book"):
        story.plan.complete(part)


def test_a_new_step_takes_up_the_completed_outlines_around_it(story):
    finish(story)
    story.plan.add("step", title="破城", id="breach", within="siege")
    assert {part.status for part in story.plan.parts() if part.kind != "step"} == {"InProgress"}
    assert story.position().storylines[0].step == "breach"


def test_an_outline_is_not_put_off_while_a_step_of_it_goes_on(story):
    story.plan.start("walls")
    with pytest.raises(InvalidInput, match="put that off first"):
        story.plan.put_off("siege")
    story.plan.put_off("walls")
    assert story.plan.put_off("siege").status == "Pending"
