"""What is ADK's own: users and sessions, agents that work as tools or take over, and its memory of users."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, long_task, page, read_pages, task
from amb_core import MemoryBank, Scope
from amb_longterm import LongTermMemory

pytest.importorskip("google.adk.apps", reason="Google ADK is not installed: make test-frameworks")
from google.adk.events import Event
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

from amb_google_adk import AMBMemoryService, AMBPlugin, attach

pytestmark = pytest.mark.google_adk
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("google_adk_driver.py"))))


def test_the_roles_of_each_request_are_in_turn_where_the_model_gives_no_ids() -> None:
    model = scripted.ScriptedModel.of(long_task(), ids=False)
    bank = MemoryBank(task())
    runner = scripted.runner_for(scripted.agent_for(long_task(), model), AMBPlugin(bank, inject="always"))
    asyncio.run(scripted.say(runner, task(), user="ann"))
    assert [roles for roles in model.roles if roles != ["user", "model"] * (len(roles) // 2) + ["user"]] == []
    assert [entry.text for entry in bank.snapshot().results] == [page(number) for number in range(20)]


async def test_a_function_gives_each_user_and_session_a_bank_of_its_own() -> None:
    banks: dict[Scope, MemoryBank] = {}

    def bank_of(scope: Scope) -> MemoryBank:
        return banks.setdefault(scope, MemoryBank(task()))

    model = scripted.ScriptedModel.of(read_pages(0), read_pages(1), read_pages(2))
    runner = scripted.runner_for(scripted.agent_for(read_pages(), model), AMBPlugin(bank_of))
    for user, session in [("ann", "s1"), ("bob", "s1"), ("ann", "s2")]:
        await scripted.say(runner, task(), user=user, session=session)
    assert set(banks) == {Scope("ann", "s1"), Scope("bob", "s1"), Scope("ann", "s2")}
    assert [[one.text for one in bank.snapshot().results] for bank in banks.values()] == [[page(n)] for n in range(3)]


async def test_a_session_goes_on_after_a_restart_with_the_memory_of_before(tmp_path: Path) -> None:
    sessions, url = scripted.InMemorySessionService(), f"sqlite:///{tmp_path}/memory.db"
    bank = MemoryBank(task(), store=url)
    first = scripted.agent_for(read_pages(), scripted.ScriptedModel.of(read_pages(0, 1)))
    await scripted.say(scripted.runner_for(first, AMBPlugin(bank), sessions=sessions), task(), user="ann")
    bank.close(keep=True)
    bank = MemoryBank.resume(url)
    model = scripted.ScriptedModel.of(read_pages(2))
    plugin = AMBPlugin(bank, inject="always")
    runner = scripted.runner_for(scripted.agent_for(read_pages(), model), plugin, sessions=sessions)
    await scripted.say(runner, "And the others?", user="ann")
    assert bank.size.entries == 3
    assert all(fact(number) in str(model.requests[-1].messages) for number in range(3))
    bank.close()


async def test_an_agent_that_works_as_a_tool_works_for_the_user_and_session_around_it() -> None:
    asked: list[Scope] = []
    bank = MemoryBank(task())

    def bank_of(scope: Scope) -> MemoryBank:
        asked.append(scope)
        return bank

    inner = scripted.agent_for(
        read_pages(1), scripted.ScriptedModel.of(read_pages(1)), name="helper", description="Reads."
    )
    asks = Scenario(task(), ((Call("helper", {"request": "Which page?"}, "call-h"),),), ())
    outer = scripted.agent_for(asks, scripted.ScriptedModel.of(asks), tools=[AgentTool(inner)])
    await scripted.say(scripted.runner_for(outer, AMBPlugin(bank_of)), task(), user="ann")
    assert set(asked) == {Scope("ann", "s1")}
    assert page(1) in [entry.text for entry in bank.snapshot().results]


async def test_what_an_agent_read_is_in_the_request_of_the_one_that_takes_over() -> None:
    turns = (*read_pages(*range(8)).turns, (Call("transfer_to_agent", {"agent_name": "writer"}, "call-t"),))
    first, second = scripted.ScriptedModel.of(Scenario(task(), turns, ())), scripted.ScriptedModel.of(read_pages())
    writer = scripted.agent_for(read_pages(), second, name="writer", tools=[])
    reader = scripted.agent_for(read_pages(), first, sub_agents=[writer])
    bank = MemoryBank(task())
    runner = scripted.runner_for(reader, AMBPlugin(bank, inject="always"))
    await scripted.say(runner, task(), user="ann")
    shown = str(second.requests[0].messages)
    assert [number for number in range(8) if fact(number) not in shown] == []
    assert bank.size.entries == 8


async def test_quoted_results_of_the_agent_before_are_short_and_what_they_say_is_memory() -> None:
    def read_long(number: int) -> str:
        """Read a long page."""
        return f"{'Nothing to report. ' * 300}{fact(number)} {'Nothing to report. ' * 300}"

    calls = [(Call("read_long", {"number": number}, f"call-{number}"),) for number in range(4)]
    turns = (*calls, (Call("transfer_to_agent", {"agent_name": "writer"}, "call-t"),))
    first, second = scripted.ScriptedModel.of(Scenario(task(), turns, ())), scripted.ScriptedModel.of(read_pages())
    writer = scripted.agent_for(read_pages(), second, name="writer", tools=[])
    reader = scripted.agent_for(read_pages(), first, sub_agents=[writer], tools=[read_long])
    plugin = AMBPlugin(MemoryBank(task()), inject="always")
    await scripted.say(scripted.runner_for(reader, plugin), task(), user="ann")
    shown = str(second.requests[0].messages)
    assert "read_long" in shown
    assert len(shown) < 24_000, "four results of 11,000 characters were quoted"
    assert [number for number in range(4) if fact(number) not in shown] == []


async def test_a_search_that_the_team_made_is_answered_from_its_memory() -> None:
    class Mate:
        team, agent, most_tokens = None, "ann", 0

        def cached_result(self, tool: str, arguments: Any) -> str:
            return f"The team read page {arguments['number']} already."

        def block(self, context: Any, room: int) -> str:
            return ""

        saw = said = heard = lambda self, *told: None

    model = scripted.ScriptedModel.of(read_pages(3))
    agent = scripted.agent_for(read_pages(3), model)
    attach(agent, MemoryBank(task()), team=Mate())
    await scripted.say(scripted.runner_for(agent), task(), user="ann")
    assert "The team read page 3 already." in str(model.requests[-1].messages)
    assert fact(3) not in str(model.requests[-1].messages)


async def test_an_agent_with_a_memory_of_its_own_gets_none_of_the_apps() -> None:
    own, apps = MemoryBank(task()), MemoryBank(task())
    agent = scripted.agent_for(read_pages(), scripted.ScriptedModel.of(read_pages(0)))
    attach(agent, own)
    await scripted.say(scripted.runner_for(agent, AMBPlugin(apps)), task(), user="ann")
    assert (own.size.entries, apps.size.entries) == (1, 0)


async def test_the_memory_of_users_keeps_a_session_once_finds_it_for_its_user_and_deletes_it() -> None:
    service = AMBMemoryService(LongTermMemory("memory://"))
    model = scripted.ScriptedModel.of(Scenario("", (), (), answer="Your lamp is number 4711."))
    runner = scripted.runner_for(scripted.agent_for(read_pages(), model))
    await scripted.say(runner, "Which lamp is mine?", user="ann")
    session = await runner.session_service.get_session(app_name="lighthouse", user_id="ann", session_id="s1")
    for _ in range(2):
        await service.add_session_to_memory(session)
    about = {"app_name": "lighthouse", "user_id": "ann"}
    found = (await service.search_memory(**about, query="Which number has the lamp?")).memories
    assert [one.content.parts[0].text for one in found].count("Your lamp is number 4711.") == 1
    assert not (await service.search_memory(app_name="lighthouse", user_id="bob", query="lamp number")).memories
    for one in found:
        await service.delete_memory(**about, memory_id=one.id)
    assert not (await service.search_memory(**about, query="Which number has the lamp?")).memories


async def test_an_event_is_kept_once_by_its_id_whatever_became_of_its_text(tmp_path: Path) -> None:
    def event(name: str, text: str) -> Event:
        return Event(id=name, author="user", content=types.Content(role="user", parts=[types.Part(text=text)]))

    about = {"app_name": "lighthouse", "user_id": "ann"}
    told = [event(f"e{at}", text) for at, text in enumerate(["好", "Call me at +44 20 7946 0018.", "My lamp is red."])]
    url = f"sqlite:///{tmp_path / 'users.db'}"
    with LongTermMemory(url) as memory:
        service = AMBMemoryService(memory)
        await service.add_events_to_memory(**about, events=told, session_id="s1")
        (lamp,) = [each.id for each in memory.records("lighthouse/ann") if "lamp" in each.content]
        await service.add_events_to_memory(**about, events=told, session_id="s1")
        await service.add_events_to_memory(**about, events=[event("e9", "My lamp is blue.")], session_id="s1")
        await service.delete_memory(**about, memory_id=lamp)
        before = memory.records("lighthouse/ann")
    with LongTermMemory(url) as memory:
        await AMBMemoryService(memory).add_events_to_memory(**about, events=told)
        assert memory.records("lighthouse/ann") == before
        await AMBMemoryService(memory).add_events_to_memory(**about, events=[*told, event("e10", "My oven is green.")])
        assert len(memory.records("lighthouse/ann")) == len(before) + 1
