"""What a block says of the passages of a team's bank, also while others write in it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult
from amb_core.adapter.block_source import moment_of
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.memory.moment import Moment

ASKED = Moment(said=("What does HAT71 cost?",))


def _price(number: int, price: int, *, flight: int = 71) -> ToolResult:
    output = json.dumps({"flight": f"HAT{flight}", "price": price, "seats": [number, price, flight]})
    return ToolResult(tool="look_up", arguments={"flight": flight}, output=output, call_id=f"call-{number}-x")


def test_an_older_state_in_the_teams_bank_is_marked_as_one() -> None:
    team, own = MemoryBank("Book a flight"), MemoryBank("Book a flight")
    for number, price in enumerate((100, 120)):
        team.absorb(_price(number, price))
    text = own.host.recall_for(ASKED, budget_tokens=300, shared=team).text
    assert "team step 1 · look_up 71 · price now 120, since team step 2" in text


def test_steps_named_in_marks_of_a_shared_block_can_be_opened() -> None:
    team, own = MemoryBank("Book a flight"), MemoryBank("Book a flight")
    for number, price in enumerate((100, 120)):
        own.absorb(_price(number, price))
    text = own.host.recall_for(ASKED, budget_tokens=300, shared=team).text
    assert "price now 120, since step 2" in text
    assert "120" in ContextAdapter(own, shared=team).deep_retrieval("step 2")


def test_a_page_says_whether_the_step_is_the_teams() -> None:
    team, own = MemoryBank("Book a flight"), MemoryBank("Book a flight")
    own.absorb(_price(0, 100))
    team.absorb(_price(1, 230, flight=72))
    adapter = ContextAdapter(own, shared=team)
    assert adapter.deep_retrieval("step 1").startswith("step 1 · look_up 71")
    assert adapter.deep_retrieval("team step 1").startswith("team step 1 · look_up 72")


def test_without_a_team_a_step_of_the_team_is_unknown_and_its_own_is_named() -> None:
    own = MemoryBank("Book a flight")
    own.absorb(_price(0, 100))
    told = ContextAdapter(own).deep_retrieval("team step 1")
    assert "there is no team step" in told
    assert "Did you mean step 1?" in told


def test_what_a_team_mate_says_is_no_question_of_the_users() -> None:
    said = [
        TranscriptItem("user", "Book a flight."),
        TranscriptItem("assistant", "Which one?"),
        TranscriptItem("user", "See step 3, HAT71.", of_mate=True),
    ]
    moment = moment_of(said, (), (), goal="Book a flight.", run="")
    assert (moment.asked, moment.question, moment.of_mate) == ("See step 3, HAT71.", "", True)
    assert moment_of([*said, TranscriptItem("user", "And HAT72?")], (), (), goal="", run="").question == "And HAT72?"


@pytest.mark.slow
def test_a_block_is_made_while_two_threads_write_and_forget_in_the_teams_bank() -> None:
    team, own = MemoryBank("Book a flight"), MemoryBank("Book a flight")

    def write(first: int) -> None:
        for number in range(first, first + 15):
            absorbed = team.absorb(_price(number, number, flight=number))
            if number % 5 == 4:
                team.forget(absorbed.entry_ids[0])

    def read() -> int:
        return max(own.host.recall_for(ASKED, budget_tokens=300, shared=team).tokens for _ in range(40))

    with ThreadPoolExecutor(3) as pool:
        writers, reader = [pool.submit(write, first) for first in (100, 200)], pool.submit(read)
        assert [writer.result() for writer in writers] == [None, None]
        assert reader.result() <= 300


@pytest.mark.slow
def test_two_banks_that_share_each_other_give_blocks_at_the_same_time() -> None:
    one, other = MemoryBank("Book a flight"), MemoryBank("Book a flight")
    one.absorb(_price(0, 100))
    other.absorb(_price(1, 230, flight=72))

    def ask(own: MemoryBank, team: MemoryBank) -> int:
        return sum(own.host.recall_for(ASKED, budget_tokens=300, shared=team).tokens > 0 for _ in range(40))

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(ask, one, other), pool.submit(ask, other, one)]
        assert [each.result(timeout=60) for each in asked] == [40, 40]
