"""What holds when chapters are settled out of order, ended, taken back, and when kinds are learnt late."""

from __future__ import annotations

import pytest

from amb_book import Story

ROPE = {"subject": "韩立", "relation": "OWNS", "object": "玉佩"}


@pytest.fixture
def story():
    with Story(None) as made:
        yield made


def settle(story, chapter, *statements):
    return story.settle(chapter=chapter, statements=statements).id


def holds(story, relation, at):
    return [(fact.subject, fact.object) for fact in story.facts.facts(relation=relation, at=at)]


def test_that_another_owns_a_thing_no_more_takes_it_from_nobody(story):
    settle(story, 2, ROPE)
    settle(story, 6, {**ROPE, "subject": "墨大夫", "until": True})
    settle(story, 9, {**ROPE, "subject": "南宫婉"})
    assert holds(story, "OWNS", 7) == [("韩立", "玉佩")]
    assert holds(story, "OWNS", 9) == [("南宫婉", "玉佩")]


def test_a_kind_that_was_a_guess_becomes_what_an_author_says(story):
    settle(story, 1, {"subject": "Mara", "relation": "FEARS", "object": "the Wolf"})
    settle(story, 2, {"entity": "the Wolf", "kind": "character"}, {"status": {"of": "the Wolf", "is": "dead"}})
    assert story.facts.entity("the Wolf").kind == "character"
    assert story.facts.about("the Wolf").status == "dead"
