"""Serves long-term memory on 127.0.0.1, to whoever brings the token: pages for people, JSON for programs."""

from __future__ import annotations

import hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from amb_core import LongTermMemory
from amb_inspector.memory_door import HEADERS, ROOT, DoorAnswer, DoorRequest, MemoryDoor, json_answer

__all__ = ["MemoryServer"]

_LARGEST = 4 * 1024 * 1024
"""Bytes that a body may have."""
_SECONDS = 30.0
"""How long a client may take for its request."""


class MemoryServer:
    """A server of one LongTermMemory below `/amb/memories`, on 127.0.0.1 alone; use it with `with`, or `serve()`.

    Each request brings the `token` as header `x-amb-token` or as `?token=`, and asks under the server's own name: other
    sites cannot reach it through a browser. `port` 0 takes any free one. Raises OSError for a port that is taken.
    """

    def __init__(self, memory: LongTermMemory, *, token: str, port: int = 0) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(MemoryDoor(memory), token))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.page, self.api = f"{self.url}{ROOT}/page?token={token}", f"{self.url}{ROOT}/docs?token={token}"

    def serve(self) -> None:
        """Answer until `close` is called from another thread, or a signal interrupts."""
        self._server.serve_forever()

    def close(self) -> None:
        """Answer no more; the memory stays open."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _handler(door: MemoryDoor, token: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = _SECONDS
        server_version, sys_version = "amb", ""

        def do_GET(self) -> None:
            self._answer(self._refusal() or door.answer(self._request(b"")))

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or int(length) > _LARGEST:
                self.close_connection = True
                return self._answer(
                    json_answer({"error": f"a body has its length, at most {_LARGEST} bytes"}, status=413)
                )
            body = self.rfile.read(int(length))
            return self._answer(self._refusal() or door.answer(self._request(body)))

        do_PATCH = do_POST  # noqa: N815 - the standard library calls it so
        do_DELETE = do_GET  # noqa: N815

        def _refusal(self) -> DoorAnswer | None:
            """The answer to a request that may not ask; None for one that may."""
            host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
            names = {f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")}  # type: ignore[attr-defined]
            if host not in names or (origin not in (None, "null") and urlsplit(origin or "").netloc not in names):
                return json_answer(
                    {"error": "this memory is asked under 127.0.0.1, and not by other sites"}, status=403
                )
            asked = parse_qs(urlsplit(self.path).query).get("token", [""])[-1]
            given = self.headers.get("x-amb-token") or asked
            if not hmac.compare_digest(given.encode(errors="replace"), token.encode()):
                return json_answer(
                    {"error": "the token is needed: the header x-amb-token, or the address that was printed"},
                    status=401,
                )
            return None

        def _request(self, body: bytes) -> DoorRequest:
            where = urlsplit(self.path)
            return DoorRequest(self.command, where.path, where.query, body, self.headers.get("Accept-Language", ""))

        def _answer(self, answer: DoorAnswer) -> None:
            self.send_response(answer.status)
            for name, value in {**HEADERS, **answer.headers, "Content-Type": answer.type}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: an address may hold the token."""

    return Handler
