"""Agents that share a team's memory: attached in one call, told what the others found, never searching twice."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario
from amb_core import InvalidParameter, MemoryBank

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
pytest.importorskip("langgraph_supervisor", reason="langgraph-supervisor is not installed")
from langchain.agents import create_agent
from langgraph_supervisor import create_supervisor

from amb_langgraph import AMBMiddleware, AMBSupervisor, attach_team, detach_team
from amb_longterm import LongTermMemory
from amb_team import TeamMemory

pytestmark = [pytest.mark.langgraph, pytest.mark.filterwarnings("ignore:create_react_agent has been moved")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("langgraph_driver.py"))))
QUESTION = "Who is the spouse of the director of Titanic?"
PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
ASKED = {"messages": [("user", QUESTION)]}
FIRST, SAME = "Titanic director", "the director of Titanic"


class Library:
    """A search tool, a diary, and what was asked of them."""

    def __init__(self, page: str = PAGE) -> None:
        self.asked: list[str] = []
        self.page = page

    def tools(self) -> tuple[Any, ...]:
        def search(query: str) -> str:
            """Search the library."""
            self.asked.append(query)
            return self.page

        def diary() -> str:
            """Read one's own diary."""
            return "The password of the harbour is gull."

        return search, diary


def searching(query: str, call: str, *, answer: str, also: tuple[Call, ...] = ()) -> Any:
    """A model that searches once, and then answers."""
    turns = ((Call("search", {"query": query}, call), *also),)
    return scripted.ScriptedModel.of(Scenario(QUESTION, turns, (), answer=answer))


def calling(*turns: tuple[str, dict[str, str]], answer: str = "Suzy Amis.") -> Any:
    """A model that makes one call after another, and then answers."""
    calls = tuple((Call(name, arguments, f"chief-{at}"),) for at, (name, arguments) in enumerate(turns))
    return scripted.ScriptedModel.of(Scenario(QUESTION, calls, (), answer=answer))


@pytest.fixture
def library() -> Library:
    return Library()


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    with TeamMemory(QUESTION, agents=["chief", "ada", "bea"]) as made:
        yield made


class Crew:
    """Ada and Bea look for the same thing, the one after the other; a chief hands the work out."""

    def __init__(self, library: Library, *, also: tuple[Call, ...] = ()) -> None:
        self.models = {
            "ada": searching(FIRST, "call-a", answer="The director is James Cameron.", also=also),
            "bea": searching(SAME, "call-b", answer="It is James Cameron, as I said."),
        }
        self.ada, self.bea = (create_agent(self.models[name], [*library.tools()], name=name) for name in ("ada", "bea"))

    def supervised(self) -> Any:
        self.models["chief"] = calling(("transfer_to_ada", {}), ("transfer_to_bea", {}))
        made = create_supervisor([self.ada, self.bea], model=self.models["chief"], supervisor_name="chief")
        return made.compile()

    def as_tools(self) -> Any:
        ada, bea = self.ada, self.bea

        async def ask_ada(task: str) -> str:
            """Ask Ada."""
            state = await ada.ainvoke({"messages": [("user", task)]})
            return str(state["messages"][-1].content)

        async def ask_bea(task: str) -> str:
            """Ask Bea."""
            state = await bea.ainvoke({"messages": [("user", task)]})
            return str(state["messages"][-1].content)

        self.models["chief"] = calling(("ask_ada", {"task": "Find the director."}), ("ask_bea", {"task": "Check it."}))
        return create_agent(self.models["chief"], [ask_ada, ask_bea], name="chief")


def run(graph: Any, *, in_async: bool = True) -> Any:
    config = scripted.thread()
    return asyncio.run(graph.ainvoke(ASKED, config)) if in_async else graph.invoke(ASKED, config)


def last(model: Any, number: int = -1) -> str:
    """The last message of a request, which has the blocks."""
    return str(model.requests[number].messages[-1]["content"])


def whole(model: Any, number: int = -1) -> str:
    """All messages of a request; the team's block stays where it was put while there is nothing new in it."""
    return "\n".join(str(message["content"]) for message in model.requests[number].messages)


@pytest.mark.parametrize("in_async", [False, True])
def test_one_call_gives_every_agent_of_a_supervisor_the_memory_of_the_team(library, team, in_async) -> None:
    crew = Crew(library)
    graph = crew.supervised()
    assert [*attach_team(graph, team)] == ["chief", "ada", "bea"]
    assert run(graph, in_async=in_async)["messages"][-1].content == "Suzy Amis."
    assert "<team>" in last(crew.models["bea"], 0)
    assert "Search[Titanic director] → James Cameron" in last(crew.models["bea"], 0)
    assert "James Cameron" in whole(crew.models["chief"]).partition("<team>")[2].partition("</team>")[0]


