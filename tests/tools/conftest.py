"""A web server on this machine that answers as it is told, and readers that may ask it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Site:
    """Answers by path; what it has no answer for is a 404. `requests` are the method and path of all that came."""

    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    named: list[str | None] = field(default_factory=list)
    server: ThreadingHTTPServer | None = None

    @property
    def port(self) -> int:
        return self.server.server_port if self.server else 0

    @property
    def endpoint(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.endpoint}{path}"

    def page(self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> str:
        """Answer with this body; the name of a header may have underscores. Returns the URL."""
        data = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            for name, value in ({"content-type": kind, "content-length": str(len(data))} | named).items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(data)

        return self.does(path, answer)

    def status(self, path: str, status: int, **headers: str) -> str:
        """Answer with this status and nothing else."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.send_header("content-length", "0")
            handler.end_headers()

        return self.does(path, answer)

    def redirect(self, path: str, to: str) -> str:
        return self.status(path, 302, location=to)

    def does(self, path: str, answer: Answer) -> str:
        self.answers[path] = answer
        return self.url(path)


def _serving() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(f"{self.command} {self.path}")
            site.headers.append({name.lower(): value for name, value in self.headers.items()})
            site.bodies.append(self.rfile.read(int(self.headers.get("content-length") or 0)))
            answer = site.answers.get(self.path)
            if answer is None:
                self.send_error(404)
                return
            try:
                answer(self)
            except OSError:  # the reader has heard enough
                self.close_connection = True

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on the console."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.server = server
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield site
        server.shutdown()
        thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    yield from _serving()


@pytest.fixture
def other_site() -> Iterator[Site]:
    yield from _serving()
