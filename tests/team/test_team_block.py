"""What a block says first when there is little room, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter

import pytest

from amb_core.contributor import RecallContext
from amb_core.text import estimate_tokens
from amb_longterm import LongTermMemory
from amb_team import TeamMemory
from amb_team.team_block import WORDS

QUESTION = "Where was the designer of the Halden Bridge born?"
BRIDGE = "The Halden Bridge is a bridge in Norway. It is 612 metres long. It was designed by the engineer Olav Brekke."
BREKKE = "Olav Brekke (1908–1988) was a Norwegian engineer. He was born in Bergen and taught for many years."
NOWHERE = "Could not find [Norse]. Similar: ['Olav Brekke', 'Velm Harbour', 'Halden']."


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    with TeamMemory(QUESTION, agents=["solver", "retriever"]) as opened:
        yield opened


def test_the_team_sees_the_answer_that_one_agent_found_and_the_facts_that_lead_to_it(team: TeamMemory) -> None:
    team.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
    team.observe(agent="retriever", action="Search[Olav Brekke]", observation=BREKKE)
    block = team.inject("solver")
    assert "Answer so far: Bergen (" in block
    assert "from Search[Olav Brekke])" in block
    assert "designed by the engineer Olav Brekke" in block
    assert "born in Bergen" in block


def test_what_one_agent_is_led_to_is_suggested_to_the_other_until_somebody_asked_it(team: TeamMemory) -> None:
    team.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
    assert "To ask next: Olav Brekke" in team.inject("retriever")
    team.observe(agent="retriever", action="Search[Olav Brekke]", observation=BREKKE)
    assert "To ask next: Olav Brekke" not in team.inject("solver")


def test_with_little_room_the_answer_and_the_searches_are_kept(team: TeamMemory) -> None:
    for number in range(6):
        text = f"Halden Bridge No. {number} was designed in {1900 + number} and opened by the mayor of the town."
        team.observe(agent="solver", action=f"Search[Halden Bridge {number}]", observation=text)
    team.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
    team.observe(agent="solver", action="Search[Olav Brekke]", observation=BREKKE)
    block = team.inject("solver", budget_tokens=120)
    assert estimate_tokens(block) <= 120
    assert "Answer so far: Bergen" in block
    assert "Already searched, do not repeat: Olav Brekke; Halden Bridge" in block


def test_titles_like_one_that_was_not_found_are_suggested_and_the_miss_is_told_apart(team: TeamMemory) -> None:
    team.observe(agent="solver", action=f"Search[{QUESTION}]", observation=NOWHERE)
    block = team.inject("retriever")
    assert "Found nothing: the whole question" in block
    assert "To ask next: Halden; Olav Brekke" in block
    assert "Already searched" not in block


def test_a_page_that_was_not_found_may_be_asked_for_in_another_spelling(team: TeamMemory) -> None:
    team.observe(agent="solver", action="Search[Halden; Bridge]", observation=NOWHERE)
    assert team.before_search("retriever", "Halden: Bridge") is None
    assert team.before_search("retriever", "halden; bridge") is not None


def test_statements_about_the_same_thing_are_facts_of_their_own(team: TeamMemory) -> None:
    team.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
    told = [fact.statement for fact in team.shared.facts]
    assert any("designed by" in text for text in told)
    assert any(text.startswith("The Halden Bridge is") for text in told)


def test_a_fact_that_only_says_it_is_shown_with_its_page(team: TeamMemory) -> None:
    team.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
    assert "- Halden Bridge: It was designed by the engineer Olav Brekke." in team.inject("solver")


def test_the_way_of_a_task_that_is_nearly_this_one_stays_before_an_agent() -> None:
    with LongTermMemory() as meta:
        with TeamMemory(QUESTION, agents=["solver"], meta=meta) as first:
            first.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
            first.observe(agent="solver", action="Search[Olav Brekke]", observation=BREKKE)
            first.finish(answer="Bergen", success=True)
        again = "The Halden Bridge has a designer; where was the designer born?"
        with TeamMemory(again, agents=["solver"], meta=meta) as second:
            second.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
            assert "worked: Where was the designer" in second.inject("solver")
        with TeamMemory("Who owns the Blue Heron Club?", agents=["solver"], meta=meta) as other:
            other.observe(agent="solver", action="Search[Blue Heron Club]", observation="It is a club in Velm.")
            assert "worked:" not in other.inject("solver")


def test_both_languages_have_the_same_words_with_the_same_places_to_fill() -> None:
    english, chinese = WORDS.values()
    assert {name: places(text) for name, text in english.items()} == {
        name: places(text) for name, text in chinese.items()
    }


def places(text: str) -> set[str | None]:
    return {field for _, field, _, _ in Formatter().parse(text)} - {None}


def test_what_the_request_holds_is_not_told_again():
    with TeamMemory("Where was the designer of the Halden Bridge born?", agents=["solver", "retriever"]) as team:
        team.observe(agent="solver", action="Search[Halden Bridge]", observation=BRIDGE)
        whole = team.inject("retriever")
        held = f"{team.task}\nSearch[Halden Bridge]\n{BRIDGE}"
        news = team.member("retriever").block(RecallContext(request=held), 400)
        assert "To ask next: Olav Brekke → born" in whole
        assert "To ask next: Olav Brekke → born" in news
        assert not any(line in news for line in (*BRIDGE.split(". "), team.task, "Already searched"))
        assert len(news) < len(whole) / 2
