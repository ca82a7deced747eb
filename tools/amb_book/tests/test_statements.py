"""What may be settled, and what is refused before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from amb_book import Story
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
