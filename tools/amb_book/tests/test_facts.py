"""What has happened, by chapter: settled, moved, ended, found under every name, and never ahead of its time."""

from __future__ import annotations

import pytest

from amb_core import InvalidInput, InvalidParameter, UnknownId
from amb_core.errors import SettlementConflict

MARA = {"entity": "Mara Vell", "kind": "character", "aliases": ["the Grey Rider"], "properties": {"age": 31}}


def at_place(place: str, who: str = "Mara Vell") -> dict:
    return {"subject": who, "relation": "IS_AT", "object": place}


def status(what: str, who: str = "Mara Vell") -> dict:
    return {"status": {"of": who, "is": what}}


def test_what_is_settled_is_known_from_its_chapter_on(facts):
    facts.settle(chapter=3, statements=[MARA, at_place("Harrow")])
    mara = facts.about("Mara Vell")
    assert (mara.place, mara.properties, mara.entity.aliases) == ("Harrow", {"age": "31"}, ("the Grey Rider",))
    with pytest.raises(UnknownId):
        facts.about("Mara Vell", at=2)


def test_a_new_place_ends_the_old_one_and_the_past_stays_as_it_was(facts):
    facts.settle(chapter=1, statements=[MARA, at_place("Harrow")])
    facts.settle(chapter=5, statements=[at_place("Lyness")])
    assert [facts.about("Mara Vell", at=chapter).place for chapter in (1, 4, 5)] == ["Harrow", "Harrow", "Lyness"]


def test_a_chapter_settled_late_takes_its_place_between_the_others(facts):
    facts.settle(chapter=1, statements=[MARA, at_place("Harrow")])
    facts.settle(chapter=9, statements=[at_place("Lyness")])
    facts.settle(chapter=5, statements=[at_place("the ford")])
    places = [facts.about("Mara Vell", at=chapter).place for chapter in (1, 4, 5, 8, 9)]
    assert places == ["Harrow", "Harrow", "the ford", "the ford", "Lyness"]


def test_whoever_moves_twice_in_a_chapter_is_where_she_came_last(facts):
    facts.settle(chapter=1, statements=[MARA, at_place("Harrow"), at_place("the ford"), at_place("Lyness")])
    assert facts.about("Mara Vell").place == "Lyness"


def test_a_thing_has_one_owner(facts):
    sword = {"relation": "OWNS", "object": "the red sword"}
    facts.settle(chapter=1, statements=[{"subject": "Mara Vell", **sword}])
    facts.settle(chapter=4, statements=[{"subject": "Joss", **sword}])
    assert [fact.subject for fact in facts.facts(relation="OWNS")] == ["Joss"]
    assert [fact.subject for fact in facts.facts(relation="OWNS", at=3)] == ["Mara Vell"]


def test_many_may_be_members_and_what_ends_is_over(facts):
    joined = {"subject": "Mara Vell", "relation": "MEMBER_OF"}
    facts.settle(chapter=1, statements=[{**joined, "object": "the guild"}, {**joined, "object": "the watch"}])
    settled = facts.settle(chapter=3, statements=[{**joined, "object": "the guild", "until": True}])
    assert [fact.object for fact in settled.ended] == ["the guild"]
    assert [fact.object for fact in facts.facts(relation="MEMBER_OF")] == ["the watch"]


def test_what_ends_later_is_not_known_before(facts):
    facts.settle(chapter=1, statements=[MARA, at_place("Harrow")])
    facts.settle(chapter=5, statements=[at_place("Lyness")])
    assert all(fact.until is None for fact in facts.about("Mara Vell", at=4).facts)
    assert all(fact.until is None for fact in facts.timeline("Mara Vell", at=4))
    assert "Lyness" not in str(facts.timeline("Mara Vell", at=4))


def test_another_name_is_known_from_the_chapter_that_tells_it(facts):
    facts.settle(chapter=1, statements=[{"entity": "Mara Vell", "kind": "character"}])
    facts.settle(chapter=7, statements=[MARA])
    assert facts.entity("the Grey Rider").name == "Mara Vell"
    assert facts.resolve("the Grey Rider", at=6) == []
    assert facts.mentions("The tale of the Grey Rider.", at=6) == []


def test_hooks_are_laid_and_resolved(facts):
    hook = {"hook": "the secret of the pendant"}
    facts.settle(chapter=2, statements=[{**hook, "status": "Unresolved", "text": "Whose pendant is it?"}])
    facts.settle(chapter=8, statements=[{**hook, "status": "Resolved"}])
    now, then = facts.hooks()[0], facts.hooks(at=7)[0]
    assert (now.status, now.laid, now.resolved, now.text) == ("Resolved", 2, 8, "Whose pendant is it?")
    assert (then.status, then.resolved) == ("Unresolved", None)
    assert facts.hooks("Unresolved") == []


def test_two_settlements_of_a_chapter_that_do_not_agree_are_refused_until_the_author_says(facts):
    facts.settle(chapter=4, statements=[status("alive")])
    with pytest.raises(SettlementConflict, match=r"Mara Vell HAS_STATUS alive.*replace=True"):
        facts.settle(chapter=4, statements=[at_place("Harrow"), status("dead")])
    assert facts.about("Mara Vell").place == ""
    facts.settle(chapter=4, statements=[status("dead")], replace=True)
    assert facts.about("Mara Vell").status == "dead"


def test_the_same_settlement_twice_changes_nothing(facts):
    for _ in range(2):
        facts.settle(chapter=1, statements=[MARA, at_place("Harrow")], settlement="s1")
    assert len(facts.about("Mara Vell").facts) == 2


def test_a_settlement_taken_back_leaves_the_book_as_before(facts):
    facts.settle(chapter=1, statements=[MARA, at_place("Harrow"), status("alive")])
    before = [facts.timeline("Mara Vell"), facts.entities(), facts.last_chapter]
    done = facts.settle(chapter=2, statements=[at_place("Lyness"), status("dead"), at_place("Lyness", "Joss")])
    assert facts.undo(done.id) == 3
    assert [facts.timeline("Mara Vell"), facts.entities(), facts.last_chapter] == before


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
