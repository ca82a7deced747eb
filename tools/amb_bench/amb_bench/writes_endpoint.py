"""An OpenAI-compatible server on 127.0.0.1 that counts what it is asked: requests, and tokens in and out.

It answers by a ChatModel in this process, or passes requests on to another endpoint and counts what that one reports.
"""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from amb_bench.writes_tokens import TokenCounter, text_of, token_counter
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.protocols import ChatModel
from amb_embedders.hashing import HashingEmbedder

__all__ = ["CountingEndpoint", "Exchange", "answered_by", "passed_on"]

_MODEL = "local-agents"
_DIMENSION = 1_536
_MOST_OUTPUT = 16_384


Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request that came in: its messages, and what was counted; `schema_tokens` are a part of the prompt's."""

    messages: tuple[Mapping[str, Any], ...]
    status: int
    prompt_tokens: int = 0
    completion_tokens: int = 0
    schema_tokens: int = 0
    embedding: bool = False
    answer: str = ""

    @property
    def instructions(self) -> str:
        """The text of its system messages: what does not change from one request of a role to the next."""
        return "\n".join(str(one.get("content") or "") for one in self.messages if one.get("role") == "system")


class CountingEndpoint:
    """Serves `/v1/chat/completions`, `/v1/embeddings` and `/v1/models` until it is closed; use it as a context.

    `answer` gives the reply to a chat request (`answered_by`), or the whole response of another endpoint
    (`passed_on`). Whatever it raises is answered with status 500 and counted as a request that failed.
    """

    def __init__(
        self, answer: Callable[[Body], ChatReply | Mapping[str, Any]], *, counter: TokenCounter | None = None
    ) -> None:
        self.counter = counter or token_counter()
        self._answer = answer
        self._lock = threading.Lock()
        self._exchanges: list[Exchange] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Everything that was asked so far, in the order in which it was answered."""
        with self._lock:
            return tuple(self._exchanges)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def chat(self, body: Body) -> tuple[int, dict[str, Any]]:
        """Status and body of the response to a chat request."""
        messages = tuple(body.get("messages") or ())
        try:
            given = self._answer(body)
        except urllib.error.HTTPError as error:
            return self._failed(messages, error.code, error.read().decode("utf-8", "replace"))
        except Exception as error:  # noqa: BLE001 - whatever goes wrong here, the client must get an answer
            return self._failed(messages, 500, f"{type(error).__name__}: {error}")
        response = self._response(body, given) if isinstance(given, ChatReply) else dict(given)
        usage = response.get("usage") or {}
        message = (response.get("choices") or [{}])[0].get("message") or {}
        self._note(
            Exchange(
                messages=messages,
                status=200,
                prompt_tokens=usage.get("prompt_tokens") or 0,
                completion_tokens=usage.get("completion_tokens") or 0,
                schema_tokens=self.counter.schema(body),
                answer=str(message.get("content") or ""),
            )
        )
        return 200, response

    def embeddings(self, body: Body) -> tuple[int, dict[str, Any]]:
        """Status and body of the response to a request for embeddings: vectors of the texts' letters."""
        given = body.get("input") or ""
        texts = [given] if isinstance(given, str) else [text if isinstance(text, str) else str(text) for text in given]
        rows = HashingEmbedder(dimension=int(body.get("dimensions") or _DIMENSION)).embed(texts).tolist()
        data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
        tokens = sum(map(self.counter.count, texts))
        self._note(Exchange((), 200, prompt_tokens=tokens, embedding=True))
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return 200, {"object": "list", "model": body.get("model") or _MODEL, "data": data, "usage": usage}

    def _response(self, body: Body, reply: ChatReply) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.tool_calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in reply.tool_calls
            ]
        prompt, completion = self.counter.prompt(body), self.counter.count(text_of(message))
        return {
            "id": f"answer-{len(self.exchanges) + 1}",
            "object": "chat.completion",
            "created": 0,
            "model": body.get("model") or _MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }

    def _failed(self, messages: tuple[Mapping[str, Any], ...], status: int, said: str) -> tuple[int, dict[str, Any]]:
        self._note(Exchange(messages, status))
        return status, {"error": {"message": said[:500], "type": "server_error", "code": None, "param": None}}

    def _note(self, exchange: Exchange) -> None:
        with self._lock:
            self._exchanges.append(exchange)


def answered_by(chat: ChatModel) -> Callable[[Body], ChatReply]:
    """Answers requests by a chat model in this process."""

    def ask(body: Body) -> ChatReply:
        wanted = body.get("response_format") or {}
        schema = wanted.get("json_schema") or {}
        request = ChatRequest(
            messages=tuple(body.get("messages") or ()),
            tools=tuple(body.get("tools") or ()),
            answer_format=wanted.get("type") or "text",
            schema=schema.get("schema"),
            schema_name=schema.get("name") or "answer",
            max_output_tokens=body.get("max_tokens") or body.get("max_completion_tokens") or _MOST_OUTPUT,
        )
        return chat.complete(request)

    return ask


def passed_on(base_url: str, *, api_key: str = "", timeout: float = 600.0) -> Callable[[Body], Mapping[str, Any]]:
    """Passes requests on to the endpoint at `base_url`; what it answers and counts is given back unchanged."""

    def ask(body: Body) -> Mapping[str, Any]:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {api_key}"} if api_key else {})
        url = f"{base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=timeout) as response:
            answer: Mapping[str, Any] = json.load(response)
        return answer

    return ask


def _handler(endpoint: CountingEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": _MODEL, "object": "model"}]})

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            try:
                body = json.loads(self.rfile.read(length))
            except ValueError:
                return self._send(400, {"error": {"message": "the body is no JSON"}})
            if self.path.endswith("/embeddings"):
                return self._send(*endpoint.embeddings(body))
            if self.path.endswith("/chat/completions"):
                return self._send(*endpoint.chat(body))
            return self._send(404, {"error": {"message": f"there is no {self.path}"}})

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is written to the terminal."""

        def _send(self, status: int, body: Mapping[str, Any]) -> None:
            data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
