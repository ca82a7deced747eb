"""What holds when chapters are settled out of order, ended, taken back, and when kinds are learnt late."""

from __future__ import annotations

import pytest

from amb_book import Story

WED = {"subject": "Mara", "relation": "MARRIED_TO", "object": "Tom"}
ROPE = {"subject": "韩立", "relation": "OWNS", "object": "玉佩"}


@pytest.fixture
def story():
    with Story(None) as made:
        yield made


def settle(story, chapter, *statements):
    return story.settle(chapter=chapter, statements=statements).id


def holds(story, relation, at):
    return [(fact.subject, fact.object) for fact in story.facts.facts(relation=relation, at=at)]


def test_an_end_that_was_settled_first_ends_what_is_settled_later_of_an_earlier_chapter(story):
    settle(story, 5, {**WED, "until": True})
    settle(story, 3, WED)
    assert [holds(story, "MARRIED_TO", at) for at in (2, 4, 5)] == [[], [("Mara", "Tom")], []]


def test_of_two_ends_the_earlier_counts_and_undoing_it_leaves_the_later(story):
    settle(story, 1, WED)
    settle(story, 8, {**WED, "until": True})
    early = settle(story, 4, {**WED, "until": True})
    assert holds(story, "MARRIED_TO", 5) == []
    story.undo(early)
    assert holds(story, "MARRIED_TO", 7) == [("Mara", "Tom")]
    assert holds(story, "MARRIED_TO", 8) == []


def test_that_another_owns_a_thing_no_more_takes_it_from_nobody(story):
    settle(story, 2, ROPE)
    settle(story, 6, {**ROPE, "subject": "墨大夫", "until": True})
    settle(story, 9, {**ROPE, "subject": "南宫婉"})
    assert holds(story, "OWNS", 7) == [("韩立", "玉佩")]
    assert holds(story, "OWNS", 9) == [("南宫婉", "玉佩")]


def test_undoing_the_first_chapter_of_an_entity_leaves_it_where_the_next_tells_of_it(story):
    first = settle(story, 3, {"entity": "Orla", "kind": "character"})
    settle(story, 9, {"subject": "Orla", "relation": "IS_AT", "object": "Harrow"})
    early = settle(story, 2, {"entity": "Orla", "kind": "character"})
    story.undo(early)
    assert story.facts.entity("Orla").since == 3
    story.undo(first)
    assert story.facts.entity("Orla").since == 9
    assert story.facts.entities(at=8) == []


def test_a_kind_that_was_a_guess_becomes_what_an_author_says(story):
    settle(story, 1, {"subject": "Mara", "relation": "FEARS", "object": "the Wolf"})
    settle(story, 2, {"entity": "the Wolf", "kind": "character"}, {"status": {"of": "the Wolf", "is": "dead"}})
    assert story.facts.entity("the Wolf").kind == "character"
    assert story.facts.about("the Wolf").status == "dead"


def test_a_hook_taken_up_again_in_the_chapter_of_its_resolution_is_open(story):
    settle(story, 3, {"hook": "谁的玉佩", "status": "Unresolved"})
    settle(story, 4, {"hook": "谁的玉佩", "status": "Resolved"})
    story.settle(chapter=4, statements=[{"hook": "谁的玉佩", "status": "Unresolved"}], replace=True)
    assert [(hook.status, hook.resolved) for hook in story.facts.hooks()] == [("Unresolved", None)]


def test_somebody_named_in_every_chapter_costs_no_more_with_each() -> None:
    with Story(None) as book:
        for chapter in range(1, 60):
            book.settle(chapter=chapter, statements=[{"entity": "Lin Yue", "kind": "character"}], id=f"s{chapter}")
        assert set(book.facts._graph.node("character:Lin Yue").properties) == {"name", "since", "settlement"}
        book.undo("s1")
        assert book.facts.entity("Lin Yue").since == 2
        for chapter in range(2, 60):
            book.undo(f"s{chapter}")
        assert book.facts.resolve("Lin Yue") == []


def test_a_name_the_story_gives_late_is_not_known_before() -> None:
    with Story(None) as book:
        book.settle(chapter=1, statements=[{"entity": "Lin Yue", "kind": "character"}])
        book.settle(chapter=5, statements=[{"entity": "Lin Yue", "kind": "character", "aliases": ["the Empress"]}])
        assert book.facts.resolve("the Empress", at=4) == []
        assert book.facts.entity("the Empress", at=5).name == "Lin Yue"
