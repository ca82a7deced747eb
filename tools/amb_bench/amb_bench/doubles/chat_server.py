"""A server on this machine that speaks OpenAI's chat protocol, counts like a proxy, and misbehaves when it is told to.

    with ChatServer(LocalChatModel()) as server:
        agents = llm_agents(OpenAIChatModel("local", base_url=server.url))

Its answers come from any ChatModel; `faults` say which of them go wrong, and how.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from amb_bench.doubles.chat_faults import Delivery, Fault, FaultPlan, deliver, spoiled
from amb_core.chat_io import AnswerFormat, ChatReply, ChatRequest, TokenUsage
from amb_core.errors import ModelError, ModelRefused
from amb_core.protocols import ChatModel
from amb_core.text import estimate_tokens
from amb_core.text.tokens import image_tokens, text_of

__all__ = ["ChatServer", "Exchange"]

_EACH_MESSAGE, _EACH_REQUEST = 4, 3
"""Tokens a chat template adds, about."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as the server saw it and what became of it.

    `answered` says that a whole answer with a choice in it was sent, `usage` what was told of tokens in it (nothing
    where it did not arrive). `schema` is the name of the asked-for shape. `fault` is None where nothing went wrong.
    """

    number: int
    fault: Fault | None
    status: int
    answered: bool
    usage: TokenUsage
    schema: str = ""
    request: Mapping[str, Any] = field(default_factory=dict, repr=False)


class ChatServer:
    """Serves a ChatModel at `url` while the context is open, on 127.0.0.1 and a free port.

    Requests are numbered from 1 as they come. `faults` decides by that number what goes wrong. `refuses` are answer
    formats it answers 400 to, as endpoints that do not know them. `count` says how many tokens a text has. What it
    reports as prompt tokens holds messages, tools and schema; of messages that began an earlier request in the same
    way it reports the first as cached.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        faults: FaultPlan | None = None,
        refuses: Collection[AnswerFormat] = (),
        count: Callable[[str], int] = estimate_tokens,
    ) -> None:
        self._chat = chat
        self._faults = faults or FaultPlan()
        self._refuses = frozenset(refuses)
        self._count = count
        self._lock = threading.Lock()
        self._ended = threading.Condition(self._lock)
        self._begun = 0
        self._open = True
        self._seen: set[str] = set()
        self._exchanges: list[Exchange] = []
        self.stopping = threading.Event()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    # --- what was seen -----------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return "http://{}:{}/v1".format(*self.address)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        host, port, *_ = self._http.server_address
        return str(host), int(port)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What came and what became of it, in the order of the ends."""
        with self._lock:
            return tuple(self._exchanges)

    @property
    def requests(self) -> int:
        """How many requests came in."""
        with self._lock:
            return self._begun

    @property
    def reported(self) -> TokenUsage:
        """The tokens told in answers that were sent; `calls` are answered requests, `failed_calls` the others.

        A client may have its answer a moment before it is counted here: `drain` first.
        """
        return sum((exchange.usage for exchange in self.exchanges), TokenUsage())

    # --- life --------------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.vanish()

    def vanish(self) -> None:
        """Go away, as a killed process does: what is under way is cut off and the port refuses. Twice is no error."""
        self.stopping.set()
        with self._lock:
            first, self._open = self._open, False
        if first:
            if self._thread.is_alive():
                self._http.shutdown()
            self._http.server_close()

    def drain(self, seconds: float = 10.0) -> bool:
        """Wait until nothing is under way, so that the figures are final; False when it still is after that time."""
        with self._ended:
            return self._ended.wait_for(lambda: len(self._exchanges) == self._begun, seconds)

    # --- one request -------------------------------------------------------------------------------------------------

    def serve(self, asked: Mapping[str, Any], send: Callable[[Delivery], bool]) -> None:
        """Answer a request: `send` brings a delivery to the client and says whether all of it was taken."""
        with self._lock:
            self._begun += 1
            number = self._begun
        fault = self._faults.fault_of(number)
        delivery = self._delivery(asked, fault, number)
        dies = self._faults.dies_at == number and self._faults.back_after is None
        if dies:  # from now on nobody is answered, also before the port is closed
            self.stopping.set()
        whole = send(delivery)
        usage = delivery.usage if whole else TokenUsage()
        answered = whole and delivery.answered
        usage = TokenUsage(
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.cached_tokens,
            calls=int(answered),
            failed_calls=int(not answered),
        )
        wanted = asked.get("response_format") or {}
        name = str((wanted.get("json_schema") or {}).get("name") or "")
        with self._ended:
            self._exchanges.append(Exchange(number, fault, delivery.status, answered, usage, name, asked))
            self._ended.notify_all()
        if dies:
            threading.Thread(target=self.vanish, daemon=True).start()

    def _delivery(self, asked: Mapping[str, Any], fault: Fault | None, number: int) -> Delivery:
        request = _request_of(asked)
        if request.answer_format in self._refuses:
            return _refusal(400, f"response_format {request.answer_format} is not supported")
        if asked.get("stream"):
            return _refusal(400, "streaming is not supported")
        if fault is not None and fault.needs_no_answer:
            return spoiled(fault, {}, TokenUsage(), number=number, plan=self._faults)
        try:
            reply = self._chat.complete(request)
        except ModelRefused as error:
            return _refusal(400, str(error))
        except ModelError as error:
            return _refusal(503, str(error))
        usage = self._usage(asked, reply)
        body = _body(reply, usage, model=str(asked.get("model", "")), number=number)
        if fault is None:
            return Delivery(body=_bytes(body), usage=usage, answered=True)
        return spoiled(fault, body, usage, number=number, plan=self._faults)

    def _usage(self, asked: Mapping[str, Any], reply: ChatReply) -> TokenUsage:
        messages = [
            self._count(_text(message)) + _EACH_MESSAGE + image_tokens(message) for message in asked["messages"]
        ]
        first = _text(asked["messages"][0])
        with self._lock:
            cached = messages[0] if first in self._seen else 0
            self._seen.add(first)
        extra = [asked[name] for name in ("tools", "response_format") if asked.get(name)]
        others = sum(self._count(json.dumps(one, ensure_ascii=False)) for one in extra)
        called = sum(self._count(call.name + call.arguments) for call in reply.tool_calls)
        return TokenUsage(
            prompt_tokens=_EACH_REQUEST + sum(messages) + others,
            completion_tokens=self._count(reply.text) + called + 1,
            cached_tokens=cached,
        )


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, chat_server: ChatServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.chat_server = chat_server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """One chat completion."""
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        chat_server = cast("_Http", self.server).chat_server
        chat_server.serve(asked, lambda delivery: deliver(delivery, self, stopping=chat_server.stopping))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _request_of(asked: Mapping[str, Any]) -> ChatRequest:
    wanted = asked.get("response_format") or {}
    schema = wanted.get("json_schema") or {}
    return ChatRequest(
        messages=tuple(asked["messages"]),
        tools=tuple(asked.get("tools") or ()),
        answer_format=wanted.get("type") or "text",
        schema=schema.get("schema"),
        schema_name=schema.get("name") or "answer",
        temperature=asked.get("temperature"),
        max_output_tokens=asked.get("max_tokens") or asked.get("max_completion_tokens") or 4_096,
    )


def _body(reply: ChatReply, usage: TokenUsage, *, model: str, number: int) -> dict[str, Any]:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    finish = "tool_calls" if calls and reply.finish_reason == "stop" else reply.finish_reason
    message = {"role": "assistant", "content": reply.text, **({"tool_calls": calls} if calls else {})}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        },
    }


def _refusal(status: int, message: str) -> Delivery:
    return Delivery(status=status, body=_bytes({"error": {"message": message, "type": "refused"}}))


def _bytes(body: object) -> bytes:
    return json.dumps(body).encode()


def _text(message: Mapping[str, Any]) -> str:
    text = text_of(message.get("content"))
    return text if not message.get("tool_calls") else text + json.dumps(message["tool_calls"], ensure_ascii=False)
