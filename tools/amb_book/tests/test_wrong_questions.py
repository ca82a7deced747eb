"""Wrong input is told what to do, by type, and leaves the book as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from amb_book import Story
from amb_core.errors import InvalidInput, InvalidParameter

WRONG: dict[str, Any] = {
    "no name": lambda story: story.facts.about(None),
    "no text": lambda story: story.facts.mentions(None),
    "no draft": lambda story: story.check(None),
    "no kind": lambda story: story.facts.entities("foo"),
    "no state": lambda story: story.facts.hooks("foo"),
    "no id": lambda story: story.plan.start(None),
    "no lore": lambda story: story.lore.put("key", None),
    "no title": lambda story: story.settle(chapter=1, statements=[], title=5),
    "no such chapter": lambda story: story.settle(chapter=10**30, statements=[]),
    "chapter of text": lambda story: story.episodes.put_chapter("1", "text"),
    "letters for names": lambda story: story.episodes.put_chapter(1, "text", entities="林月"),
    "letters for a count": lambda story: story.episodes.search(k="a"),
    "a question that is none": lambda story: story.episodes.search(5),
    "a chapter that is none": lambda story: story.episodes.search("x", at="3"),
    "no settlement": lambda story: story.undo(None),
}


@pytest.fixture
def story():
    with Story(None) as made:
        made.settle(
            chapter=1, statements=[{"entity": "林月", "kind": "character"}, {"entity": "秦寒", "kind": "character"}]
        )
        yield made


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_question_is_a_typed_error(story, wrong):
    with pytest.raises(InvalidParameter):
        WRONG[wrong](story)
    assert story.position().chapter == 1


def test_a_file_is_no_folder_of_a_book(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x")
    with pytest.raises(InvalidParameter, match="folder of a book"):
        Story(tmp_path / "notes")


@pytest.mark.parametrize("field", ["entity", "alias", "status", "object", "hook"])
def test_a_name_with_a_control_character_is_refused_and_nothing_is_written(story, field):
    bad = "Lin\0Yue"
    statements = {
        "entity": {"entity": bad, "kind": "character"},
        "alias": {"entity": "林月", "kind": "character", "aliases": [bad]},
        "status": {"status": {"of": "林月", "is": bad}},
        "object": {"subject": "林月", "relation": "KNOWS", "object": bad},
        "hook": {"hook": bad, "status": "Unresolved"},
    }
    with pytest.raises(InvalidInput, match="control character"):
        story.settle(chapter=2, statements=[statements[field]])
    assert story.position().chapter == 1
