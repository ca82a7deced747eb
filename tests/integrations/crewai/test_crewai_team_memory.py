"""A crew with a team memory: what its agents find, ask and say, sequential and hierarchical, and what stays private."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call
from amb_core import InvalidParameter, MemoryBank
from amb_team import TeamMemory
from amb_team.team_records import OutputNote

pytest.importorskip("crewai", reason="CrewAI is not installed: make test-frameworks")
from crewai import Agent, Crew, Process, Task
from crewai.hooks import InterceptionPoint, get_hooks
from crewai.tools import tool

from amb_crewai import attach, attach_team, detach, detach_team

pytestmark = [pytest.mark.crewai, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("crewai_driver.py"))))

QUESTION = "Who is the spouse of the director of Titanic?"
FILM = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
SECRET = "The password of the harbour is gull."
NATIVE = pytest.mark.parametrize("native", [True, False], ids=["tool calls", "text protocol"])
STARTS: dict[str, Callable[[Crew], Any]] = {
    "kickoff": lambda crew: crew.kickoff(),
    "kickoff_async": lambda crew: asyncio.run(crew.kickoff_async()),
    "akickoff": lambda crew: asyncio.run(crew.akickoff()),
}


def search(query: str, call: str) -> Call:
    return Call("search_wikipedia", {"query": query}, call)


class Workplace:
    """Agents with a search and a diary, and the searches that were really made."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.llms: dict[str, Any] = {}

    def agent(self, role: str, *turns: list[Call] | str, native: bool = True, **options: Any) -> Agent:
        def search_wikipedia(query: str) -> str:
            """Search an encyclopaedia."""
            self.made.append(query)
            return FILM

        def read_diary(page: str) -> str:
            """Read your diary."""
            return SECRET

        said = [each for turn in turns for each in (turn if not native and isinstance(turn, list) else [turn])]
        replies = [_said(each, native=native) for each in said]
        self.llms[role] = scripted.ScriptedLLM(model="scripted", native=native).will_say(*replies)
        tools = [tool(function) for function in options.pop("tools", (search_wikipedia, read_diary))]
        return Agent(role=role, goal="Answer.", backstory="", tools=tools, llm=self.llms[role], **options)

    def seen(self, role: str, at: int = -1) -> str:
        """All that a model was shown in one of its requests."""
        return "\n".join(str(message["content"]) for message in self.llms[role].requests[at].messages)


def _said(turn: Any, *, native: bool) -> Any:
    if isinstance(turn, str):
        return turn if native else f"Thought: I know it.\nFinal Answer: {turn}"
    if native:
        return [scripted_call(call) for call in turn]
    return f"Thought: I look.\nAction: {turn.tool}\nAction Input: {json.dumps(dict(turn.arguments))}"


def scripted_call(call: Call) -> dict[str, Any]:
    function = {"name": call.tool, "arguments": json.dumps(dict(call.arguments))}
    return {"id": call.call_id, "type": "function", "function": function}


def crew_of(*agents: Agent, **options: Any) -> Crew:
    jobs = [Task(description=f"Task of {agent.role}.", expected_output="text", agent=agent) for agent in agents]
    return Crew(agents=list(agents), tasks=jobs, **options)


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    with TeamMemory(QUESTION, agents=["solver", "retriever", "boss", "Crew Manager"]) as made:
        yield made


@pytest.fixture
def place() -> Workplace:
    return Workplace()


def two(place: Workplace, *, second: Any, native: bool = True) -> Crew:
    solver = place.agent("solver", [search("Titanic director", "c1")], "It is James Cameron.", native=native)
    return crew_of(solver, place.agent("retriever", *second, native=native))


@NATIVE
@pytest.mark.parametrize("start", STARTS)
def test_what_one_agent_finds_is_in_the_team_block_of_the_next(
    team: TeamMemory, place: Workplace, native: bool, start: str
) -> None:
    crew = two(place, second=["Suzy Amis."], native=native)
    attach_team(crew, team)
    assert STARTS[start](crew).raw == "Suzy Amis."
    told = place.seen("retriever").partition("<team>")[2]
    assert "Titanic is a 1997 American film directed by James Cameron." in told
    assert place.seen("retriever").count("<team>") == 1
    assert "<team>" not in str(crew.tasks[1].output.messages)
    detach_team(crew)


@NATIVE
@pytest.mark.parametrize("start", STARTS)
def test_a_search_that_was_made_is_answered_from_memory(
    team: TeamMemory, place: Workplace, native: bool, start: str
) -> None:
    crew = two(place, second=[[search("the director of Titanic", "c2")], "Suzy Amis."], native=native)
    given = attach_team(crew, team)
    STARTS[start](crew)
    assert place.made == ["Titanic director"]
    assert "Found in the team's memory: solver asked “Titanic director”" in place.seen("retriever")
    assert FILM in place.seen("retriever").partition("<memory>")[0]
    assert "blocked by hook" not in place.seen("retriever")
    assert given["retriever"].bank.size.entries == 0
    assert (team.statistics().total_hops, team.statistics().repeats_avoided) == (1, 1)
    detach_team(crew)


def test_parallel_calls_are_each_answered_by_what_they_asked(team: TeamMemory, place: Workplace) -> None:
    calls = [search("Titanic director", "c2"), search("Titanic ship builder", "c3")]
    crew = two(place, second=[calls, "Suzy Amis."])
    attach_team(crew, team)
    crew.kickoff()
    results = [m["content"] for m in place.llms["retriever"].requests[-1].messages if m["role"] == "tool"]
    assert [result.startswith("Found in the team's memory") for result in results] == [True, False]
    assert place.made == ["Titanic director", "Titanic ship builder"]
    detach_team(crew)


