"""A book in one file: settled whole, asked where it stands, and found again as it was, whatever happened."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from contextlib import suppress

import pytest
from amb_bench.doubles.failing_store import FailingStore
from amb_book.statements import parsed
from amb_book.story import Story

from amb_core import BankClosed, InvalidInput, ManualClock, UnknownId
from amb_core.errors import SettlementConflict, StoreError
from amb_core.stores import InMemoryStore

MARA = {"entity": "Mara Vell", "kind": "character"}
HARROW = {"subject": "Mara Vell", "relation": "IS_AT", "object": "Harrow"}
PLAN = [
    {"plan": "book", "kind": "general_outline", "title": "The Ninth Rope"},
    {"plan": "war", "kind": "long_outline", "title": "The war", "within": "book"},
    {"plan": "siege", "kind": "short_outline", "title": "The siege", "within": "war", "storyline": "Mara"},
    {"plan": "walls", "kind": "step", "title": "Before the walls", "within": "siege", "status": "InProgress"},
]
LORE = {"lore": "bells", "kind": "magic", "text": "A bell obeys the hand that cast it."}


@pytest.fixture
def story(tmp_path):
    with Story(tmp_path / "book", clock=ManualClock(1_700_000_000, step=1)) as made:
        yield made


def test_a_settlement_reaches_facts_plan_and_lore_at_once(story):
    story.settle(chapter=3, title="The road", statements=[MARA, HARROW, *PLAN, LORE])
    where = story.position()
    assert (where.chapter, where.chapter_title) == (3, "The road")
    assert [(line.storyline, line.outline_title, line.step_title) for line in where.storylines] == [
        ("Mara", "The siege", "Before the walls")
    ]
    assert story.facts.about("Mara Vell").place == "Harrow"
    assert story.lore.get("bells").text == LORE["text"]


def test_the_position_is_told_in_the_language_of_the_book(story):
    assert story.position().text == "Nothing is settled yet."
    story.settle(chapter=3, title="The road", statements=PLAN)
    assert story.position().text == (
        "After chapter 3: The road\nMara: The siege, 0 of 1 steps done; now: Before the walls"
    )
    with Story(None) as chinese:
        chinese.settle(chapter=1, title="灯铺", statements=[{"entity": "沈砚", "kind": "character"}])
        assert chinese.position().text == "第 1 章之后：灯铺"


def test_a_book_is_one_file_and_is_found_again_as_it_was(story):
    story.settle(chapter=3, statements=[MARA, HARROW, *PLAN, LORE])
    before = [story.position(), story.facts.about("Mara Vell"), story.plan.parts(), story.lore.entries()]
    story.close()
    assert [file.name for file in story.place.iterdir()] == ["book.db"]
    with Story(story.place) as again:
        assert [again.position(), again.facts.about("Mara Vell"), again.plan.parts(), again.lore.entries()] == before


@pytest.mark.parametrize("wrong", [{"plan": "nowhere", "status": "InProgress"}, {"plan": "walls", "kind": "step"}])
def test_when_one_part_cannot_take_a_settlement_none_has_it(story, wrong):
    with pytest.raises(InvalidInput):
        story.settle(chapter=1, statements=[MARA, LORE, wrong])
    assert (story.facts.entities(), story.lore.entries(), story.plan.parts(), story.log.entries()) == ([], [], [], [])


def test_the_same_settlement_twice_is_one(story):
    for _ in range(2):
        story.settle(chapter=1, statements=[MARA, HARROW], id="s1")
    assert len(story.log.entries()) == 1
    assert len(story.facts.about("Mara Vell").facts) == 1


def test_two_windows_on_one_book_see_each_other(story):
    with Story(story.place) as other:
        story.settle(chapter=1, statements=[MARA, HARROW])
        assert other.facts.about("Mara Vell").place == "Harrow"
        with pytest.raises(SettlementConflict):
            other.settle(chapter=1, statements=[{**HARROW, "object": "Lyness"}])
        assert story.facts.about("Mara Vell").place == "Harrow"


def test_windows_that_settle_at_once_lose_nothing(story):
    def settle(number: int) -> None:
        with Story(story.place) as window:
            for step in range(5):
                name = f"Soldier {number}-{step}"
                window.settle(chapter=number + 1, statements=[{**HARROW, "subject": name}], id=name)

    threads = [threading.Thread(target=settle, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(story.facts.entities("character")) == 20
    assert {entry.state for entry in story.log.entries()} == {"applied"}


def test_a_settlement_taken_back_is_marked_in_the_log(story):
    done = story.settle(chapter=1, statements=[MARA, HARROW])
    assert story.undo(done.id) == 1
    assert story.log.get(done.id).state == "undone"
    with pytest.raises(UnknownId):
        story.facts.about("Mara Vell")


def test_what_was_confirmed_but_not_carried_over_is_when_the_book_is_opened(story):
    story.log.confirm(4, [], title="Only logged", id="waiting")
    story.close()
    with Story(story.place) as again:
        assert again.position().chapter_title == "Only logged"
        assert again.log.get("waiting").state == "applied"


def test_a_confirmed_settlement_that_no_part_can_take_does_not_bar_the_book(story):
    story.log.confirm(4, parsed([{"plan": "nowhere", "status": "InProgress"}, MARA]), id="wrong")
    story.close()
    with Story(story.place) as again:
        assert again.log.get("wrong").state == "refused"
        assert again.facts.entities() == []


def test_a_draft_is_checked_against_what_is_settled_at_the_position(story):
    story.settle(chapter=1, statements=[MARA])
    story.settle(chapter=2, statements=[{"status": {"of": "Mara Vell", "is": "dead"}}])
    draft = '"The gate is open," said Mara Vell, and she drew her sword.'
    (finding,) = story.check(draft)
    assert (finding.kind, finding.evidence[0].chapter) == ("dead_acts", 2)
    assert story.check(draft, at=1) == []


@pytest.mark.parametrize("call", [1, 2, 3, 4, 5, 8, 13, 21, 34, 55, 89, 144])
def test_a_store_that_fails_at_any_call_leaves_a_settlement_whole_or_absent(call):
    kept = InMemoryStore()
    store = FailingStore(kept)
    story = Story(None, store=store)
    store.fail_at(call)
    with suppress(StoreError):
        story.settle(chapter=1, statements=[MARA, HARROW, *PLAN, LORE], id="s1")
    again = Story(None, store=kept)
    parts = [again.facts.entities(), again.plan.parts(), again.lore.entries()]
    assert all(parts) or not any(parts)
    again.settle(chapter=1, statements=[MARA, HARROW, *PLAN, LORE], id="s1")
    assert again.facts.about("Mara Vell").place == "Harrow"


def test_a_closed_book_says_so(story):
    story.close()
    with pytest.raises(BankClosed):
        story.settle(chapter=1, statements=[MARA])


WRITER = """
    import sys
    from amb_book.story import Story
    with Story(sys.argv[1]) as story:
        for number in range(1, 1000):
            name = f"Soldier {number}"
            there = {"subject": name, "relation": "IS_AT", "object": "Harrow"}
            lore = {"lore": name, "text": "Born in Harrow."}
            story.settle(chapter=number, statements=[{"entity": name, "kind": "character"}, there, lore], id=name)
            print(number, flush=True)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_every_settlement_whole(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path / "book")], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    told = [int(child.stdout.readline()) for _ in range(40)]
    child.send_signal(signal.SIGKILL)
    child.wait()
    with Story(tmp_path / "book") as story:
        people = {entity.name for entity in story.facts.entities("character")}
        assert {f"Soldier {number}" for number in told} <= people
        assert people == {entry.key for entry in story.lore.entries()}
        assert all(story.facts.about(name).place == "Harrow" for name in people)
        assert {entry.state for entry in story.log.entries()} == {"applied"}
