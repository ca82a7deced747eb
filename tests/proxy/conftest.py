"""A provider, a gateway before it, and agents of real clients that know of neither; all on 127.0.0.1."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from amb_bench.doubles.bare_provider import BareProvider, Reply
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen
from openai import OpenAI

from amb_core import Settings
from amb_proxy import AMBProxy

CALLS = 20
BUDGET = 6_000
THOUGHT = "Which one is next?"
LAST_WORDS = "All the stations were read, and their codes are known by now. 都读完了。"


def page(number: int, whose: str = "") -> str:
    """What the tool `look` returns: 4,000 characters with one fact in the middle."""
    lines = [f"Station {number} on its line {at} has {at * 7919 % 9973} units in stock." for at in range(70)]
    return "\n".join(
        [*lines[:35], f"The code of station {number}{whose} is ST-{number:02}-{number * 7919}.", *lines[35:]]
    )


@dataclass
class Asked:
    """What an agent asked and what it heard."""

    says: list[str] = field(default_factory=list)
    heard: list[Any] = field(default_factory=list)
    messages: list[Any] = field(default_factory=list)


class Gateway:
    """A gateway in a thread of its own; `restart` begins it anew on the same folder. `came` are bodies it was sent."""

    def __init__(self, upstream: str, folder: Path, **options: Any) -> None:
        self.upstream, self.folder, self.options = upstream, folder, options
        self.url, self.came = "", list[bytes]()
        self._start()

    async def _heard(self, scope: Any, receive: Any, send: Any) -> None:
        pieces = list[bytes]()

        async def hear() -> Any:
            message = await receive()
            pieces.append(message.get("body", b""))
            if scope["type"] == "http" and not message.get("more_body", False) and pieces[0]:
                self.came.append(b"".join(pieces))
                pieces[:] = [b""]  # what comes behind the body is no body
            return message

        await self.app(scope, hear, send)

    def _start(self) -> None:
        options = {"settings": Settings(prompt_budget_tokens=BUDGET), **self.options}
        self.app = AMBProxy(self.upstream, folder=self.folder, **options)
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._heard,
                interface="asgi3",
                port=0,
                log_config=None,
                log_level="critical",
                timeout_graceful_shutdown=0,
            )
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        self.url = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        """End it in order."""
        self._server.should_exit = True
        self._thread.join()

    def restart(self) -> None:
        """End it and begin it again."""
        self.stop()
        self._start()

    def operator(self, method: str, path: str) -> Any:
        """What the gateway answers its operator."""
        return httpx2.request(method, self.url + path, headers={"x-amb-token": self.app.operator_token})


_CALL_ID = re.compile(rb"look-([0-9a-f]{12})-(\d\d)")


def station_reader(calls: int = CALLS) -> Callable[[Seen], Say]:
    """A model that reads one page after the other; the ids of its calls tell which talk it is and how far it came."""

    def answer(seen: Seen) -> Say:
        known = _CALL_ID.findall(seen.raw)
        talk = known[-1][0].decode() if known else uuid.uuid4().hex[:12]
        number = 1 + max((int(at) for whose, at in known if whose.decode() == talk), default=0)
        names = [(tool.get("function") or tool).get("name", "") for tool in seen.body.get("tools") or ()]
        tool = next((name for name in names if name.endswith("look")), "")
        if number > calls or not tool:
            return Say(LAST_WORDS)
        call = (tool, {"number": number})
        return Say(f"I read station {number}: 第{number}站。", [call], THOUGHT, [f"look-{talk}-{number:02}"])

    return answer


@pytest.fixture
def reader() -> Callable[[int], Callable[[Seen], Say]]:
    """A model that makes so many calls."""
    return station_reader


@pytest.fixture
def provider(request: pytest.FixtureRequest) -> Iterator[ProviderServer]:
    """A provider whose model makes CALLS calls, or as many as a test's parameter says."""
    with ProviderServer(station_reader(getattr(request, "param", CALLS))) as server:
        yield server