def test_a_tool_whose_result_is_the_answer_is_always_run(team: TeamMemory, place: Workplace) -> None:
    crew = two(place, second=[[search("Titanic director", "c2")], "Not asked."])
    crew.agents[1].tools[0].result_as_answer = True
    attach_team(crew, team)
    assert crew.kickoff().raw == FILM
    assert len(place.made) == 2
    detach_team(crew)


# --- what they say to each other --------------------------------------------------------------------------------------


def messages_of(team: TeamMemory) -> list[tuple[str, str, str]]:
    return [(said.agent, said.to, said.message) for said in team.shared.interactions]


@NATIVE
def test_a_task_hears_the_output_it_builds_on_and_what_models_write_is_their_own_note(
    team: TeamMemory, place: Workplace, native: bool
) -> None:
    crew = two(place, second=[[search("Cameron spouse", "c2")], "Suzy Amis."], native=native)
    attach_team(crew, team)
    crew.kickoff()
    assert messages_of(team) == [("solver", "retriever", "It is James Cameron.")]
    notes = [kept.content for kept in team.private("retriever").records() if isinstance(kept, OutputNote)]
    assert len(notes) == (1 if native else 2)
    assert notes[-1].endswith("Suzy Amis.")
    assert "I know it." not in str(team.snapshot())
    detach_team(crew)


def hierarchy(place: Workplace, *, own_manager: bool, native: bool = True, tool_name: str = "") -> Crew:
    name = tool_name or "delegate_work_to_coworker"
    asked = {"coworker": "Solver ", "context": "It is a film."}
    asked |= {"task": "find the director"} if name.startswith("delegate") else {"question": "find the director"}
    worker = place.agent("solver", [search("Titanic director", "c1")], "It is James Cameron.", native=native)
    boss = place.agent("boss", [Call(name, asked, "c0")], "Suzy Amis.", tools=(), native=native)
    manager: dict[str, Any] = {"manager_agent": boss} if own_manager else {"manager_llm": place.llms["boss"]}
    job = Task(description=QUESTION, expected_output="text")
    return Crew(agents=[worker], tasks=[job], process=Process.hierarchical, **manager)


@NATIVE
@pytest.mark.parametrize("own_manager", [True, False])
@pytest.mark.parametrize("asking", ["delegate_work_to_coworker", "ask_question_to_coworker"])
def test_a_manager_and_its_coworkers_speak_and_the_manager_knows_what_they_found(
    team: TeamMemory, place: Workplace, native: bool, own_manager: bool, asking: str
) -> None:
    crew = hierarchy(place, own_manager=own_manager, native=native, tool_name=asking)
    given = attach_team(crew, team)
    name = "boss" if own_manager else "Crew Manager"
    assert list(given) == ["solver", name]
    assert crew.kickoff().raw == "Suzy Amis."
    expected = [(name, "solver", "find the director\nIt is a film."), ("solver", name, "It is James Cameron.")]
    assert messages_of(team) == expected
    assert "Titanic is a 1997 American film" in place.seen("boss").partition("<team>")[2]
    assert team.statistics().total_hops == 1  # what a coworker says is no observation
    assert "deep_retrieval" in place.llms["boss"].requests[0].tools
    detach_team(crew)
    assert "deep_retrieval" not in [each.name for each in crew.tasks[0].tools or []]


def test_what_is_not_shared_reaches_nobody_else(team: TeamMemory, place: Workplace) -> None:
    diary = Call("read_diary", {"page": "last"}, "c1")
    crew = crew_of(place.agent("solver", [diary], "Done."), place.agent("retriever", "Done too."))
    given = attach_team(crew, team, share=lambda result: result.tool != "read_diary")
    crew.kickoff()
    assert "gull" not in place.seen("retriever")
    assert "gull" not in str([team.snapshot(), team.snapshot("retriever"), given["retriever"].bank.snapshot()])
    assert "gull" in str(given["solver"].bank.snapshot())
    detach_team(crew)


# --- joining and leaving ----------------------------------------------------------------------------------------------


def test_after_detaching_the_crew_is_as_it_was(team: TeamMemory, place: Workplace) -> None:
    crew = two(place, second=["Suzy Amis."])
    tools = [list(agent.tools) for agent in crew.agents]
    attach_team(crew, team)
    crew.kickoff()
    detach_team(crew)
    assert [list(agent.tools) for agent in crew.agents] == tools
    assert not [hook for point in InterceptionPoint for hook in get_hooks(point)]
    place.llms["solver"].will_say([scripted_call(search("Titanic director", "c9"))], "James Cameron.")
    crew.kickoff()
    assert "<team>" not in place.seen("solver")
    assert len(place.made) == 2
    with pytest.raises(InvalidParameter, match="no team's memory was attached"):
        detach_team(crew)


def test_nothing_is_attached_when_one_agent_cannot_be(team: TeamMemory, place: Workplace) -> None:
    crew = two(place, second=["Suzy Amis."])
    with MemoryBank(QUESTION) as bank:
        attach(crew.agents[1], bank)
        with pytest.raises(InvalidParameter, match="'retriever' has a memory already"):
            attach_team(crew, team)
        detach(crew.agents[1])
        with pytest.raises(InvalidParameter, match="a bank of its own"):
            attach_team(crew, team, bank=lambda name: bank)
    assert [each.name for agent in crew.agents for each in agent.tools] == ["search_wikipedia", "read_diary"] * 2
    assert not [hook for point in InterceptionPoint for hook in get_hooks(point)]
    attach_team(crew, team)
    with pytest.raises(InvalidParameter, match="this crew has a memory already"):
        attach_team(crew, team)
    detach_team(crew)