@pytest.mark.parametrize("in_async", [False, True])
def test_a_search_the_team_made_is_answered_from_memory_and_the_tool_not_run(library, team, in_async) -> None:
    crew = Crew(library)
    graph = crew.supervised()
    attach_team(graph, team)
    run(graph, in_async=in_async)
    assert library.asked == [FIRST]
    (answered,) = [each for each in crew.models["bea"].requests[-1].messages if each.get("tool_call_id") == "call-b"]
    assert answered["content"].startswith("Found in the team's memory: ada asked “Titanic director”")
    assert team.statistics().repeats_avoided == 1
    assert len(team.shared.hops) == 1


def test_agents_that_are_tools_of_a_supervisor_are_found_and_attached(library, team) -> None:
    crew = Crew(library)
    chief = crew.as_tools()
    memories = attach_team(chief, team)
    run(chief)
    assert {*memories} == {"chief", "ada", "bea"}
    assert library.asked == [FIRST]
    assert [bank.failures for bank in memories.values()] == [{}, {}, {}]


def test_what_agents_ask_and_answer_each_other_is_heard_once(library, team) -> None:
    crew = Crew(library)
    chief = crew.as_tools()
    attach_team(chief, team)
    run(chief)
    assert [(said.agent, said.to, said.message) for said in team.shared.interactions] == [
        ("chief", "ada", "Find the director."),
        ("ada", "chief", "The director is James Cameron."),
        ("chief", "bea", "Check it."),
        ("bea", "chief", "It is James Cameron, as I said."),
    ]


def test_a_supervisor_hears_what_its_workers_hand_back(library, team) -> None:
    graph = Crew(library).supervised()
    attach_team(graph, team)
    run(graph)
    heard = [(said.agent, said.message) for said in team.shared.interactions if said.to == "chief"]
    assert heard == [("ada", "The director is James Cameron."), ("bea", "It is James Cameron, as I said.")]


def test_what_is_not_shared_reaches_no_other_agent(library, team) -> None:
    crew = Crew(library, also=(Call("diary", {}, "call-d"),))
    graph = crew.supervised()
    attach_team(graph, team, share=lambda result: result.tool != "diary")
    run(graph)
    assert "gull" in str(crew.models["ada"].requests[-1])
    assert "gull" not in str(crew.models["bea"].requests) + str(crew.models["chief"].requests)
    assert "gull" not in str(team.snapshot())


@pytest.mark.parametrize("make", [Crew.supervised, Crew.as_tools])
def test_detached_agents_have_their_own_parts_again(library, team, make) -> None:
    crew = Crew(library)
    graph = make(crew)
    memories = attach_team(graph, team)
    detach_team(graph)
    run(graph)
    assert library.asked == [FIRST, SAME]
    assert "<team>" not in str([model.requests for model in crew.models.values()])
    assert team.shared.hops == []
    with pytest.raises(Exception, match="closed"):
        memories["ada"].adapter.bank.read("x", source="y")


def test_when_one_agent_cannot_be_attached_none_is(library, team) -> None:
    crew = Crew(library)
    taken = create_agent(calling(), [*library.tools()], name="bea", middleware=[AMBMiddleware(MemoryBank(QUESTION))])
    with pytest.raises(InvalidParameter, match="a memory already"):
        attach_team([crew.ada, taken], team)
    attach_team([crew.ada], team)  # it was given back whole
    detach_team([crew.ada])


def test_a_small_state_names_no_note_of_an_agent_to_the_others(library, team) -> None:
    library.page = PAGE * 40
    memory = AMBMiddleware(
        MemoryBank(QUESTION),
        team=team.member("ada"),
        small_state=True,
        share=lambda result: "Kate" not in result.output,
    )
    crew = Crew(library)
    state = run(create_agent(crew.models["ada"], [*library.tools()], middleware=[memory]))
    assert "Titanic" not in state["messages"][2].content
    assert "[n1]" not in state["messages"][2].content
    assert "James Cameron" in str(crew.models["ada"].requests[-1])


def test_parallel_calls_are_answered_each_for_itself(library, team) -> None:
    crew = Crew(library, also=(Call("search", {"query": "Kate Winslet"}, "call-k"),))
    attach_team([crew.ada, crew.bea], team)
    run(crew.ada)
    run(crew.bea)
    assert sorted(library.asked) == ["Kate Winslet", FIRST]


@pytest.mark.parametrize("placement", ["user", "system"])
def test_long_term_memory_stays_in_the_prompts_beside_the_teams(library, team, placement) -> None:
    with LongTermMemory("memory://") as store:
        store.write("Answers in French", namespace="user_profile/u1", metadata={"type": "user-profile"})
        longterm = AMBSupervisor(store, user="u1", workers=["ada"], placement=placement)
        crew = Crew(library)
        crew.models["chief"] = calling(("transfer_to_ada", {}), answer="En français.")
        graph = create_supervisor(
            [longterm.worker(crew.ada)], model=crew.models["chief"], supervisor_name="chief", tools=[*longterm.tools],
            pre_model_hook=longterm.pre_model_hook,
        ).compile()  # fmt: skip
        assert {*attach_team(graph, team)} == {"chief", "ada"}
        run(graph)
    for request in (crew.models["chief"].requests[-1], crew.models["ada"].requests[-1]):
        assert str(request).count("in French") == 1
        assert "<team>" in str(request)
