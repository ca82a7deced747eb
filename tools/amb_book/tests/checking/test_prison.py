"""A captive may do in the cell what one does there, though the draft does not name it."""

from __future__ import annotations

import pytest

from amb_book import Story

SETTLED = [
    {"entity": "Cilla Voss", "kind": "character"},
    {"subject": "Cilla Voss", "relation": "IS_AT", "object": "Greywatch"},
    {"status": {"of": "Cilla Voss", "is": "imprisoned"}},
    {"entity": "Port Sable", "kind": "location"},
    {"entity": "沈墨", "kind": "character"},
    {"subject": "沈墨", "relation": "IS_AT", "object": "天牢"},
    {"status": {"of": "沈墨", "is": "被囚"}},
]


@pytest.fixture(scope="module")
def story():
    with Story(None) as made:
        made.settle(chapter=2, statements=SETTLED)
        yield made


@pytest.mark.parametrize(
    "draft", ["Cilla Voss laughed and drank.", "Cilla Voss walked up and down.", "沈墨接过碗，喝了一口水。"]
)
def test_what_a_captive_does_in_a_cell_is_left_alone(story, draft):
    assert story.check(draft) == []


@pytest.mark.parametrize(
    "draft", ["Cilla Voss strolled through Port Sable, buying plums.", "沈墨坐在街边的酒楼里喝酒。"]
)
def test_a_captive_about_the_town_is_found(story, draft):
    assert {found.kind for found in story.check(draft)} == {"place"}
