"""What is Strands' own: its window, its users and sessions, agents that work as tools, and its messages."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, long_task, page, read_pages, task
from amb_core import InvalidParameter, MemoryBank, Scope, ScopeMixed
from amb_core.contributor import Contributor, RecallContext

pytest.importorskip("strands.middleware", reason="Strands Agents is not installed: make test-frameworks")
from strands.session.file_session_manager import FileSessionManager

from amb_strands import AMBPlugin, attach, detach, memory_tools

pytestmark = pytest.mark.strands
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("strands_driver.py"))))


def test_the_window_of_strands_cuts_nothing_while_a_memory_is_on_and_is_back_afterwards() -> None:
    model = scripted.ScriptedModel(long_task())
    agent = scripted.agent_for(long_task(), model)
    attach(agent, MemoryBank(task()))
    agent(task())
    assert len(agent.messages) == 42
    assert "<memory>" not in str(agent.messages)
    detach(agent)
    assert agent.conversation_manager.window_size == 40


def test_the_roles_of_each_request_are_in_turn() -> None:
    model = scripted.ScriptedModel(long_task())
    scripted.agent_for(long_task(), model, plugins=[AMBPlugin(MemoryBank(task()), inject="always")])(task())
    assert [roles for roles in model.roles if roles != ["user", "assistant"] * (len(roles) // 2) + ["user"]] == []


def test_a_function_gives_each_user_and_session_a_bank_of_its_own(tmp_path: Path) -> None:
    banks: dict[Scope, MemoryBank] = {}

    def bank_of(scope: Scope) -> MemoryBank:
        return banks.setdefault(scope, MemoryBank(task()))

    plugin = AMBPlugin(bank_of)
    for number, user in enumerate(["ann", "bob"]):
        session = FileSessionManager(session_id=f"s-{user}", storage_dir=str(tmp_path))
        model = scripted.ScriptedModel(read_pages(number))
        agent = scripted.agent_for(read_pages(number), model, plugins=[plugin], session_manager=session)
        agent(task(), invocation_state={"user_id": user})
    assert set(banks) == {Scope("ann", "s-ann"), Scope("bob", "s-bob")}
    assert [[entry.text for entry in bank.snapshot().results] for bank in banks.values()] == [[page(0)], [page(1)]]


def test_a_session_goes_on_after_a_restart_with_the_memory_of_before(tmp_path: Path) -> None:
    def agent_of(bank: MemoryBank, *numbers: int) -> Any:
        session = FileSessionManager(session_id="s1", storage_dir=str(tmp_path))
        model = scripted.ScriptedModel(read_pages(*numbers))
        return scripted.agent_for(
            read_pages(), model, plugins=[AMBPlugin(bank, inject="always")], session_manager=session
        )

    url = f"sqlite:///{tmp_path}/memory.db"
    bank = MemoryBank(task(), store=url)
    agent_of(bank, 0, 1)(task())
    bank.close(keep=True)
    bank = MemoryBank.resume(url)
    agent = agent_of(bank, 2)
    agent("And the others?")
    assert bank.size.entries == 3
    assert all(fact(number) in str(agent.model.requests[-1].messages) for number in range(3))
    bank.close()


def test_an_agent_that_works_as_a_tool_belongs_to_the_run_around_it() -> None:
    bank = MemoryBank(task())
    inner = scripted.agent_for(read_pages(1), scripted.ScriptedModel(read_pages(1)), name="helper")
    asks = Scenario(task(), ((Call("helper", {"input": "Which page?"}, "call-h"),),), ())
    outer = scripted.agent_for(asks, scripted.ScriptedModel(asks))
    outer.tool_registry.register_tool(inner.as_tool())
    attach(inner, bank)
    attach(outer, bank)
    assert str(outer(task())).strip() == asks.answer
    assert page(1) in [entry.text for entry in bank.snapshot().results]


def test_a_search_that_the_team_made_is_answered_from_its_memory() -> None:
    class Mate(Contributor):
        team, agent, most_tokens = None, "ann", 0

        def cached_result(self, tool: str, arguments: Any) -> str:
            return f"The team read page {arguments['number']} already."

        def block(self, context: RecallContext, room: int) -> str:
            return ""

    model = scripted.ScriptedModel(read_pages(3))
    scripted.agent_for(read_pages(3), model, plugins=[AMBPlugin(MemoryBank(task()), team=Mate())])(task())
    assert "The team read page 3 already." in str(model.requests[-1].messages)
    assert fact(3) not in str(model.requests[-1].messages)


def test_a_named_user_is_refused_at_the_bank_of_another() -> None:
    plugin = AMBPlugin(MemoryBank(task()))
    agents = [
        scripted.agent_for(read_pages(0), scripted.ScriptedModel(read_pages(0)), plugins=[plugin]) for _ in range(2)
    ]
    agents[0](task(), invocation_state={"user_id": "ann"})
    agents[1].state.set("user_id", "bob")
    with pytest.raises(ScopeMixed, match="another user"):
        agents[1](task())


def test_attach_and_detach_say_what_is_wrong() -> None:
    agent = scripted.agent_for(read_pages(), scripted.ScriptedModel(read_pages()))
    attach(agent, bank := MemoryBank(task()))
    with pytest.raises(InvalidParameter, match="has a memory already"):
        attach(agent, bank)
    detach(agent)
    with pytest.raises(InvalidParameter, match="nothing was attached"):
        detach(agent)
    assert [tool.tool_name for tool in memory_tools(bank)] == ["deep_retrieval"]
