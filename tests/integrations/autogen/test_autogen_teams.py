"""One call gives the agents of a group their own memories and the team's; scripted models, real group chats."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Scenario
from amb_core import BankClosed, InvalidParameter, MemoryBank
from amb_team import TeamMemory
from amb_team.team_records import OutputNote

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from autogen_agentchat.agents import AssistantAgent, MessageFilterAgent, MessageFilterConfig, UserProxyAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import MagenticOneGroupChat, RoundRobinGroupChat, SelectorGroupChat, Swarm
from autogen_agentchat.tools import AgentTool
from autogen_core.tools import StaticStreamWorkbench

from amb_autogen import AMBContext, attach, attach_team, detach, detach_team, with_memory
from amb_autogen.searches import as_tool

pytestmark = pytest.mark.autogen
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("autogen_driver.py"))))
TASK = "Who is the spouse of the director of Titanic?"
PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
PARTS = ("_model_context", "_workbench", "_tool_call_summary_formatter")


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    with TeamMemory(TASK, agents=["solver", "retriever"]) as made:
        yield made


class Library:
    """A search tool that counts how often it runs."""

    def __init__(self, page: str = PAGE) -> None:
        self.made: list[str] = []
        self._page = page

    async def search(self, query: str) -> str:
        """Search the library."""
        self.made.append(query)
        return self._page

    def diary(self, day: int) -> str:
        """Read the diary."""
        self.made.append(f"diary {day}")
        return f"On day {day} the password was gull."


def _searching(query: str = "Titanic director", call_id: str = "call-1", tool: str = "search") -> Scenario:
    asked = {"query": query} if tool == "search" else {"day": 1}
    return Scenario(TASK, ((scripted.Call(tool, asked, call_id),),), ())


def _answering() -> Scenario:
    return Scenario(TASK, (), ())


def _member(name: str, scenario: Scenario, library: Library, **arguments: Any) -> tuple[AssistantAgent, Any]:
    client = scripted.client_for(scenario)
    arguments = {"tools": [library.search, library.diary]} | arguments
    return AssistantAgent(name, client, description=name, **arguments), client


def _round(*members: Any, turns: int = 2) -> RoundRobinGroupChat:
    return RoundRobinGroupChat([*members], termination_condition=MaxMessageTermination(1 + turns))


def _shown(client: Any, call: int = 0) -> str:
    return "\n".join(str(message.content) for message in client.create_calls[call]["messages"])


async def test_each_agents_next_request_has_what_the_other_found(team: TeamMemory) -> None:
    library = Library()
    retriever, _ = _member("retriever", _searching(), library)
    solver, client = _member("solver", _answering(), library)
    group = _round(retriever, solver)
    contexts = attach_team(group, team)
    await group.run(task=TASK)
    gist = "Search[Titanic director] → Titanic is a 1997 American film directed by James Cameron."
    assert [m.content for m in client.create_calls[0]["messages"] if getattr(m, "source", "") == "retriever"] == [gist]
    assert [said.message for said in team.shared.interactions] == [gist]
    block = str(client.create_calls[0]["messages"][-1].content).partition("<team>")[2]
    assert "To ask next: James Cameron spouse" in block
    assert "directed by James Cameron" not in block  # the request says so
    assert [len(contexts[name].bank.snapshot().results) for name in ("retriever", "solver")] == [1, 0]
    detach_team(group)


@pytest.mark.parametrize("calls", [1, 2])
async def test_the_second_search_is_answered_from_memory_and_the_tool_does_not_run(
    team: TeamMemory, calls: int
) -> None:
    library = Library()
    retriever, _ = _member("retriever", _searching(), library)
    again = tuple(scripted.Call("search", {"query": "the director of Titanic"}, f"again-{n}") for n in range(calls))
    solver, client = _member("solver", Scenario(TASK, (again,), ()), library, max_tool_iterations=3)
    group = _round(retriever, solver)
    contexts = attach_team(group, team)
    await group.run(task=TASK)
    assert library.made == ["Titanic director"]
    assert "Found in the team's memory: retriever asked “Titanic director”" in _shown(client, 1)
    assert (team.statistics().repeats_avoided, team.statistics().total_hops) == (calls, 1)
    assert contexts["solver"].bank.snapshot().results == ()
    assert team.private("retriever").peer("solver").status == ("stuck" if calls > 1 else "working")


async def test_what_each_says_is_its_own_note_and_what_it_hears_is_remembered_once(team: TeamMemory) -> None:
    library = Library()
    solver, _ = _member("solver", Scenario(TASK, (), (), answer="It is Suzy Amis."), library)
    retriever, client = _member("retriever", _searching(), library, max_tool_iterations=3)
    group = _round(solver, retriever)
    attach_team(group, team)
    await group.run(task=TASK)
    assert "It is Suzy Amis." in _shown(client)
    heard = [(said.agent, said.to, said.message) for said in team.shared.interactions]
    assert heard == [("solver", "retriever", "It is Suzy Amis.")]
    kept = [note.content for note in team.private("solver").records() if isinstance(note, OutputNote)]
    assert kept == ["It is Suzy Amis."]


async def test_what_is_not_shared_reaches_no_mate_by_any_way(team: TeamMemory) -> None:
    library = Library()
    retriever, _ = _member("retriever", _searching(tool="diary"), library)
    solver, client = _member("solver", _answering(), library)
    group = _round(retriever, solver)
    contexts = attach_team(group, team, share=lambda result: result.tool != "diary")
    await group.run(task=TASK)
    assert "gull" not in _shown(client)
    assert "gull" not in str(team.snapshot()) + str(team.snapshot("solver"))
    assert "gull" in contexts["retriever"].bank.snapshot().results[0].text


async def test_thoughts_handed_over_in_a_swarm_stay_private(team: TeamMemory) -> None:
    library = Library()
    calls = (scripted.Call("diary", {"day": 1}, "c1"), scripted.Call("transfer_to_solver", {}, "c2"))
    retriever, model = _member("retriever", Scenario(TASK, (calls,), ()), library, handoffs=["solver"])
    model.chat_completions[0].thought = "The harbour is my secret."
    solver, _ = _member("solver", _answering(), library)
    swarm = Swarm([retriever, solver], termination_condition=MaxMessageTermination(3))
    attach_team(swarm, team, share=lambda result: result.tool != "diary")
    await swarm.run(task=TASK)
    assert "harbour" in str(team.snapshot("retriever"))
    assert "harbour" not in str(team.snapshot()) + str(team.snapshot("solver"))
    assert "gull" not in str(team.snapshot()) + str(team.snapshot("solver"))


@pytest.mark.parametrize("form", ["selector", "magentic", "filtered", "nested", "list"])
def test_groups_of_every_kind_are_taken(team: TeamMemory, form: str) -> None:
    library = Library()
    (retriever, client), (solver, _) = (_member(name, _answering(), library) for name in ("retriever", "solver"))
    hidden = MessageFilterAgent("hidden", wrapped_agent=solver, filter=MessageFilterConfig(per_source=[]))
    group: Any = {
        "selector": lambda: SelectorGroupChat([retriever, solver], client),
        "magentic": lambda: MagenticOneGroupChat([retriever, solver], client),
        "filtered": lambda: _round(retriever, hidden),
        "nested": lambda: _round(retriever, RoundRobinGroupChat([solver])),
        "list": lambda: [retriever, solver, UserProxyAgent("user_proxy")],
    }[form]()
    assert set(attach_team(group, team)) == {"retriever", "solver"}
    detach_team(group)
    assert not isinstance(solver.model_context, AMBContext)


async def test_the_orchestrator_of_magentic_one_learns_what_was_found(team: TeamMemory) -> None:
    def ledger(done: bool, speaker: str) -> str:
        entries: dict[str, Any] = dict.fromkeys(("is_request_satisfied", "is_in_loop", "is_progress_being_made"), done)
        entries |= {"is_in_loop": False, "next_speaker": speaker, "instruction_or_question": f"Go on, {speaker}."}
        return json.dumps({name: {"reason": "", "answer": answer} for name, answer in entries.items()})

    said = ["Facts.", "Plan.", ledger(False, "retriever"), ledger(False, "solver"), ledger(True, "solver"), "Done."]
    head = scripted.ReplayChatCompletionClient(said, model_info=scripted.MODEL | {"json_output": True})
    library = Library()
    retriever, _ = _member("retriever", _searching(), library)
    solver, client = _member("solver", _searching("director of Titanic"), library)
    group = MagenticOneGroupChat([retriever, solver], head)
    attach_team(group, team)
    await group.run(task=TASK)
    assert library.made == ["Titanic director"]
    assert "directed by James Cameron" in str(head.create_calls[3]["messages"])
    assert "directed by James Cameron" in _shown(client)


async def test_detaching_gives_back_every_part_and_closes_the_banks_that_were_made(team: TeamMemory) -> None:
    (retriever, _), (solver, _) = (_member(name, _searching(), Library()) for name in ("retriever", "solver"))
    before = [getattr(agent, part) for agent in (retriever, solver) for part in PARTS]
    group = _round(retriever, solver)
    contexts = attach_team(group, team)
    await group.run(task=TASK)
    detach(solver)  # by hand
    detach_team(group)
    now = [getattr(agent, part) for agent in (retriever, solver) for part in PARTS]
    assert all(one is other for one, other in zip(now, before, strict=True))
    assert "call-1" in str(await retriever.model_context.get_messages())
    assert all(context.bank.closed for context in contexts.values())
    with pytest.raises(InvalidParameter, match="attach_team"):
        detach_team(group)
    assert team.shared.hops


def test_all_agents_get_their_memory_or_none(team: TeamMemory) -> None:
    (retriever, _), (solver, _) = (_member(name, _answering(), Library()) for name in ("retriever", "solver"))
    attach(solver, MemoryBank(TASK))
    with pytest.raises(InvalidParameter, match="'solver' has a memory already"):
        attach_team([retriever, solver], team)
    assert not isinstance(retriever.model_context, AMBContext)
    detach(solver)
    team.close()
    with pytest.raises(BankClosed):
        attach_team([retriever, solver], team)
    assert not isinstance(retriever.model_context, AMBContext)


async def test_a_saved_transcript_does_not_tell_the_team_twice(team: TeamMemory) -> None:
    library = Library()
    solver, _ = _member("solver", Scenario(TASK, (), (), answer="It is Suzy Amis."), library)
    attach_team([solver], team)
    await solver.run(task=TASK)
    await solver.load_state(await solver.save_state())
    await solver.model_context.get_messages()
    assert len([note for note in team.private("solver").records() if isinstance(note, OutputNote)]) == 1
    with pytest.raises(InvalidParameter, match="a team's memory"):
        solver.model_context.dump_component()


@pytest.mark.parametrize("way", ["tools", "workbench", "attach"])
async def test_one_agent_alone_can_be_given_its_part_and_its_tools_keep_telling_their_way(
    team: TeamMemory, way: str
) -> None:
    reader = AssistantAgent("reader", scripted.client_for(_answering()), description="reads")
    tools: list[Any] = [Library().search, AgentTool(reader)]
    team.observe(agent="retriever", action="Search[Titanic director]", observation=PAGE)
    calls = (_searching().turns[0][0], scripted.Call("reader", {"task": "Read."}, "call-2"))
    client, part = scripted.client_for(Scenario(TASK, (calls,), ())), team.member("solver")
    bench = StaticStreamWorkbench([as_tool(tool) for tool in tools])
    given = {"tools": {"tools": tools}, "workbench": {"workbench": bench}}.get(way)
    with MemoryBank(TASK) as bank:
        own: dict[str, Any] = {"tools": tools} if given is None else with_memory(bank, team=part, **given)
        agent = AssistantAgent("solver", client, **own)
        if given is None:
            attach(agent, bank, team=part)
        told = [message async for message in agent.run_stream(task=TASK)]
        assert [tool["name"] for tool in client.create_calls[0]["tools"]] == ["search", "reader", "deep_retrieval"]
        assert [each.source for each in told if getattr(each, "source", "") == "reader"] == ["reader"]
        assert [entry.metadata["tool"] for entry in bank.snapshot().results] == ["reader"]
        assert agent._workbench[0].dump_component().provider == bench.dump_component().provider
    assert team.statistics().repeats_avoided == 1
