"""What is Agent Framework's own: sessions, histories that a server keeps, and agents that work as tools."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.streaming_server import StreamingChatServer

from amb_chat import ScriptedChatModel
from amb_contracts.integration_story import Call, Scenario, fact, long_task, page, read_pages, task
from amb_core import InvalidInput, InvalidParameter, MemoryBank, Scope
from amb_core.adapter import TokenCounter
from amb_core.chat_io import ChatReply, ToolCall

pytest.importorskip("agent_framework", reason="Microsoft Agent Framework is not installed: make test-frameworks")
from agent_framework import AgentSession

from amb_agent_framework import AMBContextProvider, attach, detach, memory_tools

pytestmark = pytest.mark.agent_framework
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("agent_framework_driver.py"))))


async def test_a_client_that_would_keep_the_talk_on_its_server_is_told_not_to() -> None:
    class Keeps(scripted.ScriptedClient):
        STORES_BY_DEFAULT = True

    client = Keeps(read_pages(0))
    await scripted.agent_for(read_pages(), client, context_providers=[AMBContextProvider(MemoryBank(task()))]).run(
        task()
    )
    assert [options["store"] for options in client.options] == [False, False]


async def test_a_talk_that_a_server_keeps_already_is_refused_before_anything_is_sent() -> None:
    client = scripted.ScriptedClient(read_pages(0))
    agent = scripted.agent_for(read_pages(), client, context_providers=[AMBContextProvider(MemoryBank(task()))])
    with pytest.raises(InvalidInput, match="the server keeps this session's history"):
        await agent.run(task(), session=agent.get_session("resp_1"))
    assert not client.requests


async def test_a_function_gives_each_user_and_session_a_bank_of_its_own() -> None:
    banks: dict[Scope, MemoryBank] = {}

    def bank_of(scope: Scope) -> MemoryBank:
        return banks.setdefault(scope, MemoryBank(task()))

    agent = scripted.agent_for(read_pages(), scripted.ScriptedClient(read_pages(0), read_pages(1)))
    attach(agent, bank_of)
    for user in ("ann", "bob"):
        await agent.run(task(), session=scripted.session_for(agent, user))
    assert set(banks) == {Scope("ann", "s-ann"), Scope("bob", "s-bob")}
    assert [[one.text for one in bank.snapshot().results] for bank in banks.values()] == [[page(0)], [page(1)]]


async def test_a_session_goes_on_after_a_restart_with_the_memory_of_before(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/memory.db"
    bank = MemoryBank(task(), store=url)
    first = scripted.agent_for(
        read_pages(), scripted.ScriptedClient(read_pages(0, 1)), context_providers=[AMBContextProvider(bank)]
    )
    await first.run(task(), session=(session := first.create_session()))
    kept = json.dumps(session.to_dict())
    bank.close(keep=True)
    assert "<memory>" not in kept
    bank, client = MemoryBank.resume(url), scripted.ScriptedClient(read_pages(2))
    agent = scripted.agent_for(read_pages(), client, context_providers=[AMBContextProvider(bank, inject="always")])
    await agent.run("And the others?", session=AgentSession.from_dict(json.loads(kept)))
    assert bank.size.entries == 3
    assert all(fact(number) in str(client.requests[-1].messages) for number in range(3))
    bank.close()


async def test_an_agent_that_works_as_a_tool_works_for_the_user_and_session_around_it() -> None:
    asked: list[Scope] = []
    bank = MemoryBank(task())

    def bank_of(scope: Scope) -> MemoryBank:
        asked.append(scope)
        return bank

    provider = AMBContextProvider(bank_of)
    inner = scripted.agent_for(
        read_pages(), scripted.ScriptedClient(read_pages(1)), name="helper", context_providers=[provider]
    )

    async def helper(question: str) -> str:
        return str(await inner.run(question))

    asks = Scenario(task(), ((Call("helper", {"question": "Which page?"}, "call-h"),),), (helper,))
    outer = scripted.agent_for(asks, scripted.ScriptedClient(asks), context_providers=[provider])
    await outer.run(task(), session=scripted.session_for(outer, "ann"))
    assert set(asked) == {Scope("ann", "s-ann")}
    assert page(1) in [entry.text for entry in bank.snapshot().results]


async def test_a_search_that_the_team_made_is_answered_from_its_memory() -> None:
    class Mate:
        team, agent, most_tokens = None, "ann", 0

        def cached_result(self, tool: str, arguments: Any) -> str:
            return f"The team read page {arguments['number']} already."

        def block(self, context: Any, room: int) -> str:
            return ""

        saw = said = heard = lambda self, *told: None

    client = scripted.ScriptedClient(read_pages(3))
    agent = scripted.agent_for(read_pages(), client)
    attach(agent, MemoryBank(task()), team=Mate())
    await agent.run(task())
    assert "The team read page 3 already." in str(client.requests[-1].messages)
    assert fact(3) not in str(client.requests[-1].messages)


async def test_no_request_of_the_frameworks_own_client_is_over_the_budget() -> None:
    from agent_framework.openai import OpenAIChatCompletionClient

    calls = [ChatReply("", (ToolCall(c.call_id, c.tool, json.dumps(c.arguments)),)) for (c,) in long_task().turns]
    replies = [*calls, ChatReply(long_task().answer)]
    with StreamingChatServer(ScriptedChatModel(replies)) as server, MemoryBank(task()) as bank:
        client = OpenAIChatCompletionClient(model="scripted", api_key="none", base_url=server.url)
        agent = scripted.agent_for(long_task(), client)
        client.function_invocation_configuration["max_iterations"] = 30
        attach(agent, bank, inject="always")
        assert (await agent.run(task())).text == long_task().answer
        assert server.drain()
        requests = [exchange.request for exchange in server.exchanges]
    told = [sum(map(TokenCounter().message, request["messages"])) for request in requests]
    assert max(told) <= bank.settings.prompt_budget_tokens
    assert [json.dumps(request).count("</memory>") for request in requests] == [1] * 21


def test_attach_and_detach_say_what_is_wrong() -> None:
    agent = scripted.agent_for(read_pages(), scripted.ScriptedClient(read_pages()))
    attach(agent, bank := MemoryBank(task()))
    with pytest.raises(InvalidParameter, match="has a memory already"):
        attach(agent, bank)
    detach(agent)
    with pytest.raises(InvalidParameter, match="nothing was attached"):
        detach(agent)
    assert [tool.name for tool in memory_tools(bank)] == ["deep_retrieval"]
