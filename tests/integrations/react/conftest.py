"""A server on this machine that speaks OpenAI's chat protocol and can be told to take no images or no tools."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest


class Endpoint(ThreadingHTTPServer):
    """Answers with `replies`, one after the other; `refuses` names what it answers `status` to."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: deque[dict[str, Any]] = deque()
        self.refuses: set[str] = set()
        self.status = 400
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def says(self, *texts: str) -> None:
        self.replies.extend({"role": "assistant", "content": text} for text in texts)

    def calls(self, tool: str, **arguments: Any) -> None:
        function = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"id": "one", "type": "function", "function": function}
        self.replies.append({"role": "assistant", "content": None, "tool_calls": [call]})


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        seen = {"tools"} if "tools" in asked else set()
        seen |= {"image"} if "image_url" in json.dumps(asked["messages"]) else set()
        refused = sorted(seen & self.server.refuses)
        if refused:
            self._send(self.server.status, {"error": {"message": f"{refused[0]} input is not supported"}})
            return
        message = self.server.replies.popleft()
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
        head = {"id": "x", "object": "chat.completion", "created": 0, "model": asked["model"]}
        self._send(200, {**head, "choices": [choice], "usage": usage})

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as opened:
        Thread(target=opened.serve_forever, args=(0.01,), daemon=True).start()
        yield opened
        opened.shutdown()
