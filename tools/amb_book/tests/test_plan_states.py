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


def test_after_a_step_is_completed_the_clock_points_at_the_one_behind_it(story):
    story.plan.add("step", title="The gate", id="gate", within="siege")
    story.plan.add("step", title="The keep", id="keep", within="siege")
    assert story.position().storylines[0].step == ""
    story.plan.start("walls")
    story.plan.complete("walls")
    line = story.position().storylines[0]
    assert (line.step, line.next_step, story.plan.part("gate").status) == ("gate", "keep", "Pending")
    assert "now: The gate; next: The keep" in story.position().text


def test_a_completed_step_is_not_begun_again_but_reopened_with_its_outlines(story):
    finish(story)
    with pytest.raises(InvalidInput, match=r"is Completed; reopen\('walls'\) takes it up again"):
        story.plan.start("walls")
    assert {part.status for part in story.plan.parts()} == {"Completed"}
    story.plan.reopen("walls")
    assert {part.status for part in story.plan.parts()} == {"InProgress"}


def test_an_outline_is_not_put_off_while_a_step_of_it_goes_on(story):
    story.plan.start("walls")
    with pytest.raises(InvalidInput, match="put that off first"):
        story.plan.put_off("siege")
    story.plan.put_off("walls")
    assert story.plan.put_off("siege").status == "Pending"


def test_the_last_step_that_is_settled_completes_its_outline_and_the_story_goes_on_to_the_next() -> None:
    story = Story(None)
    story.plan.add("general_outline", title="Buch", id="book")
    story.plan.add("long_outline", title="战争", id="war")
    for outline in ("siege", "thaw"):
        story.plan.add("short_outline", title=outline, id=outline)
        for step in ("begins", "ends"):
            story.plan.add("step", title=f"{outline} {step}", id=f"{outline}-{step}", within=outline)
    story.settle(chapter=1, statements=[{"plan": "siege-begins", "status": "Completed"}])
    assert story.plan.part("siege").status == "InProgress"
    story.settle(chapter=2, statements=[{"plan": "siege-ends", "status": "Completed"}])
    assert [story.plan.part(part).status for part in ("siege", "war")] == ["Completed", "InProgress"]
    assert [line.outline for line in story.position().storylines] == ["thaw"]
