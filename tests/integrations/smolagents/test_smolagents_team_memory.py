"""Managers and managed agents with a team memory: what they find, ask and say, and what stays private."""

from __future__ import annotations

import asyncio
import inspect
import runpy
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call
from amb_core import InvalidParameter, MemoryBank
from amb_core.rendering import strip_block
from amb_team import TeamMemory
from amb_team.team_records import OutputNote

pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
from smolagents import CodeAgent, ToolCallingAgent, tool

from amb_smolagents import attach, attach_team, detach, detach_team

pytestmark = pytest.mark.smolagents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))
BOTH = pytest.mark.parametrize("kind", [ToolCallingAgent, CodeAgent])

workplace = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("team_workplace.py"))))
QUESTION, FILM, FIND, Workplace, search = (
    getattr(workplace, name) for name in ("QUESTION", "FILM", "FIND", "Workplace", "search")
)


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    with TeamMemory(QUESTION, agents=["manager", "retriever", "critic"]) as made:
        yield made


@pytest.fixture
def place() -> Any:
    return Workplace()


def two(place: Any, kind: Any, *, then: Sequence[Sequence[Call]] = (), **options: Any) -> Any:
    """A manager that has its retriever search for the film, and then goes on."""
    found = [search("Titanic director", "c1")]
    retriever = place.agent("retriever", found, kind=kind, answer="It is James Cameron.", **options)
    return place.agent(None, [FIND], *then, kind=kind, answer="Suzy Amis.", managed_agents=[retriever])


def messages_of(team: TeamMemory) -> list[tuple[str, str, str]]:
    return [(said.agent, said.to, said.message) for said in team.shared.interactions]


@BOTH
def test_what_a_managed_agent_finds_is_in_the_next_team_block_of_its_manager(
    team: TeamMemory, place: Any, kind: Any
) -> None:
    lead = two(place, kind)
    attach_team(lead, team)
    assert lead.run(QUESTION) == "Suzy Amis."
    told = place.seen("manager").partition("<team>")[2]
    assert "Titanic is a 1997 American film directed by James Cameron." in told
    assert place.seen("manager").count("<team>") == 1
    assert "<team>" not in str(lead.memory.get_full_steps())
    detach_team(lead)


@BOTH
def test_a_search_that_was_made_is_answered_from_memory(team: TeamMemory, place: Any, kind: Any) -> None:
    lead = two(place, kind, then=[[search("the director of Titanic", "c2")]])
    given = attach_team(lead, team)
    lead.run(QUESTION)
    assert place.made == ["Titanic director"]
    assert "Found in the team's memory: retriever asked “Titanic director”" in place.seen("manager")
    assert FILM in place.seen("manager").partition("<memory>")[0]
    assert [entry.metadata["tool"] for entry in given["manager"].bank.snapshot().results] == ["retriever"]
    assert (team.statistics().total_hops, team.statistics().repeats_avoided) == (1, 1)
    detach_team(lead)


@BOTH
@pytest.mark.parametrize("streamed", [False, True])
def test_parallel_and_streamed_calls_are_each_answered_by_what_they_asked(
    team: TeamMemory, place: Any, kind: Any, streamed: bool
) -> None:
    calls = [search("Titanic director", "c2"), search("Titanic ship builder", "c3")]
    lead = two(place, kind, then=[calls])
    attach_team(lead, team)
    _ = list(lead.run(QUESTION, stream=True)) if streamed else lead.run(QUESTION)
    assert place.made == ["Titanic director", "Titanic ship builder"]
    assert place.seen("manager").count("Found in the team's memory") == 1
    detach_team(lead)


def test_teams_in_threads_of_an_event_loop_keep_to_themselves() -> None:
    async def run(place: Any) -> TeamMemory:
        team = TeamMemory(QUESTION, agents=["manager", "retriever"])
        lead = two(place, ToolCallingAgent, then=[[search("Titanic director", "c2")]])
        attach_team(lead, team)
        await asyncio.to_thread(lead.run, QUESTION)
        detach_team(lead)
        return team

    async def both() -> list[TeamMemory]:
        return await asyncio.gather(*map(run, places))

    places = [Workplace(), Workplace()]
    for place, team in zip(places, asyncio.run(both()), strict=True):
        assert (len(place.made), team.statistics().total_hops) == (1, 1)
        team.close()


@BOTH
def test_a_search_that_broke_off_is_made_again(team: TeamMemory, place: Any, kind: Any) -> None:
    @tool
    def search_wikipedia(query: str) -> str:
        """Search an encyclopaedia.

        Args:
            query: What for.
        """
        place.made.append(query)
        if len(place.made) == 1:
            raise OSError("the wire is cut")
        return FILM

    calls = [[search("Titanic director", f"c{number}")] for number in range(3)]
    agent = place.agent("retriever", *calls, kind=kind)
    agent.tools["search_wikipedia"] = search_wikipedia
    attach_team(agent, team)
    agent.run(QUESTION)
    assert place.made == ["Titanic director"] * 2
    detach_team(agent)


@BOTH
def test_tools_that_search_a_memory_are_always_run(team: TeamMemory, place: Any, kind: Any) -> None:
    @tool
    def memory_search(query: str) -> str:
        """Search your memory.

        Args:
            query: What for.
        """
        place.made.append(query)
        return FILM

    calls = [[Call("memory_search", {"query": "Titanic"}, f"c{number}")] for number in range(2)]
    agent = place.agent("retriever", *calls, kind=kind)
    agent.tools["memory_search"] = memory_search
    attach_team(agent, team)
    agent.run(QUESTION)
    assert place.made == ["Titanic"] * 2
    detach_team(agent)


