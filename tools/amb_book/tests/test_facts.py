"""What has happened, by chapter: settled, moved, ended, found under every name, and never ahead of its time."""

from __future__ import annotations

import pytest

from amb_core import InvalidInput, InvalidParameter

MARA = {"entity": "Mara Vell", "kind": "character", "aliases": ["the Grey Rider"], "properties": {"age": 31}}


def status(what: str, who: str = "Mara Vell") -> dict:
    return {"status": {"of": who, "is": what}}


def test_a_name_that_two_bear_has_to_be_told_apart(facts):
    facts.settle(chapter=1, statements=[MARA, {"entity": "Tam", "kind": "character", "aliases": ["the Grey Rider"]}])
    with pytest.raises(InvalidInput, match="character:Tam"):
        facts.about("the Grey Rider")
    assert facts.about("character:Tam").entity.name == "Tam"


def test_names_are_found_in_texts_the_longest_first_and_by_a_part_nobody_shares(facts):
    facts.settle(
        chapter=1,
        statements=[
            MARA,
            {"entity": "Mara", "kind": "item"},
            {"entity": "林月", "kind": "character", "aliases": ["月儿"]},
        ],
    )
    found = facts.mentions("Mara Vell, Vell the Grey Rider and the Mara; 月儿是林月。Maravell")
    assert [(mention.text, mention.entities[0].id) for mention in found] == [
        ("Mara Vell", "character:Mara Vell"),
        ("Vell", "character:Mara Vell"),
        ("the Grey Rider", "character:Mara Vell"),
        ("Mara", "item:Mara"),
        ("月儿", "character:林月"),
        ("林月", "character:林月"),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        "Mara is in Harrow",
        {},
        {"what": "ever"},
        {"subject": "Mara", "relation": "is at", "object": "Harrow"},
        {"subject": "", "relation": "IS_AT", "object": "Harrow"},
        {"entity": "Mara", "kind": "dragon"},
        {"hook": "x", "status": "Open"},
    ],
)
def test_what_is_no_statement_is_refused_and_nothing_of_the_settlement_is_written(facts, wrong):
    with pytest.raises(InvalidInput, match="statement 2"):
        facts.settle(chapter=1, statements=[MARA, wrong])
    assert facts.entities() == []
    assert facts.last_chapter == 0


@pytest.mark.parametrize("chapter", [0, -1, 1.5, "1", True, None])
def test_a_chapter_is_a_whole_number(facts, chapter):
    with pytest.raises(InvalidParameter, match="whole number"):
        facts.settle(chapter=chapter, statements=[MARA])
