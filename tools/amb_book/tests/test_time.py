"""Properties: no fact of a later chapter in an answer for an earlier one, and nothing planned among the facts."""

from __future__ import annotations

from collections import defaultdict

from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.plan import PlanGraph
from amb_book.story import Story
from hypothesis import given, settings
from hypothesis import strategies as st

from amb_core.stores import InMemoryStore

WHO = st.sampled_from(["Mara", "Joss", "林月"])
PLACES = ["Harrow", "Lyness", "听潮阁"]
THINGS = ["the red sword", "照夜灯"]
STATES = ["alive", "dead", "missing"]

STATEMENTS = st.one_of(
    st.builds(lambda who, place: {"subject": who, "relation": "IS_AT", "object": place}, WHO, st.sampled_from(PLACES)),
    st.builds(lambda who, thing: {"subject": who, "relation": "OWNS", "object": thing}, WHO, st.sampled_from(THINGS)),
    st.builds(lambda who, state: {"status": {"of": who, "is": state}}, WHO, st.sampled_from(STATES)),
)
SETTLEMENTS = st.lists(
    st.tuples(st.integers(1, 6), st.lists(STATEMENTS, min_size=1, max_size=4)),
    max_size=6,
    unique_by=lambda each: each[0],
)


def slot(statement: dict) -> tuple[str, str]:
    if "status" in statement:
        return ("HAS_STATUS", statement["status"]["of"])
    side = "object" if statement["relation"] == "OWNS" else "subject"
    return (statement["relation"], statement[side])


def value(statement: dict) -> str:
    if "status" in statement:
        return statement["status"]["is"]
    return statement["subject" if statement["relation"] == "OWNS" else "object"]


def expected(settled: list[tuple[int, list[dict]]], at: int) -> dict[tuple[str, str], str]:
    """What holds in a chapter, by going through all chapters up to it in order."""
    now: dict[tuple[str, str], str] = {}
    for chapter, statements in sorted(settled, key=lambda each: each[0]):
        if chapter <= at:
            now.update({slot(statement): value(statement) for statement in statements})
    return now


def told(facts: FactGraph, at: int) -> dict[tuple[str, str], list[str]]:
    """What the fact graph says holds in a chapter."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for fact in facts.facts(at=at):
        assert fact.since <= at
        assert fact.until is None
        if fact.relation == "OWNS":
            found[fact.relation, fact.object].append(fact.subject)
        else:
            found[fact.relation, fact.subject].append(fact.object)
    return found


@settings(max_examples=30, deadline=None)
@given(SETTLEMENTS)
def test_in_whatever_order_chapters_are_settled_each_knows_what_the_ones_up_to_it_say(settled):
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    for chapter, statements in settled:
        facts.settle(chapter=chapter, statements=statements)
    for at in range(7):
        assert told(facts, at) == {key: [what] for key, what in expected(settled, at).items()}


@settings(max_examples=20, deadline=None)
@given(SETTLEMENTS, st.data())
def test_what_is_taken_back_was_never_there(settled, data):
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    done = [facts.settle(chapter=chapter, statements=statements).id for chapter, statements in settled]
    gone = set(data.draw(st.sets(st.sampled_from(range(len(done)))))) if done else set()
    for number in gone:
        facts.undo(done[number])
    left = [each for number, each in enumerate(settled) if number not in gone]
    for at in range(7):
        assert told(facts, at) == {key: [what] for key, what in expected(left, at).items()}


@settings(max_examples=20, deadline=None)
@given(SETTLEMENTS, st.integers(1, 6))
def test_nothing_of_a_later_chapter_is_in_any_answer(settled, at):
    one, other = (FactGraph(RecordGraph(InMemoryStore(), "book:facts")) for _ in range(2))
    for chapter, statements in settled:
        one.settle(chapter=chapter, statements=statements, settlement=f"s{chapter}")
        if chapter <= at:
            other.settle(chapter=chapter, statements=statements, settlement=f"s{chapter}")
    assert answers(one, at) == answers(other, at)


def answers(facts: FactGraph, at: int) -> list[str]:
    people = facts.entities(at=at)
    every = [facts.timeline(each.id, at=at) for each in people] + [facts.about(each.id, at=at) for each in people]
    text = " ".join(["Mara", "Joss", "林月", *PLACES, *THINGS])
    said = [facts.chapters(at=at), facts.hooks(at=at), facts.facts(at=at), facts.mentions(text, at=at), people, *every]
    return sorted("".join(sorted(str(each))) for each in said)  # in whatever order things were first told of


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text("abcxyz计划", min_size=1, max_size=8), unique=True, max_size=5), st.data())
def test_nothing_planned_ever_comes_back_as_a_fact(names, data):
    with Story(None) as story:
        story.settle(chapter=1, statements=[{"entity": "Mara", "kind": "character"}])
        story.plan.add("general_outline", id="book", title="book")
        story.plan.add("long_outline", id="long", title="long")
        story.plan.add("short_outline", id="short", title="short")
        for name in names:
            story.plan.add("step", id=f"step {name}", title=f"PLANNED {name}")
            if data.draw(st.booleans()):
                story.plan.start(f"step {name}")
        told_now = [story.facts.about("Mara"), story.facts.entities(), story.facts.facts(), story.facts.hooks()]
        assert "PLANNED" not in str(told_now)
        assert story.position().chapter == 1
        assert all(isinstance(part.status, str) for part in PlanGraph.parts(story.plan))
