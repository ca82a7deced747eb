"""Chat loops with the openai client against a server on this machine: plain, async, streaming."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import Fault, FaultPlan
from amb_bench.doubles.streaming_server import StreamingChatServer

from amb_chat import ScriptedChatModel
from amb_contracts.integration import IntegrationContract, Request, Trace
from amb_contracts.integration_story import Scenario, fact, keeper_tools, long_task, page, task
from amb_core import ContextAdapter, MemoryBank, remember
from amb_core.adapter import TokenCounter, text_of
from amb_core.chat_io import ChatReply, ToolCall
from amb_core.text import Language

openai = pytest.importorskip("openai", reason="openai is not installed: pip install openai")

Messages = list[dict[str, Any]]


def _replies(scenario: Scenario) -> list[ChatReply]:
    turns = [tuple(ToolCall(c.call_id, c.tool, json.dumps(c.arguments)) for c in turn) for turn in scenario.turns]
    return [*(ChatReply("", calls) for calls in turns), ChatReply(scenario.answer)]


def _schema(tool: Callable[..., Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
    return {"type": "function", "function": {"name": tool.__name__, "description": "A tool.", "parameters": parameters}}


class _Agent:
    """What is the same in every loop: the transcript, the tools, and one turn of them."""

    def __init__(self, scenario: Scenario, url: str) -> None:
        self.url = url
        self.messages: Messages = [{"role": "system", "content": scenario.system}]
        self.functions: dict[str, Callable[..., Any]] = {}
        self.schemas: list[dict[str, Any]] = []

    def start(self, scenario: Scenario, adapter: ContextAdapter | None) -> None:
        self.messages.append({"role": "user", "content": scenario.task})
        memory = adapter.memory_tools() if adapter else ()
        self.functions = {tool.__name__: tool for tool in scenario.tools} | {tool.name: tool for tool in memory}
        self.schemas = [*map(_schema, scenario.tools), *(tool.schema for tool in memory)]

    def act(self, reply: dict[str, Any]) -> str | None:
        """Append the reply and its calls' results; the answer, when it calls nothing."""
        self.messages.append(reply)
        for call in reply.get("tool_calls", ()):
            try:
                arguments = json.loads(call["function"]["arguments"])
                content = text_of(self.functions[call["function"]["name"]](**arguments))
            except RuntimeError as error:
                content = f"Error: {error}"
            self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
        return None if reply.get("tool_calls") else reply["content"]

    def run(self, scenario: Scenario, bank: MemoryBank | None) -> str:
        raise AssertionError("each loop has its own")


class _Sync(_Agent):
    """`create(messages=adapter.prepare(messages))`."""

    def run(self, scenario: Scenario, bank: MemoryBank | None) -> str:
        adapter = ContextAdapter(bank) if bank else None
        self.start(scenario, adapter)
        with openai.OpenAI(base_url=self.url, api_key="none", max_retries=0) as client:
            while True:
                request = adapter.prepare(self.messages) if adapter else self.messages
                told = client.chat.completions.create(model="m", messages=request, tools=self.schemas)
                answer = self.act(told.choices[0].message.model_dump(exclude_none=True))
                if answer is not None:
                    return answer
                if adapter:
                    adapter.intercept_context(self.messages)


class _Async(_Agent):
    """`@remember` over an async step."""

    def run(self, scenario: Scenario, bank: MemoryBank | None) -> str:
        adapter = ContextAdapter(bank) if bank else None
        self.start(scenario, adapter)
        return asyncio.run(self._loop(adapter))

    async def _loop(self, adapter: ContextAdapter | None) -> str:
        async with openai.AsyncOpenAI(base_url=self.url, api_key="none", max_retries=0) as client:

            async def step(messages: Messages) -> dict[str, Any]:
                told = await client.chat.completions.create(model="m", messages=messages, tools=self.schemas)
                return dict(told.choices[0].message.model_dump(exclude_none=True))

            asking = remember(adapter.bank, adapter=adapter)(step) if adapter else step
            while True:
                answer = self.act(await asking(self.messages))
                if answer is not None:
                    return answer


class _Streaming(_Agent):
    """`@remember` over an async generator that streams."""

    def run(self, scenario: Scenario, bank: MemoryBank | None) -> str:
        adapter = ContextAdapter(bank) if bank else None
        self.start(scenario, adapter)
        return asyncio.run(self._loop(adapter))

    async def _loop(self, adapter: ContextAdapter | None) -> str:
        async with openai.AsyncOpenAI(base_url=self.url, api_key="none", max_retries=0) as client:

            async def step(messages: Messages) -> AsyncIterator[Any]:
                options = {"model": "m", "tools": self.schemas, "stream": True}
                async for chunk in await client.chat.completions.create(messages=messages, **options):
                    yield chunk

            asking = remember(adapter.bank, adapter=adapter)(step) if adapter else step
            while True:
                answer = self.act(joined([chunk async for chunk in asking(self.messages)]))
                if answer is not None:
                    return answer


class _SyncStreaming(_Agent):
    """`@remember` over a generator that streams, in a program without asyncio."""

    def run(self, scenario: Scenario, bank: MemoryBank | None) -> str:
        adapter = ContextAdapter(bank) if bank else None
        self.start(scenario, adapter)
        with openai.OpenAI(base_url=self.url, api_key="none", max_retries=0) as client:

            def step(messages: Messages) -> Iterator[Any]:
                options = {"model": "m", "tools": self.schemas, "stream": True}
                yield from client.chat.completions.create(messages=messages, **options)

            asking = remember(adapter.bank, adapter=adapter)(step) if adapter else step
            while True:
                answer = self.act(joined(list(asking(self.messages))))
                if answer is not None:
                    return answer


