"""A provider on a bare socket, which sends whatever bytes a test wants and knows who has left, and clients for it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

__all__ = ["HANG", "PATHS", "BareProvider", "Reply", "begun", "body_of", "head", "streamed", "wait_until", "whole"]

_TOOLS: dict[str, list[dict[str, Any]]] = {
    "chat": [{"type": "function", "function": {"name": "look"}}],
    "responses": [{"type": "function", "name": "look"}],
    "anthropic": [{"name": "look", "input_schema": {"type": "object"}}],
}
PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "anthropic": "/v1/messages"}
HANG = None
"""Stands in a reply where the provider sends no more, and does not end it."""
Reply = Sequence[bytes | None]


def head(kind: str, *more: str, length: int | None = None) -> bytes:
    """The head of an answer; without a length the body ends with the connection."""
    lines = ["HTTP/1.1 200 OK", f"content-type: {kind}", *more]
    lines.append("connection: close" if length is None else f"content-length: {length}")
    return "\r\n".join([*lines, "", ""]).encode()


def streamed(*events: bytes) -> Reply:
    """An answer that is a stream of these events."""
    return [head("text/event-stream"), *events]


def whole(body: bytes, *more: str) -> Reply:
    """An answer that is not streamed."""
    return [head("application/json", *more, length=len(body)), body]


class BareProvider:
    """Answers its n-th request with `replies[n]`, the last one on and on; `open` are connections, `seen` requests."""

    def __init__(self) -> None:
        self.replies: list[Reply] = [whole(b"{}")]
        self.seen: list[tuple[str, bytes]] = []
        self.open = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._bound = socket.create_server(("127.0.0.1", 0), backlog=1_024)
        self.url = f"http://127.0.0.1:{self._bound.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._bound.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._serve, sock=self._bound, limit=2**27))
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            while await self._answered(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether another may follow it."""
        told = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = {name: value for name, _, value in (line.lower().partition(":") for line in told.splitlines())}
        self.seen.append((told, await reader.readexactly(int(headers.get("content-length", 0)))))
        reply = self.replies[min(len(self.seen), len(self.replies)) - 1]
        left = asyncio.create_task(reader.read(1))
        sending = asyncio.create_task(self._send(reply, writer))
        await asyncio.wait({left, sending}, return_when=asyncio.FIRST_COMPLETED)
        goes_on = not left.done() and b"connection: close" not in (reply[0] or b"")
        for task in (left, sending):
            task.cancel()
        await asyncio.gather(left, sending, return_exceptions=True)
        return goes_on

    @staticmethod
    async def _send(reply: Reply, writer: asyncio.StreamWriter) -> None:
        for piece in reply:
            if piece is None:  # HANG
                await asyncio.sleep(3_600)
            else:
                writer.write(piece)
                await writer.drain()


def body_of(form: str, *, stream: bool, said: str = "Read the book.") -> bytes:
    """A request with a tool: memory has a part in it."""
    messages: list[Any] = [{"role": "user", "content": said}]
    key = "input" if form == "responses" else "messages"
    return json.dumps({"model": "m", "stream": stream, "tools": _TOOLS[form], key: messages}).encode()


def begun(url: str, form: str, *, stream: bool, path: str = "") -> socket.socket:
    """A client that has sent its request, and hears nothing yet."""
    place, body = urlsplit(url), body_of(form, stream=stream)
    made = socket.create_connection((place.hostname, place.port), 30)
    lines = [f"POST {path or PATHS[form]} HTTP/1.1", f"host: {place.netloc}", "authorization: Bearer A"]
    lines += ["content-type: application/json", f"content-length: {len(body)}", "x-amb-conversation: one"]
    made.sendall("\r\n".join([*lines, "", ""]).encode() + body)
    return made


def wait_until(true: Callable[[], object], seconds: float = 3.0) -> bool:
    """Whether something becomes true in time."""
    end = time.perf_counter() + seconds
    while not (found := true()) and time.perf_counter() < end:
        time.sleep(0.01)
    return bool(found)