@pytest.fixture
def gateway(provider: ProviderServer, tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(provider.url, tmp_path / "folder")
    yield made
    made.stop()


@dataclass
class BarePair:
    """A provider that sends any bytes, and the gateway before it."""

    provider: BareProvider
    gateway: Gateway

    @property
    def url(self) -> str:
        return self.gateway.url

    def says(self, *replies: Reply) -> None:
        """What the provider answers from now on."""
        self.provider.replies, self.provider.seen = list(replies), []


@contextmanager
def _bare_pair(folder: Path, **options: Any) -> Iterator[BarePair]:
    with BareProvider() as provider:
        gateway = Gateway(provider.url, folder, **options)
        yield BarePair(provider, gateway)
        gateway.stop()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BarePair]:
    """A provider that sends any bytes, and a gateway, for the tests of a module."""
    with _bare_pair(tmp_path_factory.mktemp("bare")) as made:
        yield made


@pytest.fixture(scope="module")
def bare_deep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BarePair]:
    """The same with `deep_retrieval`."""
    with _bare_pair(tmp_path_factory.mktemp("bare-deep"), deep_retrieval=True) as made:
        yield made


@pytest.fixture
def another_gateway(tmp_path: Path) -> Callable[..., Any]:
    """A gateway with other options: `with another_gateway(url, token=…) as gateway`."""

    @contextmanager
    def made(upstream: str, **options: Any) -> Iterator[Gateway]:
        one = Gateway(upstream, tmp_path / "another", **options)
        try:
            yield one
        finally:
            one.stop()

    return made


# --- agents -----------------------------------------------------------------------------------------------------------

_LOOK = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
Agent = Callable[..., Asked]


def chat(
    url: str, *, talk: str, stream: bool = False, key: str = "key-of-ann", page: Callable[[int], str] = page
) -> Asked:
    """A loop of the openai package over chat completions."""
    client, asked = OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0), Asked()
    tools = [{"type": "function", "function": {"name": "look", "parameters": _LOOK}}]
    messages = asked.messages
    messages += [
        {"role": "system", "content": "Use the tool."},
        {"role": "user", "content": f"[{talk} Read all."},
    ]
    while True:
        if stream:
            with client.chat.completions.stream(model="m", messages=messages, tools=tools) as events:
                message = events.get_final_completion().choices[0].message
        else:
            reply = client.chat.completions.with_raw_response.create(model="m", messages=messages, tools=tools)
            asked.says.append(reply.headers["x-amb"])
            message = reply.parse().choices[0].message
        asked.heard.append(message.content)
        messages.append(message.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}))
        if not message.tool_calls:
            return asked
        for call in message.tool_calls:
            text = page(json.loads(call.function.arguments)["number"])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


def responses(
    url: str, *, talk: str, stream: bool = False, key: str = "key-of-ann", page: Callable[[int], str] = page
) -> Asked:
    """A loop of the openai package over Responses, all items each time."""
    client, asked = OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0), Asked()
    tools: list[Any] = [{"type": "function", "name": "look", "parameters": _LOOK, "strict": False}]
    items: list[Any] = [{"role": "user", "content": f"[{talk} Read all."}]
    while True:
        if stream:
            with client.responses.stream(model="m", input=items, tools=tools, store=False) as events:
                reply = events.get_final_response()
        else:
            raw = client.responses.with_raw_response.create(model="m", input=items, tools=tools, store=False)
            asked.says.append(raw.headers["x-amb"])
            reply = raw.parse()
        asked.heard.append(reply.output_text)
        items += [item.model_dump(exclude_none=True) for item in reply.output]
        calls = [item for item in reply.output if item.type == "function_call"]
        if not calls:
            return asked
        for call in calls:
            text = page(json.loads(call.arguments)["number"])
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": text})


