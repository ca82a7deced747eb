"""What may be settled, and what is refused before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from amb_book import Story, parsed
from amb_core.errors import InvalidInput


@pytest.mark.parametrize(
    "wrong",
    [
        {"entity": "  ", "kind": "character"},
        {"entity": "A", "kind": "character", "aliases": ["\u3000"]},
        {"status": {"of": "A", "is": " "}},
        {"plan": "\n", "kind": "general_outline"},
    ],
)
def test_a_blank_name_is_refused_and_the_book_opens_again(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with Story(tmp_path) as story:
        with pytest.raises(InvalidInput, match="blank"):
            story.settle(chapter=1, statements=[wrong])
        assert story.log.entries() == []
    with Story(tmp_path) as again:
        assert again.facts.entities() == []


@pytest.mark.parametrize("relation", ["HAS_STATUS", "HAS", "ALSO_CALLED"])
def test_what_has_a_form_of_its_own_is_no_relation(relation: str) -> None:
    with Story(None) as story, pytest.raises(InvalidInput, match="a form of its own"):
        story.settle(chapter=1, statements=[{"subject": "林月", "relation": relation, "object": "死"}])


def test_properties_cannot_pose_as_what_is_kept_of_a_fact() -> None:
    said = {"subject": "A", "relation": "LOVES", "object": "B", "properties": {"ended": 3, "year": 1}}
    with Story(None) as story, pytest.raises(InvalidInput, match="ended is a name"):
        story.settle(chapter=1, statements=[said])


@pytest.mark.parametrize("wrong", [None, "text", {"entity": "A", "kind": "character"}, 5])
def test_statements_are_a_list(wrong: Any) -> None:
    with Story(None) as story, pytest.raises(InvalidInput, match="a list"):
        story.settle(chapter=1, statements=wrong)


def test_a_state_can_end_without_another_one_taking_its_place() -> None:
    story = Story(None)
    story.settle(chapter=1, statements=[{"status": {"of": "林月", "is": "昏迷"}}])
    story.settle(chapter=3, statements=[{"status": {"of": "林月", "is": "昏迷"}, "until": True}])
    assert [story.facts.about("林月", at=at).status for at in (2, 3)] == ["昏迷", ""]
    [told] = story.facts.timeline("林月")
    assert (told.since, told.until) == (1, 3)


def test_what_is_told_late_of_earlier_times_takes_the_place_of_nothing() -> None:
    story = Story(None)
    story.settle(chapter=1, statements=[{"status": {"of": "Lin Yue", "is": "free"}}])
    past = {"status": {"of": "Lin Yue", "is": "imprisoned"}, "until": True, "time": "ten years before the siege"}
    story.settle(chapter=4, statements=[past])
    assert story.facts.about("Lin Yue").status == "free"
    [_, told] = story.facts.timeline("Lin Yue")
    assert (told.time, told.since, told.until) == ("ten years before the siege", 4, 4)
    assert "ten years before the siege" in told.text


def test_a_relation_has_properties_and_the_newest_of_them_hold() -> None:
    story = Story(None)
    hates = {"subject": "Qiu Han", "relation": "HATES", "object": "Lin Yue"}
    story.settle(chapter=1, statements=[{**hates, "properties": {"reason": "the fire", "since": "boyhood"}}])
    story.settle(chapter=5, statements=[{**hates, "properties": {"reason": "the betrayal"}}])
    for at, reason in ((1, "the fire"), (4, "the fire"), (5, "the betrayal")):
        [fact] = story.facts.facts(relation="HATES", at=at)
        assert (fact.since, fact.properties) == (1, {"reason": reason, "since": "boyhood"})
        assert f"reason: {reason}" in fact.text


@pytest.mark.parametrize("name", ["story_time", "evidence"])
def test_a_property_cannot_have_a_name_that_is_kept(name: str) -> None:
    told = {"subject": "A", "relation": "KNOWS", "object": "B", "properties": {name: "x"}}
    with pytest.raises(InvalidInput, match=name):
        parsed([told])