def joined(chunks: list[Any]) -> dict[str, Any]:
    """The message that was streamed."""
    text = ""
    calls: dict[int, dict[str, Any]] = {}
    for delta in (chunk.choices[0].delta for chunk in chunks if chunk.choices):
        text += delta.content or ""
        for part in delta.tool_calls or ():
            unnamed = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
            call = calls.setdefault(part.index, unnamed)
            call["id"] += part.id or ""
            call["function"]["name"] += part.function.name or ""
            call["function"]["arguments"] += part.function.arguments or ""
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls.values())} if calls else {})}


class ChatDriver:
    """Serves each run's script and hands back what the server saw."""

    takes_options = False

    def __init__(self, loop: type[_Agent]) -> None:
        self._loop = loop

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        with self._served(scenario) as (server, agent):
            return _trace(server, agent.run(scenario, bank), skipped=0)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        with self._served(first, second) as (server, agent):
            agent.run(first, bank)
            return _trace(server, agent.run(second, bank), skipped=len(first.turns) + 1)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        with self._served(first, second) as (server, agent):
            agent.run(first, bank)
            return _trace(server, agent.run(second, None), skipped=len(first.turns) + 1)

    @contextmanager
    def _served(self, *scenarios: Scenario) -> Iterator[tuple[StreamingChatServer, _Agent]]:
        script = ScriptedChatModel([reply for scenario in scenarios for reply in _replies(scenario)])
        with StreamingChatServer(script) as server:
            yield server, self._loop(scenarios[0], server.url)


def _trace(server: StreamingChatServer, answer: str, *, skipped: int) -> Trace:
    assert server.drain()
    seen = [exchange.request for exchange in server.exchanges[skipped:]]
    names = [tuple(tool["function"]["name"] for tool in request["tools"]) for request in seen]
    return Trace(tuple(Request(tuple(r["messages"]), n) for r, n in zip(seen, names, strict=True)), answer)


@pytest.mark.nightly
@pytest.mark.slow
class TestSyncLoop(IntegrationContract):
    driver = ChatDriver(_Sync)


@pytest.mark.nightly
@pytest.mark.slow
class TestAsyncStreamingStep(IntegrationContract):
    driver = ChatDriver(_Streaming)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loop", "language"),
    [
        pytest.param(_Async, "en", marks=pytest.mark.nightly),
        (_SyncStreaming, "zh"),
        pytest.param(_Async, "zh", marks=pytest.mark.nightly),
        pytest.param(_SyncStreaming, "en", marks=pytest.mark.nightly),
    ],
)
def test_twenty_pages_fit_and_each_fact_is_in_the_next_block(loop: type[_Agent], language: Language) -> None:
    with MemoryBank(task(language)) as bank:
        trace = ChatDriver(loop).run(long_task(language), bank=bank)
        assert [entry.text for entry in bank.snapshot().results] == [page(n, language) for n in range(20)]
        budget = bank.settings.prompt_budget_tokens
    assert trace.answer == long_task(language).answer
    assert max(sum(map(TokenCounter().message, request.messages)) for request in trace.requests) <= budget
    shown = [str(request.messages[-1]["content"]) for request in trace.requests]
    assert [n for n in range(20) if fact(n, language) not in shown[n + 1]] == []


@pytest.mark.parametrize("loop", [_Streaming, _SyncStreaming])
def test_a_stream_that_breaks_off_leaves_the_transcript_and_can_be_asked_again(loop: type[_Agent]) -> None:
    scenario = Scenario(task(), (), keeper_tools())
    with MemoryBank(task()) as bank:
        bank.read(page(0), source="log")
        broken = FaultPlan(rate=1, kinds=(Fault.CUT_SHORT,))
        with StreamingChatServer(ScriptedChatModel(_replies(scenario) * 2), faults=broken) as server:
            agent = loop(scenario, server.url)
            with pytest.raises(Exception, match=r"(?i)connection"):
                agent.run(scenario, bank)
        assert [message["role"] for message in agent.messages] == ["system", "user"]
        with StreamingChatServer(ScriptedChatModel(_replies(scenario))) as server:
            agent.url = server.url
            agent.run(scenario, bank)
            assert server.drain()
            assert fact(0) in str(server.exchanges[0].request["messages"][-1])


def test_a_stream_left_early_still_lets_the_next_step_begin() -> None:
    scenario = Scenario(task(), (), keeper_tools())
    with MemoryBank(task()) as bank, StreamingChatServer(ScriptedChatModel(_replies(scenario) * 2)) as server:
        client = openai.OpenAI(base_url=server.url, api_key="none")

        @remember(bank)
        def step(messages: Messages) -> Iterator[Any]:
            yield from client.chat.completions.create(model="m", messages=messages, stream=True)

        transcript: Messages = [{"role": "user", "content": task()}]
        stopped = step(transcript)
        next(stopped)
        stopped.close()
        assert joined(list(step(transcript)))["content"] == scenario.answer
        assert transcript == [{"role": "user", "content": task()}]


def test_a_streamed_answer_tells_its_usage_where_it_is_asked_to() -> None:
    with StreamingChatServer(ScriptedChatModel([ChatReply("海浪高4.20米。")])) as server:
        client = openai.OpenAI(base_url=server.url, api_key="none")
        asked = [{"role": "user", "content": "浪高多少？"}]
        options = {"model": "m", "stream": True, "stream_options": {"include_usage": True}}
        chunks = list(client.chat.completions.create(messages=asked, **options))
        assert server.drain()
    assert joined(chunks)["content"] == "海浪高4.20米。"
    assert chunks[-1].usage.total_tokens == server.reported.tokens > 0