def claude(
    url: str, *, talk: str, stream: bool = False, key: str = "key-of-ann", page: Callable[[int], str] = page
) -> Asked:
    """A loop of the anthropic package, with signed thinking and a mark for the cache."""
    from anthropic import Anthropic  # which takes three seconds to import

    client, asked = Anthropic(base_url=url, api_key=key, max_retries=0), Asked()
    tools: list[Any] = [{"name": "look", "input_schema": _LOOK}]
    said = {"type": "text", "text": f"[{talk} Read all.", "cache_control": {"type": "ephemeral"}}
    messages: list[Any] = [{"role": "user", "content": [said]}]
    given: dict[str, Any] = {"model": "m", "max_tokens": 100, "tools": tools, "system": "Use the tool."}
    while True:
        if stream:
            with client.messages.stream(messages=messages, **given) as events:
                reply = events.get_final_message()
        else:
            raw = client.messages.with_raw_response.create(messages=messages, **given)
            asked.says.append(raw.headers["x-amb"])
            reply = raw.parse()
        asked.heard.append("".join(block.text for block in reply.content if block.type == "text"))
        messages.append(
            {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in reply.content]}
        )
        uses = [block for block in reply.content if block.type == "tool_use"]
        if not uses:
            return asked
        results = [{"type": "tool_result", "tool_use_id": use.id, "content": page(use.input["number"])} for use in uses]
        messages.append({"role": "user", "content": results})


WAYS = [
    (chat, False, "plain", False),
    (chat, True, "streamed", True),
    (responses, False, "plain", True),
    (responses, True, "streamed", False),
    (claude, False, "plain", True),
    (claude, True, "streamed", False),
]
"""An agent, whether it streams, how that is called, and whether it waits for the night."""


TOOLS = [{"type": "function", "function": {"name": "look", "parameters": _LOOK}}]


@dataclass
class Talk:
    """A talk on chat completions over plain HTTP, turn by turn: what a client sends, without a client."""

    url: str
    key: str = "key-of-ann"
    headers: dict[str, str] = field(default_factory=dict)
    told: str = "Read all."
    messages: list[Any] = field(default_factory=list)
    says: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.messages.append({"role": "user", "content": self.told})

    def ask(self, **more: Any) -> httpx2.Response:
        """Send the transcript as it stands; `fault` tells the provider what to do wrong, the rest is sent along."""
        fault = {"x-fault": more.pop("fault")} if "fault" in more else {}
        body = {"model": "m", "messages": self.messages, "tools": TOOLS} | more
        headers = {"authorization": f"Bearer {self.key}"} | self.headers | fault
        answer = httpx2.post(f"{self.url}/v1/chat/completions", json=body, headers=headers, timeout=60)
        self.says.append(answer.headers["x-amb"])
        return answer

    def go_on(self, result: Callable[[int], str], *, turns: int = 1) -> Talk:
        """So many turns; `result` is what the tool returns."""
        for _ in range(turns):
            message = self.ask().json()["choices"][0]["message"]
            self.messages.append({key: message[key] for key in ("role", "content", "tool_calls") if key in message})
            for call in message.get("tool_calls", ()):
                text = result(json.loads(call["function"]["arguments"])["number"])
                self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
        return self

    @property
    def names(self) -> set[str]:
        """The conversations the gateway took it for."""
        return {one.partition(";")[0] for one in self.says}


@pytest.fixture
def begin() -> type[Talk]:
    """Begin a talk with the gateway at a URL."""
    return Talk


@dataclass(frozen=True)
class Journey:
    """A whole run of an agent: what the provider saw, what the agent heard, and the page of its conversation."""

    seen: list[Seen]
    asked: Asked
    page: str


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (agent, stream), id=f"{agent.__name__}-{way}", marks=[pytest.mark.nightly] * (late or agent is responses)
        )
        for agent, stream, way, late in WAYS
    ],
)
def journey(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Journey:
    """The run of an agent of each client, plain or streamed."""
    agent, stream = request.param
    with ProviderServer(station_reader()) as server:
        gateway = Gateway(server.url, tmp_path_factory.mktemp("journey"))
        asked = agent(gateway.url, talk="talk-1", stream=stream)
        (talk,) = gateway.operator("GET", "/amb/status").json()["conversations"]
        page = gateway.operator("GET", f"/amb/conversations/{talk['id']}").text
        gateway.stop()
    return Journey(server.seen, asked, page)


@pytest.fixture(
    params=[
        pytest.param((agent, stream), id=f"{agent.__name__}-{way}", marks=[pytest.mark.nightly] * late)
        for agent, stream, way, late in WAYS
    ]
)
def each_agent(request: pytest.FixtureRequest) -> Agent:
    """An agent of each client, plain and streamed."""
    agent, stream = request.param
    return partial(agent, stream=stream)


@pytest.fixture
def agent() -> Agent:
    """The agent on chat completions."""
    return chat
