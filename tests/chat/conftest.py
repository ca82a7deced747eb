"""A server on this machine that speaks OpenAI's chat protocol, and misbehaves when it is told to."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest


@dataclass
class Answer:
    """What the server does with one request: a status and a body, torn, late, byte after byte, or no answer at all."""

    text: str | None = "fine"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    tool_calls: list[dict[str, Any]] | None = None
    usage: bool = True
    told: dict[str, Any] = field(default_factory=dict)
    choices: bool = True
    torn: bool = False
    delay: float = 0.0
    drip: float = 0.0
    reset: bool = False
    logprobs: dict[str, Any] | None = None


class ChatServer(ThreadingHTTPServer):
    """Does what `answers` say, one after the other, then answers "fine"; keeps the requests."""

    request_queue_size = 64  # of threads that call at once, none waits a second to be let in

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: deque[Answer] = deque()
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.refused_formats: set[str] = set()
        self.refused_fields: dict[str, str] = {}
        self.times: list[float] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        self.server.keys.append(self.headers.get("Authorization"))
        self.server.times.append(time.monotonic())
        refused = [said for name, said in self.server.refused_fields.items() if name in asked]
        if refused:
            answer = Answer(status=400, text=refused[0])
        elif asked.get("response_format", {}).get("type") in self.server.refused_formats:
            answer = Answer(status=400, text="response_format is not supported")
        else:
            answer = self.server.answers.popleft() if self.server.answers else Answer()
        time.sleep(answer.delay)
        if answer.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        body = json.dumps(_body(answer, asked)).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for byte in body if answer.drip else b"":
            time.sleep(answer.drip)
            self.wfile.write(bytes([byte]))
        if not answer.drip:
            self.wfile.write(body[: len(body) // 2] if answer.torn else body)
        self.close_connection = answer.torn

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _body(answer: Answer, asked: dict[str, Any]) -> dict[str, Any]:
    if answer.status != 200:
        return {"error": {"message": answer.text, "type": "test"}}
    message = {"role": "assistant", "content": answer.text, "tool_calls": answer.tool_calls}
    choice = {"index": 0, "finish_reason": answer.finish, "message": message, "logprobs": answer.logprobs}
    body: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 0, "model": asked["model"]}
    body["choices"] = [choice] if answer.choices else []
    if answer.usage:
        details = {"cached_tokens": 7}
        body["usage"] = {
            "prompt_tokens": 20,
            "completion_tokens": 5,
            "total_tokens": 25,
            "prompt_tokens_details": details,
            **answer.told,
        }
    return body


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as opened:
        Thread(target=opened.serve_forever, args=(0.01,), daemon=True).start()
        yield opened
        opened.shutdown()


@pytest.fixture
def answer() -> type[Answer]:
    """Makes what the server is to do."""
    return Answer