def test_code_gets_objects_from_the_tool_itself(team: TeamMemory, place: Any) -> None:
    @tool
    def search_numbers(query: str) -> list:
        """Search numbers.

        Args:
            query: What for.
        """
        place.made.append(query)
        return [1, 2]

    replies = [scripted.code("print(sum(search_numbers('few')))")] * 2 + [scripted.code("final_answer('Done.')")]
    agent = CodeAgent(tools=[search_numbers], model=scripted.ScriptedModel(replies), verbosity_level=0)
    with MemoryBank(QUESTION) as bank:
        attach(agent, bank, team=team.member("retriever"))
        assert agent.run(QUESTION) == "Done."
    assert place.made == ["few", "few"]


# --- what they say to each other --------------------------------------------------------------------------------------


@BOTH
def test_a_manager_and_its_agent_hear_each_other_and_what_models_write_is_their_own_note(
    team: TeamMemory, place: Any, kind: Any
) -> None:
    lead = two(place, kind)
    attach_team(lead, team)
    lead.run(QUESTION)
    expected = [("manager", "retriever", "Find the director."), ("retriever", "manager", "It is James Cameron.")]
    assert messages_of(team) == expected
    assert team.statistics().total_hops == 1  # what a team-mate says is no observation
    notes = [kept.content for kept in team.private("retriever").records() if isinstance(kept, OutputNote)]
    assert len(notes) == (2 if kind is CodeAgent else 0)
    assert "search_wikipedia(**" not in str([team.snapshot(), team.snapshot("manager")])
    detach_team(lead)


@BOTH
def test_a_summary_of_work_names_what_is_private_and_nothing_more(team: TeamMemory, place: Any, kind: Any) -> None:
    diary = [Call("read_diary", {"page": "last"}, "c1")]
    mate = place.agent("retriever", diary, kind=kind, answer="Nothing.", provide_run_summary=True)
    lead = place.agent(None, [FIND], kind=kind, managed_agents=[mate])
    given = attach_team(lead, team, share=lambda result: result.tool == "retriever")
    lead.run(QUESTION)
    assert "summary_of_work" in place.seen("manager")
    called = "read_diary" if kind is ToolCallingAgent else "python_interpreter"
    assert f"The result of {called} is kept in this agent's own memory." in place.seen("manager")
    others = [place.seen("manager"), team.snapshot(), team.snapshot("manager"), given["manager"].bank.snapshot()]
    assert "gull" not in str(others)
    assert "gull" in str(given["retriever"].bank.snapshot())
    assert messages_of(team)[1][2] == "Nothing."
    detach_team(lead)


@pytest.mark.parametrize("later", ["print(kept[:24])", "print(kept.upper())"])
def test_what_code_prints_of_something_private_is_private_also_later(team: TeamMemory, place: Any, later: str) -> None:
    replies = ["kept = read_diary('last')\nprint(kept)", later, "print(search_wikipedia('Titanic director'))"]
    mate = place.agent("retriever", kind=CodeAgent)
    place.models["retriever"].replies[:0] = [*map(scripted.code, replies)]
    given = attach_team(mate, team, share=lambda result: result.tool != "read_diary")
    mate.run(QUESTION)
    assert [hop.action for hop in team.shared.hops] == ["Search[Titanic director]"]
    assert "harbour" not in str(team.snapshot()).casefold()
    assert "harbour" in str(given["retriever"].bank.snapshot())
    detach_team(mate)


# --- joining and leaving ----------------------------------------------------------------------------------------------


@BOTH
def test_after_detaching_all_agents_are_as_they_were(team: TeamMemory, place: Any, kind: Any) -> None:
    lead = two(place, kind)
    agents = [lead, *lead.managed_agents.values()]
    tools = [list(one.tools) for one in agents]
    attach_team(lead, team)
    lead.run(QUESTION)
    detach_team(lead)
    assert [list(one.tools) for one in agents] == tools
    assert not [name for one in agents for name, value in vars(one).items() if inspect.ismethod(value)]
    for model in place.models.values():
        model.seen.clear()
    lead.run(QUESTION)
    assert strip_block(place.seen("manager")) == place.seen("manager")
    assert len(place.made) == 2
    with pytest.raises(InvalidParameter, match="no team's memory was attached"):
        detach_team(lead)


def test_nothing_is_attached_when_one_agent_cannot_be(team: TeamMemory, place: Any) -> None:
    lead = two(place, ToolCallingAgent)
    mate = lead.managed_agents["retriever"]
    with MemoryBank(QUESTION) as bank:
        attach(mate, bank)
        with pytest.raises(InvalidParameter, match="'retriever' has a memory already"):
            attach_team(lead, team)
        detach(mate)
        with pytest.raises(InvalidParameter, match="a bank of its own"):
            attach_team(lead, team, bank=lambda name: bank)
    assert ["deep_retrieval" in one.tools for one in (lead, mate)] == [False, False]
    attach_team(lead, team)
    with pytest.raises(InvalidParameter, match="has a memory already"):
        attach_team(lead, team)
    detach(lead)  # the one that leads takes the others with it
    assert "deep_retrieval" not in mate.tools
