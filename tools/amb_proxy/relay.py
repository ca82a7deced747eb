"""Requests on their way to the provider and replies on their way back."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from amb_proxy.bodies import BodyForm, Reply, body_form
from amb_proxy.event_stream import Event, EventReader
from amb_proxy.turns import Bypass, Turn, Turns
from amb_proxy.upstream import Upstream, forwarded

__all__ = ["Relay", "StreamBroken"]

_log = logging.getLogger("amb.proxy")
_LARGEST_REPLY = 64 * 1024 * 1024
"""Bytes of a reply that are kept to register it; a longer one goes through all the same."""


class StreamBroken(Exception):
    """The provider's reply ended too early, and so does ours."""


class Relay:
    """Sends each request on, through memory where that has a part in it, and its reply back as it comes."""

    def __init__(self, upstream: Upstream, turns: Turns, *, largest_body: int) -> None:
        self._upstream, self._turns, self._largest = upstream, turns, largest_body

    async def __call__(self, request: Request) -> Response:
        """The provider's answer, with `x-amb` saying what was done."""
        raw = await _read(request, self._largest)
        if raw is None:
            return _refusal(413, f"the request is longer than {self._largest} bytes")
        form = body_form(request.url.path) if request.method == "POST" else None
        turn: Turn | None = None
        if form is None:
            note = "bypass; no model call"
        else:
            turn, note = await self._prepared(form, request, raw)
        target = request.scope["raw_path"] + (b"?" + request.scope["query_string"] if request.url.query else b"")
        try:
            reply = await self._upstream.send(
                request.method,
                target.decode("latin-1"),
                forwarded(request.headers.raw),
                raw if turn is None else turn.content,
                plain=turn is not None,
            )
        except httpx2.HTTPError as error:
            _log.warning("the provider was not reached (%s)", type(error).__name__)
            return _refusal(502, f"the provider was not reached ({type(error).__name__})", note)
        try:
            return await self._answer(reply, turn, note)
        except StreamBroken as error:
            return _refusal(502, str(error), note)

    async def _prepared(self, form: BodyForm, request: Request, raw: bytes) -> tuple[Turn | None, str]:
        """The turn of a request and what to tell of it; none where memory has no part in it, or failed."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            turn = await asyncio.to_thread(self._turns.prepare, form, headers, raw)
        except Bypass as why:
            note = f"bypass; {why}"
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the request goes on
            _log.warning("memory failed (%s); the request goes on without it", type(error).__name__)
            note = f"bypass; memory failed ({type(error).__name__})"
        else:
            return turn, turn.note
        self._turns.ledger.bypass(note.removeprefix("bypass; "))
        return None, note

    async def _answer(self, reply: httpx2.Response, turn: Turn | None, note: str) -> Response:
        """The reply as it comes; a whole one is registered before the client can know that it is whole."""
        told = [*forwarded(reply.headers.raw), (b"x-amb", note.encode())]
        listener = None
        if turn is not None and reply.status_code == 200:
            if not reply.headers.get("content-type", "").startswith("text/event-stream"):
                return await self._whole(reply, turn, told)
            listener = _Listener(turn, self._turns.register)
        response = StreamingResponse(_pieces(reply, listener), status_code=reply.status_code)
        response.raw_headers = told
        return response

    async def _whole(self, reply: httpx2.Response, turn: Turn, told: list[tuple[bytes, bytes]]) -> Response:
        """A reply that is not streamed."""
        content = b"".join([piece async for piece in _pieces(reply, None)])
        if len(content) <= _LARGEST_REPLY:
            listener = _Listener(turn, self._turns.register)
            await asyncio.to_thread(listener.whole, content)
        response = Response(content, status_code=reply.status_code)
        response.raw_headers = [*(pair for pair in told if pair[0] != b"content-length"), *_length(content)]
        return response


class _Listener:
    """Reads along with a reply, and registers it when it has ended well."""

    def __init__(self, turn: Turn, register: Callable[[Turn, Reply], None]) -> None:
        self._turn, self._register = turn, register
        self._reader, self._events = EventReader(), list[Event]()
        self._left = _LARGEST_REPLY

    def hear(self, piece: bytes) -> bool:
        """Take a piece of a stream; whether the reply has ended in it."""
        self._left -= len(piece)
        if self._left < 0:
            self._events.clear()
            return False
        new = self._reader.feed(piece)
        self._events += new
        return any(map(self._turn.form.ends, new))

    def end(self) -> None:
        """Register what the stream said."""
        self._attempt(lambda: self._turn.form.streamed(self._events))

    def whole(self, content: bytes) -> None:
        """Register what a reply says that was not streamed."""
        self._attempt(lambda: self._turn.form.reply(json.loads(content)))

    def _attempt(self, read: Callable[[], Reply]) -> None:
        try:
            self._register(self._turn, read())
        except Exception as error:  # noqa: BLE001 - whatever the provider sent, the client gets it
            _log.warning("a reply was not understood (%s)", type(error).__name__)


async def _pieces(reply: httpx2.Response, listener: _Listener | None) -> AsyncIterator[bytes]:
    """The bytes of a reply as they come; the connection is let go whatever happens."""
    try:
        async for piece in reply.aiter_raw():
            if listener is not None and listener.hear(piece):
                await asyncio.to_thread(listener.end)
            yield piece
    except httpx2.HTTPError as error:
        raise StreamBroken(f"the provider's reply broke off ({type(error).__name__})") from None
    finally:
        await reply.aclose()


def _length(content: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-length", str(len(content)).encode())]


async def _read(request: Request, largest: int) -> bytes | None:
    """The body of a request; None for one that is too long."""
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size > largest:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _refusal(status: int, why: str, note: str = "refused") -> Response:
    error = {"error": {"type": "amb_proxy", "message": f"amb proxy: {why}."}}
    return JSONResponse(error, status_code=status, headers={"x-amb": note})
