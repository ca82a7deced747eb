"""What a question or a settlement costs does not grow with all that was ever said of somebody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from amb_bench.narrative.big_book import BigBook, person
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.story import Story
from hypothesis import given
from hypothesis import strategies as st

from amb_core.stores import InMemoryStore

Growth = Callable[[Callable[[int], object], int], float]


def facts() -> FactGraph:
    return FactGraph(RecordGraph(InMemoryStore(), "book:facts"))


def told(chapters: int) -> FactGraph:
    """A book whose hero is somewhere else in every chapter."""
    book = facts()
    for chapter in range(1, chapters + 1):
        book.settle(chapter=chapter, statements=[{"subject": "Mara", "relation": "IS_AT", "object": f"P{chapter}"}])
    return book


SAID: Any = st.one_of(
    st.builds(
        lambda who, what, other, until: {"subject": who, "relation": what, "object": other, "until": until},
        st.sampled_from(["Mara", "Joss"]),
        st.sampled_from(["IS_AT", "OWNS", "KNOWS", "ALLY_OF"]),
        st.sampled_from(["Mara", "林月", "the lamp"]),
        st.booleans(),
    ),
    st.builds(lambda age: {"entity": "Mara", "kind": "character", "properties": {"age": age}}, st.integers(30, 31)),
)


@given(st.lists(st.tuples(st.integers(1, 5), SAID), max_size=12))
def test_what_holds_is_what_was_ever_said_and_has_not_ended(said: list[tuple[int, dict[str, Any]]]) -> None:
    book = facts()
    for chapter, statement in said:
        book.settle(chapter=chapter, statements=[statement], replace=True)
    for at in range(6):
        for each in book.entities(at=at):
            holds = [fact for fact in book.timeline(each.id, at=at) if fact.until is None]
            assert sorted(map(str, book.about(each.id, at=at).facts)) == sorted(map(str, holds))


@given(st.lists(SAID, max_size=12))
def test_settled_in_order_or_behind_a_later_chapter_a_book_says_the_same(said: list[dict[str, Any]]) -> None:
    one, other = facts(), facts()
    other.settle(chapter=99, statements=[{"entity": "Nobody", "kind": "character"}])
    for chapter, statement in enumerate(said, 3):
        for book in (one, other):
            book.settle(chapter=chapter // 3, statements=[statement], replace=True, settlement=f"s{chapter}")
    for at in range(6):
        assert one.facts(at=at) == other.facts(at=at)


@pytest.mark.parametrize("at", [1, None])
def test_a_state_costs_what_holds_and_not_what_was_ever_said(at: int | None, growth: Growth) -> None:
    books = {size: told(size) for size in (25, 50, 200)}
    assert growth(lambda size: books[size].about("Mara", at=at), 50) < 3


def test_names_that_begin_alike_make_the_entities_in_a_text_no_dearer(growth: Growth) -> None:
    text = "the riddle of gate 7 and the riddle of gate 8, " * 40
    books = {size: facts() for size in (25, 50, 200)}
    for size, book in books.items():
        hooks = [{"hook": f"the riddle of gate {number}", "status": "Unresolved"} for number in range(size)]
        book.settle(chapter=1, statements=hooks)
        assert [each.text[-1] for each in book.mentions(text)] == ["7", "8"] * 40
    assert growth(lambda size: books[size].mentions(text), 50) < 3


def test_settling_does_not_grow_with_what_was_said_before(growth: Growth) -> None:
    books = {size: told(size) for size in (25, 50, 200)}
    said = [{"entity": "Mara", "kind": "character"}, {"subject": "Mara", "relation": "IS_AT", "object": "home"}]
    assert growth(lambda size: books[size].settle(chapter=size + 1, statements=said), 50) < 2.5


def test_a_made_up_book_is_the_same_every_time_and_where_its_plan_says() -> None:
    book = BigBook(chapters=12, facts=300, steps=40)
    assert len({person(number) for number in range(600)}) == 600
    answers = []
    for _ in range(2):
        with Story(None) as story:
            book.settle(story)
            position = story.position()
            answers.append((position, story.facts.about(book.hero), story.facts.hooks(), story.episodes.text(7)))
    assert answers[0] == answers[1]
    assert (position.chapter, len(position.storylines)) == (12, 2)
