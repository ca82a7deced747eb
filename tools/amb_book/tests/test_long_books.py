"""What a question or a settlement costs does not grow with all that was ever said of somebody."""

from __future__ import annotations

from typing import Any

from amb_bench.narrative.big_book import BigBook, person
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.story import Story
from hypothesis import given
from hypothesis import strategies as st

from amb_core.stores import InMemoryStore


def facts() -> FactGraph:
    return FactGraph(RecordGraph(InMemoryStore(), "book:facts"))


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
