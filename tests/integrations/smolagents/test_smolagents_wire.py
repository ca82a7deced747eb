"""Smolagents' own client against an endpoint that counts what it is sent."""

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

pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
pytest.importorskip("openai", reason="the client of OpenAIModel is not installed")
from smolagents import CodeAgent, OpenAIModel, ToolCallingAgent

from amb_smolagents import attach

pytestmark = pytest.mark.smolagents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))


def replies(*, as_code: bool) -> list[ChatReply]:
    """The long task as an endpoint says it."""
    return [
        ChatReply(said)
        if isinstance(said, str)
        else ChatReply("", tuple(ToolCall(c.call_id, c.tool, json.dumps(dict(c.arguments))) for c in said))
        for said in scripted.said([long_task()], as_code=as_code)
    ]


def tokens(request: Mapping[str, Any]) -> int:
    """What a request costs: its messages' texts, and the schemas of its tools."""
    tools = estimate_tokens(json.dumps(request.get("tools", "")))
    return tools + sum(map(TokenCounter().message, request["messages"]))


def served(kind: Any, settings: Settings, **options: Any) -> tuple[list[dict[str, Any]], list[int]]:
    """The requests of the long task as an endpoint got them, and how large the record says they were."""
    with StreamingChatServer(ScriptedChatModel(replies(as_code=kind is CodeAgent))) as server:
        with MemoryBank(task(), settings=settings) as bank:
            agent, _ = scripted.agent_for(long_task(), kind=kind, **options)
            agent.model = OpenAIModel("scripted", api_base=server.url, api_key="none")
            attach(agent, bank)
            assert agent.run(task()) == long_task().answer
            assert server.drain()
            recorded = [injection.prompt_tokens for injection in bank.snapshot().injections]
        return [exchange.request for exchange in server.exchanges], recorded


@pytest.mark.parametrize(("kind", "streamed"), [(ToolCallingAgent, False), (CodeAgent, True)])
def test_no_request_is_over_the_budget_with_all_that_an_endpoint_counts(kind: Any, streamed: bool) -> None:
    settings = Settings(prompt_budget_tokens=8_000, inject="always")
    requests, recorded = served(kind, settings, stream_outputs=streamed)
    told, asked = list(map(tokens, requests)), [json.dumps(request, ensure_ascii=False) for request in requests]
    assert len(told) == 21
    assert max(told) <= settings.prompt_budget_tokens
    assert [text.count("</memory>") for text in asked] == [1] * 21
    assert [number for number in range(20) if fact(number) not in asked[number + 1]] == []
    assert all(abs(ours - theirs) < 200 for ours, theirs in zip(recorded, told, strict=True))


@pytest.mark.parametrize(
    ("kind", "budget"),
    [(ToolCallingAgent, 4_000), (CodeAgent, 8_000), (ToolCallingAgent, 20_000), (CodeAgent, 32_000)],
)
def test_each_result_is_in_the_next_request_within_any_budget(kind: Any, budget: int) -> None:
    requests, recorded = served(kind, Settings(prompt_budget_tokens=budget, inject="missing"))
    told, asked = list(map(tokens, requests)), [json.dumps(request, ensure_ascii=False) for request in requests]
    assert len(told) == 21
    assert max(told) <= budget
    assert [number for number in range(20) if fact(number) not in asked[number + 1]] == []
    with_block = [size for size, text in zip(told, asked, strict=True) if "</memory>" in text]
    assert with_block
    pairs = zip(recorded, with_block, strict=True)  # an endpoint gets messages of one role as one
    assert all(-200 < ours - theirs < max(200, theirs // 50) for ours, theirs in pairs)
