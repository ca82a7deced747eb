"""Requests on their way to the provider and replies on their way back."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Protocol

import httpx2
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from amb_proxy.bodies import Body, BodyForm, body_form
from amb_proxy.bodies.body_form import as_bytes
from amb_proxy.conversations import KEYS_IN_QUERY
from amb_proxy.event_stream import Event, EventReader
from amb_proxy.inside_tool import SettledReply, settle, shown_stream
from amb_proxy.turns import Bypass, Turn, Turns
from amb_proxy.upstream import Decode, Upstream, decoder_of, forwarded

__all__ = ["Relay", "StreamBroken"]

_log = logging.getLogger("amb.proxy")
_LARGEST_REPLY = 64 * 1024 * 1024
"""Bytes of a reply that are kept to register it; a longer one goes through all the same."""

_GIVE_WAY, _MOST_GIVEN_WAY = 0.005, 40
"""Seconds, and how often, that work which can wait lets requests go first."""


class _Ask(Protocol):
    """Sends a request of the client's with another body."""

    def __call__(self, content: bytes, *, plain: bool) -> Awaitable[httpx2.Response]: ...


class StreamBroken(Exception):
    """The provider's reply ended too early, and so does ours."""


class Relay:
    """Sends each request on, through memory where that has a part in it, and its reply back as it comes."""

    def __init__(self, upstream: Upstream, turns: Turns, *, largest_body: int) -> None:
        self._upstream, self._turns, self._largest = upstream, turns, largest_body
        self._late, self._preparing = set[asyncio.Task[None]](), 0

    async def finish(self) -> None:
        """Wait for what is still being taken in."""
        await asyncio.gather(*self._late)

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
        if turn is not None and turn.late is not None:
            self._in_background(turn.late)
        ask, begun = partial(self._ask, request), turn if turn is not None and turn.conversation.is_new else None
        try:
            reply = await ask(raw if turn is None else turn.content, plain=turn is not None)
            if begun is not None:
                await asyncio.to_thread(self._turns.accepted if reply.is_success else self._turns.refused, begun)
                begun = None
            return await self._answer(reply, turn, note, ask)
        except httpx2.HTTPError as error:
            _log.warning("the provider was not reached (%s)", type(error).__name__)
            return _refusal(502, f"the provider was not reached ({type(error).__name__})", note)
        except StreamBroken as error:
            return _refusal(502, str(error), note)
        finally:
            if begun is not None:
                self._in_background(partial(self._turns.refused, begun))

    def _in_background(self, late: Callable[[], None]) -> None:
        self._late.add(task := asyncio.create_task(self._attempted(late)))
        task.add_done_callback(self._late.discard)

    async def _attempted(self, late: Callable[[], None]) -> None:
        """Do what is left of a turn beside the provider's work; the client's next request brings what was lost.

        Requests that wait for their turn go first.
        """
        for _ in range(_MOST_GIVEN_WAY):
            if not self._preparing:
                break
            await asyncio.sleep(_GIVE_WAY)
        try:
            await asyncio.to_thread(late)
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, nobody waits for it
            _log.warning("memory failed to take in (%s)", type(error).__name__)

    async def _ask(self, request: Request, content: bytes, *, plain: bool) -> httpx2.Response:
        """The provider's response to a request of the client's with this body."""
        query = b"?" + request.scope["query_string"] if request.url.query else b""
        target = (request.scope["raw_path"] + query).decode("latin-1")
        return await self._upstream.send(request.method, target, forwarded(request.headers.raw), content, plain=plain)

    async def _prepared(self, form: BodyForm, request: Request, raw: bytes) -> tuple[Turn | None, str]:
        """The turn of a request and what to tell of it; none where memory has no part in it, or failed."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        headers |= {f"?{name}": value for name, value in request.query_params.items() if name in KEYS_IN_QUERY}
        try:
            self._preparing += 1
            turn = await asyncio.to_thread(self._turns.prepare, form, headers, raw)
        except Bypass as why:
            note = f"bypass; {why}"
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the request goes on
            _log.warning("memory failed (%s); the request goes on without it", type(error).__name__)
            note = f"bypass; memory failed ({type(error).__name__})"
        else:
            return turn, turn.note
        finally:
            self._preparing -= 1
        self._turns.ledger.bypass(note.removeprefix("bypass; "))
        return None, note

    async def _answer(self, reply: httpx2.Response, turn: Turn | None, note: str, ask: _Ask) -> Response:
        """The reply as it comes; a whole one is registered before the client can know that it is whole."""
        if turn is None or reply.status_code != 200:
            return _as_it_comes(reply, _pieces(reply, None), note)
        if not reply.headers.get("content-type", "").startswith("text/event-stream"):
            return await self._whole(reply, turn, note, ask)
        if turn.inside:
            return _as_it_comes(reply, self._edited(reply, turn, ask), note, decoded=True)
        return _as_it_comes(reply, _pieces(reply, _Listener(turn, self._settle, decoder_of(reply.headers))), note)

    async def _whole(self, reply: httpx2.Response, turn: Turn, note: str, ask: _Ask) -> Response:
        """A reply that is not streamed, the last one of its turn."""
        content, changed, following = await self._read_whole(reply, turn)
        while following is not None:
            turn = following
            reply = await ask(turn.content, plain=True)
            note = f"{turn.note}; deep_retrieval={turn.rounds}"
            if reply.status_code != 200:
                return _as_it_comes(reply, _pieces(reply, None), note)
            content, changed, following = await self._read_whole(reply, turn)
        response = Response(content, status_code=reply.status_code)
        left_out = (b"content-length", b"content-encoding") if changed else (b"content-length",)
        kept = [pair for pair in forwarded(reply.headers.raw) if pair[0] not in left_out]
        response.raw_headers = [*kept, (b"content-length", str(len(content)).encode()), (b"x-amb", note.encode())]
        return response

    async def _read_whole(self, reply: httpx2.Response, turn: Turn) -> tuple[bytes, bool, Turn | None]:
        """What the client sees of a reply, whether that is not what came, and the turn that follows it inside."""
        content = b"".join([piece async for piece in _pieces(reply, None)])
        if len(content) > _LARGEST_REPLY:
            return content, False, None
        payload = list[Body]()

        def read() -> Body:
            payload.append(json.loads(decoder_of(reply.headers)(content)))
            return payload[0]

        settled = await asyncio.to_thread(self._settle, turn, read)
        if settled is None or settled.next is not None or settled.payload is payload[0]:
            return content, False, None if settled is None else settled.next
        return as_bytes(settled.payload), True, None

    async def _edited(self, reply: httpx2.Response, turn: Turn, ask: _Ask) -> AsyncIterator[bytes]:
        """A stream without the calls of our tool."""

        async def settled(turn: Turn, events: Sequence[Event], said: Sequence[str]) -> Turn | None:
            found = await asyncio.to_thread(self._settle, turn, lambda: turn.form.whole(events), said=said)
            return None if found is None else found.next

        async def go_on(turn: Turn) -> AsyncIterator[bytes]:
            more = await ask(turn.content, plain=True)
            if more.status_code != 200:
                await more.aclose()
                raise StreamBroken(f"the provider answered {more.status_code} to what memory brought")
            return _decoded(more)

        shown = shown_stream(_decoded(reply), turn, tool=self._turns.tool.name, settled=settled, ask=go_on)
        async with aclosing(shown):  # type: ignore[type-var]
            async for piece in shown:
                yield piece

    def _settle(self, turn: Turn, read: Callable[[], Body | None], *, said: Sequence[str] = ()) -> SettledReply | None:
        """What a reply comes to; None for one that broke off or was not understood, which the client gets as it is."""
        try:
            payload = read()
            return None if payload is None else settle(self._turns, turn, payload, said=said)
        except Exception as error:  # noqa: BLE001 - whatever the provider sent, the client gets it
            _log.warning("a reply was not understood (%s)", type(error).__name__)
            return None


class _Listener:
    """Reads along with a reply, and registers it when it has ended well."""

    def __init__(self, turn: Turn, settle: Callable[[Turn, Callable[[], Body | None]], object], decode: Decode) -> None:
        self._turn, self._settle, self._decode = turn, settle, decode
        self._reader, self._events = EventReader(), list[Event]()
        self._left = _LARGEST_REPLY

    def hear(self, piece: bytes) -> bool:
        """Take a piece of a stream; whether the reply has ended in it."""
        self._left -= len(piece)
        if self._left < 0:
            self._events.clear()
            return False
        try:
            new = self._reader.feed(self._decode(piece))
        except ValueError:
            self._left = 0
            return False
        self._events += new
        return any(map(self._turn.form.ends, new))

    def end(self) -> None:
        """Register what the stream said."""
        self._settle(self._turn, lambda: self._turn.form.whole(self._events))


def _as_it_comes(reply: httpx2.Response, pieces: AsyncIterator[bytes], note: str, *, decoded: bool = False) -> Response:
    left_out = (b"content-encoding", b"content-length") if decoded else ()
    response = StreamingResponse(pieces, status_code=reply.status_code)
    kept = [pair for pair in forwarded(reply.headers.raw) if pair[0] not in left_out]
    response.raw_headers = [*kept, (b"x-amb", note.encode())]
    return response


async def _decoded(reply: httpx2.Response) -> AsyncIterator[bytes]:
    decode = decoder_of(reply.headers)
    async with aclosing(_pieces(reply, None)) as pieces:  # type: ignore[type-var]
        async for piece in pieces:
            try:
                yield decode(piece)
            except ValueError as error:
                raise StreamBroken(str(error)) from None


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
