"""`wrap`: the real clients of OpenAI and Anthropic with a memory, against a provider on this machine."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen
from anthropic import Anthropic, AsyncAnthropic
from openai import AsyncOpenAI, OpenAI

from amb_core import (
    Banks,
    ContextAdapter,
    InvalidParameter,
    MemoryBank,
    Scope,
    ScopeMixed,
    Settings,
    unwrap,
    wrap,
)
from amb_core.adapter import read_transcript
from amb_core.text.exact_tokens import exact_counter
from amb_core.text.tokens import request_tokens
from amb_wrap.request_forms import request_form

BUDGET, CALLS = 2_400, 8
QUESTION = "What is the code of station 2?"
FUNCTION = {"name": "look", "description": "Read a station.", "parameters": {"type": "object", "properties": {}}}


def page(number: int) -> str:
    lines = [f"Station {number} on its line {at} has {at * 7919 % 9973} units in stock." for at in range(30)]
    return "\n".join([*lines, f"The code of station {number} is ST-{number:02}-{number * 7919}."])


def reader(seen: Seen) -> Say:
    """A model that looks at one station after the other, and answers when it is asked about one."""
    looked = max((int(at) for at in re.findall(rb"look-(\d\d)", seen.raw)), default=0)
    if QUESTION.encode() in seen.raw or not seen.body.get("tools"):
        return Say("It is above.")
    if looked == CALLS:
        return Say("All were read.")
    return Say("Next.", [("look", {"number": looked + 1})], ids=[f"look-{looked + 1:02}"])


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    with ProviderServer(reader) as server:
        yield server


def bank() -> MemoryBank:
    return MemoryBank("Read the stations.", settings=Settings(prompt_budget_tokens=BUDGET))


# --- agents as their SDKs' pages write them; `ask` makes one call and returns the SDK's own reply ---------------------


def chat_agent(ask: Callable[[list[Any]], Any]) -> str:
    messages: list[Any] = [{"role": "user", "content": "Read the stations."}]
    while True:
        reply = ask(messages).choices[0].message
        messages.append(reply)
        for call in reply.tool_calls or ():
            output = page(json.loads(call.function.arguments)["number"])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": output})
        if not reply.tool_calls:
            messages.append({"role": "user", "content": QUESTION})
            return str(ask(messages).choices[0].message.content)


def responses_agent(ask: Callable[[list[Any]], Any]) -> str:
    items: list[Any] = [{"role": "user", "content": "Read the stations."}]
    while True:
        reply = ask(items)
        items += reply.output
        calls = [item for item in reply.output if item.type == "function_call"]
        for call in calls:
            output = page(json.loads(call.arguments)["number"])
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})
        if not calls:
            items.append({"role": "user", "content": QUESTION})
            return str(ask(items).output_text)


def messages_agent(ask: Callable[[list[Any]], Any]) -> str:
    messages: list[Any] = [{"role": "user", "content": "Read the stations."}]
    while True:
        reply = ask(messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            messages.append({"role": "user", "content": QUESTION})
            return str(ask(messages).content[0].text)
        results = [
            {"type": "tool_result", "tool_use_id": one.id, "content": page(one.input["number"])} for one in calls
        ]
        messages.append({"role": "user", "content": results})


def chat_options(messages: list[Any]) -> dict[str, Any]:
    return {"model": "m", "messages": messages, "tools": [{"type": "function", "function": FUNCTION}]}


def responses_options(items: list[Any]) -> dict[str, Any]:
    return {"model": "m", "input": items, "instructions": "Be short.", "tools": [{"type": "function", **FUNCTION}]}


def messages_options(messages: list[Any]) -> dict[str, Any]:
    tool = {"name": "look", "description": "Read.", "input_schema": FUNCTION["parameters"]}
    return {"model": "m", "max_tokens": 500, "messages": messages, "system": "Be short.", "tools": [tool]}


def streamed(manager: Any, final: str) -> Any:
    with manager as stream:
        return getattr(stream, final)()


async def streamed_async(manager: Any, final: str) -> Any:
    async with manager as stream:
        return await getattr(stream, final)()


OPENAI_WAYS: dict[str, Any] = {
    "chat": (chat_agent, lambda c, m: c.chat.completions.create(**chat_options(m))),
    "chat-parse": (chat_agent, lambda c, m: c.chat.completions.parse(model="m", messages=m, tools=strict_tools())),
    "chat-stream": (
        chat_agent,
        lambda c, m: streamed(c.chat.completions.stream(**chat_options(m)), "get_final_completion"),
    ),
    "responses": (responses_agent, lambda c, m: c.responses.create(**responses_options(m))),
    "responses-stream": (
        responses_agent,
        lambda c, m: streamed(c.responses.stream(**responses_options(m)), "get_final_response"),
    ),
}
ANTHROPIC_WAYS: dict[str, Any] = {
    "messages": (messages_agent, lambda c, m: c.messages.create(**messages_options(m))),
    "messages-stream": (
        messages_agent,
        lambda c, m: streamed(c.messages.stream(**messages_options(m)), "get_final_message"),
    ),
}
ASYNC_WAYS: dict[str, Any] = {
    "chat": (AsyncOpenAI, chat_agent, lambda c, m: c.chat.completions.create(**chat_options(m))),
    "responses-stream": (
        AsyncOpenAI,
        responses_agent,
        lambda c, m: streamed_async(c.responses.stream(**responses_options(m)), "get_final_response"),
    ),
    "messages-stream": (
        AsyncAnthropic,
        messages_agent,
        lambda c, m: streamed_async(c.messages.stream(**messages_options(m)), "get_final_message"),
    ),
}


def strict_tools() -> list[Any]:
    return [{"type": "function", "function": {**FUNCTION, "strict": True}}]


def client_of(kind: Any, provider: ProviderServer) -> Any:
    base = provider.url if kind in (Anthropic, AsyncAnthropic) else f"{provider.url}/v1"
    return kind(base_url=base, api_key="key", max_retries=0)


def tokens_of(seen: Seen) -> int:
    form = request_form(seen.path)
    assert form is not None
    chat = read_transcript(form.messages(seen.body), form=form.name).chat
    return request_tokens(chat, beside=[form.beside(seen.body)], count=exact_counter("o200k"))


def check(provider: ProviderServer, memory: ContextAdapter, answer: str) -> None:
    """Every call was made, within the bound; the last one has what left it, and memory has all results."""
    assert answer == "It is above."
    assert len(provider.seen) == CALLS + 2
    assert max(map(tokens_of, provider.seen)) <= BUDGET
    assert provider.seen[-1].raw.count(b"units in stock") < 30 * CALLS / 2
    assert b"ST-02-15838" in provider.seen[-1].raw
    assert [memory.bank.host.has_step(number) for number in (1, CALLS, CALLS + 1)] == [True, True, False]
    assert memory.failures == {}


SLOW = {"chat-parse", "chat-stream", "responses", "messages"}
"""The ways beside one for each API."""


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=pytest.mark.slow if way in SLOW else ()) for way in (*OPENAI_WAYS, *ANTHROPIC_WAYS)],
)
def test_an_agent_of_the_sdk_has_a_memory_by_one_call(way: str, provider: ProviderServer) -> None:
    pytest.importorskip("quicktok")
    agent, ask = (OPENAI_WAYS | ANTHROPIC_WAYS)[way]
    bare = client_of(OpenAI if way in OPENAI_WAYS else Anthropic, provider)
    client = wrap(bare, bank())
    assert isinstance(client, type(bare))
    check(provider, client.memory, agent(lambda messages: ask(client, messages)))


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=pytest.mark.slow if way == "chat" else ()) for way in ASYNC_WAYS]
)
def test_an_async_client_works_as_the_other(way: str, provider: ProviderServer) -> None:
    pytest.importorskip("quicktok")
    kind, agent, ask = ASYNC_WAYS[way]
    with asyncio.Runner() as runner:
        client = wrap(client_of(kind, provider), bank())

        async def asked(messages: list[Any]) -> Any:
            return await ask(client, messages)

        check(provider, client.memory, agent(lambda messages: runner.run(asked(messages))))
        runner.run(client.close())


@pytest.mark.slow
def test_what_the_provider_counts_is_learnt_from_its_replies() -> None:
    pytest.importorskip("quicktok")
    with ProviderServer(lambda seen: replace(reader(seen), prompt_tokens=2 * tokens_of(seen))) as provider:
        client = wrap(client_of(OpenAI, provider), bank())
        responses_agent(lambda items: client.responses.create(**responses_options(items)))
    assert BUDGET / 4 < max(map(tokens_of, provider.seen)) <= BUDGET / 2


def test_a_raw_stream_and_a_raw_response_come_as_without_memory(provider: ProviderServer) -> None:
    bare = client_of(OpenAI, provider)
    client = wrap(bare, bank())
    options: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Hello."}]}
    chunks = [
        "".join(chunk.choices[0].delta.content or "" for chunk in each.chat.completions.create(**options, stream=True))
        for each in (bare, client)
    ]
    assert chunks == ["It is above."] * 2
    raw = client.chat.completions.with_raw_response.create(**options)
    assert raw.headers["x-request-id"] == "req_1"
    assert raw.parse().choices[0].message.content == "It is above."


def test_users_of_one_client_are_apart(provider: ProviderServer, tmp_path: Path) -> None:
    bare, banks = client_of(OpenAI, provider), Banks(f"sqlite:///{tmp_path}/banks")
    ada, ben = (wrap(bare, banks, scope=Scope(user=user, thread="1")) for user in ("ada", "ben"))
    chat_agent(lambda messages: ada.chat.completions.create(**chat_options(messages)))
    asked = [{"role": "user", "content": QUESTION}]
    ben.chat.completions.create(model="m", messages=asked)
    assert provider.seen[-1].body["messages"] == asked
    with pytest.raises(ScopeMixed, match=r"wrap\(client, MemoryBank\(goal\), scope=Scope"):
        wrap(bare, ada.memory.bank, scope=Scope(user="ben"))


def test_conversations_that_name_nobody_are_kept_apart_by_one_client(provider: ProviderServer) -> None:
    client = wrap(client_of(OpenAI, provider), bank())

    def ask(text: str, **options: Any) -> bytes:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}], **options)
        return provider.seen[-1].raw

    assert b"<memory>" not in ask("Are you there?")  # a warm-up is nobody's conversation
    assert client.memory.bank.size.entries == 0
    chat_agent(lambda messages: client.chat.completions.create(**chat_options(messages)))
    assert b"ST-02-15838" in provider.seen[-1].raw
    known = client.memory.bank.size.entries
    title = ask(f"Write a title for this talk: {QUESTION}")
    assert b"ST-02" not in title
    text = "\n".join(map(page, range(9, 30)))
    assert len(ask(text)) < len(text) / 2
    other = [{"role": "user", "content": QUESTION + " Ben asks."}]
    client.chat.completions.create(**chat_options(other))
    assert b"ST-02" not in provider.seen[-1].raw
    assert client.memory.bank.size.entries == known


def test_two_conversations_by_turns_have_a_memory_each(provider: ProviderServer) -> None:
    client = wrap(client_of(OpenAI, provider), bank())
    talks: dict[int, list[Any]] = {first: [{"role": "user", "content": f"Read from {first}."}] for first in (20, 40)}
    for at in range(CALLS):
        for first, talk in talks.items():
            call = {"id": f"c{first}-{at}", "type": "function", "function": {"name": "look", "arguments": str(at)}}
            talk.append({"role": "assistant", "content": None, "tool_calls": [call]})
            talk.append({"role": "tool", "tool_call_id": call["id"], "content": page(first + at)})
            client.chat.completions.create(**chat_options(talk))
    for first, other in ((20, 40), (40, 20)):
        talks[first].append({"role": "user", "content": f"What are the codes of stations {first} and {other}?"})
        client.chat.completions.create(**chat_options(talks[first]))
        assert f"ST-{first}-{first * 7919}".encode() in provider.seen[-1].raw
        assert f"ST-{other}-{other * 7919}".encode() not in provider.seen[-1].raw


@pytest.mark.parametrize("way", ["chat", "responses-stream", "messages-stream", "async"])
def test_what_the_provider_counts_is_learnt_from_streams(way: str) -> None:
    options: dict[str, Any] = {**chat_options([{"role": "user", "content": "Read."}]), "stream": True}
    with ProviderServer(lambda seen: Say("Yes.", prompt_tokens=5_000)) as provider, asyncio.Runner() as runner:
        if way == "chat":
            client = wrap(client_of(OpenAI, provider), bank())
            list(client.chat.completions.create(**options, stream_options={"include_usage": True}))
        elif way == "async":
            client = wrap(client_of(AsyncOpenAI, provider), bank())

            async def read() -> None:
                stream = await client.chat.completions.create(**options, stream_options={"include_usage": True})
                assert [chunk async for chunk in stream]

            runner.run(read())
        else:
            _, ask = (OPENAI_WAYS | ANTHROPIC_WAYS)[way]
            client = wrap(client_of(OpenAI if way in OPENAI_WAYS else Anthropic, provider), bank())
            ask(client, options["messages"])
    assert client.memory.expected_tokens(100) >= 5_000


@pytest.mark.sampled(3)
@pytest.mark.parametrize("offers", [True, False])
@pytest.mark.parametrize("way", ["chat", "responses", "messages"])
def test_a_request_names_the_tool_of_memory_where_it_offers_it(
    way: str, offers: bool, provider: ProviderServer
) -> None:
    agent, _ = (OPENAI_WAYS | ANTHROPIC_WAYS)[way]
    client = wrap(client_of(OpenAI if way in OPENAI_WAYS else Anthropic, provider), bank())
    (own,) = client.memory.memory_tools()  # they may be asked for and not be given to this request
    shapes = {
        "chat": lambda: {"type": "function", "function": {"name": own.name, "parameters": own.parameters}},
        "responses": lambda: {"type": "function", "name": own.name, "parameters": own.parameters, "strict": False},
        "messages": lambda: {"name": own.name, "input_schema": own.parameters},
    }

    def ask(messages: list[Any]) -> Any:
        of = {"chat": chat_options, "responses": responses_options, "messages": messages_options}[way](messages)
        of["tools"] += [shapes[way]()] if offers else []
        api = {"chat": "chat.completions", "responses": "responses", "messages": "messages"}[way]
        return attrgetter(api)(client).create(**of)

    agent(ask)
    transcript = request_form(provider.seen[-1].path).messages(provider.seen[-1].body)
    assert "<memory>" in json.dumps(transcript)
    assert ("deep_retrieval" in json.dumps(transcript)) is offers


def test_what_cannot_be_wrapped_is_told(provider: ProviderServer) -> None:
    bare = client_of(OpenAI, provider)
    wrapped = wrap(bare, bank())
    with pytest.raises(InvalidParameter, match="next_request"):
        wrap(object(), bank())
    with pytest.raises(InvalidParameter, match="has a memory already"):
        wrap(wrapped, bank())
    with pytest.raises(InvalidParameter, match="was not wrapped"):
        unwrap(bare)
