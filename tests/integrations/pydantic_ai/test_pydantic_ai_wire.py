"""Pydantic AI's own client against an endpoint that counts what it is sent, streaming or not."""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.streaming_server import StreamingChatServer

from amb_chat import ScriptedChatModel
from amb_contracts.integration_story import fact, long_task, task
from amb_core import MemoryBank, Settings
from amb_core.adapter import TokenCounter
from amb_core.chat_io import ChatReply, ToolCall
from amb_core.text import estimate_tokens

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")
pytest.importorskip("openai", reason="the client of OpenAIChatModel is not installed")
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from amb_pydantic_ai import attach

pytestmark = pytest.mark.pydantic_ai
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("pydantic_ai_driver.py"))))


def replies() -> list[ChatReply]:
    """The long task as an endpoint says it."""
    calls = [
        tuple(ToolCall(call.call_id, call.tool, json.dumps(dict(call.arguments))) for call in turn)
        for turn in long_task().turns
    ]
    return [*(ChatReply("", turn) for turn in calls), ChatReply(long_task().answer)]


SMALL = Settings(prompt_budget_tokens=8_000)


def tokens(request: Mapping[str, Any]) -> int:
    """What a request costs: its messages' texts, and the schemas of its tools."""
    tools = estimate_tokens(json.dumps(request.get("tools", "")))
    return tools + sum(map(TokenCounter().message, request["messages"]))


async def _answer(agent: Any, *, streamed: bool) -> str:
    if not streamed:
        return str((await agent.run(task())).output)
    async with agent.run_stream(task()) as result:
        return str(await result.get_output())


@pytest.mark.parametrize("streamed", [False, True])
async def test_no_request_is_over_the_budget_with_all_that_an_endpoint_counts(streamed: bool) -> None:
    with StreamingChatServer(ScriptedChatModel(replies())) as server, MemoryBank(task(), settings=SMALL) as bank:
        model = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=server.url, api_key="none"))
        agent = scripted.agent_for(long_task(), model)
        attach(agent, bank, inject="always")
        assert await _answer(agent, streamed=streamed) == long_task().answer
        assert server.drain()
        requests = [exchange.request for exchange in server.exchanges]
    told, asked = list(map(tokens, requests)), [json.dumps(request, ensure_ascii=False) for request in requests]
    assert len(told) == 21
    assert max(told) <= bank.settings.prompt_budget_tokens
    assert [text.count("</memory>") for text in asked] == [1] * 21
    assert [number for number in range(20) if fact(number) not in asked[number + 1]] == []
    recorded = [injection.prompt_tokens for injection in bank.snapshot().injections]
    assert [ours - theirs for ours, theirs in zip(recorded, told, strict=True) if abs(ours - theirs) >= 60] == []
