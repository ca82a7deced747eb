"""A small book, and a desk whose clock is set by hand."""

from __future__ import annotations

import pytest
from amb_book.desk import Desk
from amb_book.story import Story

from amb_core.clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1_790_000_000.0)


@pytest.fixture
def story(clock: ManualClock) -> Story:
    """Two chapters, a plan with one step to come, one lore entry."""
    book = Story(None, clock=clock)
    book.plan.add("general_outline", title="The war of the two rivers")
    book.plan.add("long_outline", title="The siege of Sarn")
    book.plan.add("short_outline", title="The walls", id="walls")
    book.plan.add("step", title="Lin Yue opens the gate", id="gate")
    book.plan.start("walls")
    book.settle(
        chapter=1,
        title="The Harbour",
        statements=[
            {"entity": "Lin Yue", "kind": "character", "aliases": ["the Fox"], "properties": {"age": 19}},
            {"entity": "林月", "kind": "character", "properties": {"门派": "青云"}},
            {"subject": "Lin Yue", "relation": "IS_AT", "object": "the Harbour"},
            {"subject": "林月", "relation": "IS_AT", "object": "望江城"},
            {"hook": "the broken jade", "status": "Unresolved", "text": "who broke Lin Yue's jade?"},
            {"lore": "the Harbour", "text": "The Harbour freezes from the first moon to the third."},
        ],
    )
    book.settle(chapter=2, title="Ice", statements=[{"status": {"of": "Lin Yue", "is": "wounded"}}])
    return book


@pytest.fixture
def desk(story: Story) -> Desk:
    return story.desk()
