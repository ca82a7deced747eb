"""Requests on their way to the provider and replies on their way back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import anyio
import httpx2
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from amb_proxy.bodies import Body, BodyForm, body_form
from amb_proxy.bodies.body_form import as_bytes
from amb_proxy.content_coding import Decoder, decoder_of
from amb_proxy.conversations import KEYS_IN_QUERY
from amb_proxy.inside_tool import SettledReply, settle, shown_stream
from amb_proxy.listening import LARGEST_PART, Hearing, read_whole
from amb_proxy.turns import Bypass, Turn, Turns
from amb_proxy.upstream import PathLeaves, Upstream, forwarded, is_full

__all__ = ["Relay", "StreamBroken"]

_log = logging.getLogger("amb.proxy")
_GIVE_WAY, _MOST_GIVEN_WAY = 0.005, 40
"""Seconds, and how often, that work which can wait lets requests go first."""
_LISTENS_ANEW = 1.0
"""Seconds after which a server is asked again for its client; what comes behind a body stops its reading."""
_SENT_AT_ONCE = 256 * 1024
_RETRY_AFTER = "5"
"""Seconds after which a client may ask again where all connections are taken."""


class _Ask(Protocol):
    """Sends a request of the client's with another body."""

    def __call__(self, content: bytes, *, plain: bool) -> Awaitable[httpx2.Response]: ...


class StreamBroken(Exception):
    """The provider's reply ended too early, and so does ours."""


class Relay:
    """An ASGI app: sends each request on, through memory where that has a part in it, and its reply back as it comes.

    A client that leaves ends its request at once, here and at the provider. Beyond `most_requests` at a time, and where
    no connection becomes free in seconds, requests are refused with 503.
    """

    def __init__(self, upstream: Upstream, turns: Turns, *, largest_body: int, most_requests: int) -> None:
        self._upstream, self._turns, self._largest = upstream, turns, largest_body
        self._most, self._running = most_requests, 0
        self._late, self._preparing = set[asyncio.Task[None]](), 0

    async def finish(self) -> None:
        """Wait for what is still being taken in."""
        await asyncio.gather(*self._late)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, with `x-amb` in the answer saying what was done."""
        if self._running >= self._most:
            await _busy("refused")(scope, receive, send)
            return
        self._running += 1
        try:
            async with AsyncExitStack() as replies:
                await self._served(Request(scope, receive), replies, send)
        except ClientDisconnect:
            pass
        finally:
            self._running -= 1

    async def _served(self, request: Request, replies: AsyncExitStack, send: Send) -> None:
        """Answer a request until its client leaves; `replies` closes what the provider sends."""
        raw = await _read(request, self._largest)
        with anyio.CancelScope() as work:
            watching = asyncio.create_task(_watch(request, work))
            try:
                if raw is None:
                    answer: ASGIApp = _refusal(413, f"the request is longer than {self._largest} bytes")
                else:
                    answer = await self._answered(request, raw, partial(self._ask, request, replies))
                await answer(request.scope, _silence, send)
            finally:
                watching.cancel()

    async def _answered(self, request: Request, raw: bytes, ask: _Ask) -> ASGIApp:
        """The provider's answer to a request with this body."""
        form = body_form(request.url.path) if request.method == "POST" else None
        turn: Turn | None = None
        if form is None:
            note = "bypass; no model call"
        else:
            turn, note = await self._prepared(form, request, raw)
        if turn is not None and turn.late is not None:
            self._in_background(turn.late)
        begun = turn if turn is not None and turn.conversation.is_new else None
        try:
            reply = await ask(raw if turn is None else turn.content, plain=turn is not None)
            if begun is not None:
                new, begun = begun, None
                await asyncio.to_thread(self._turns.accepted if reply.is_success else self._turns.refused, new)
            return await self._answer(reply, turn, note, ask)
        except PathLeaves:
            return _refusal(400, "a path may not have `..` as a part of it", note)
        except httpx2.HTTPError as error:
            _log.warning("the provider was not reached (%s)", type(error).__name__)
            if is_full(error):
                return _busy(note)
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

    async def _ask(self, request: Request, replies: AsyncExitStack, content: bytes, *, plain: bool) -> httpx2.Response:
        """The provider's response to a request of the client's with this body."""
        query = b"?" + request.scope["query_string"] if request.url.query else b""
        target = (request.scope["raw_path"] + query).decode("latin-1")
        headers = forwarded(request.headers.raw)
        reply = await self._upstream.send(request.method, target, headers, content, plain=plain)
        replies.push_async_callback(reply.aclose)
        return reply

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

    async def _answer(self, reply: httpx2.Response, turn: Turn | None, note: str, ask: _Ask) -> ASGIApp:
        """The reply as it comes; a whole one is registered before the client can know that it is whole."""
        decoder = decoder_of(reply.headers)
        if turn is None or decoder is None or reply.status_code != 200:
            return _as_it_comes(reply, _pieces(reply), note)
        if not reply.headers.get("content-type", "").strip().lower().startswith("text/event-stream"):
            return await self._whole(reply, turn, note, ask)
        if turn.inside:
            return _as_it_comes(reply, self._edited(reply, decoder, turn, ask), note, decoded=True)
        return _as_it_comes(reply, self._heard(reply, decoder, turn), note)

    async def _whole(self, reply: httpx2.Response, turn: Turn, note: str, ask: _Ask) -> ASGIApp:
        """A reply that is not streamed, the last one of its turn; one too large to be read goes on as it comes."""
        while True:
            pieces = _pieces(reply)
            content, is_whole = await _held(pieces)
            if not is_whole or reply.status_code != 200:
                return _as_it_comes(reply, _behind(content, pieces), note)
            settled = await asyncio.to_thread(self._settled_whole, reply, turn, content)
            if isinstance(settled, bytes):
                break
            turn = settled
            reply = await ask(turn.content, plain=True)
            note = f"{turn.note}; deep_retrieval={turn.rounds}"
        left_out = (b"content-length",) if settled is content else (b"content-length", b"content-encoding")
        kept = [pair for pair in forwarded(reply.headers.raw) if pair[0] not in left_out]
        headers = [*kept, (b"content-length", str(len(settled)).encode()), (b"x-amb", note.encode())]
        return _Passing(reply.status_code, headers, _behind(settled))

    def _settled_whole(self, reply: httpx2.Response, turn: Turn, content: bytes) -> bytes | Turn:
        """What the client sees of a reply, the very same where nothing was taken out, or the turn that follows it."""
        payload = list[Body]()

        def read() -> Body | None:
            if (decoder := decoder_of(reply.headers)) is not None:
                payload.append(read_whole(content, decoder))
                self._turns.learn(turn, turn.form.prompt_tokens(payload[0]))
            return payload[0] if payload else None

        settled = self._settle(turn, read)
        if settled is None or settled.payload is payload[0]:
            return content if settled is None or settled.next is None else settled.next
        try:
            return as_bytes(settled.payload)
        except (ValueError, RecursionError):
            return content

    async def _heard(self, reply: httpx2.Response, decoder: Decoder, turn: Turn) -> AsyncIterator[bytes]:
        """A stream as it comes, which is registered before the client has its end."""
        hearing: Hearing | None = Hearing(turn.form)
        async for piece in _pieces(reply):
            try:
                if hearing is not None and await hearing.hear(piece, decoder):
                    await asyncio.to_thread(self._settle, turn, hearing.whole)
                if hearing is not None and hearing.ended and hearing.prompt_tokens:  # some tell it behind their end
                    await asyncio.to_thread(self._turns.learn, turn, hearing.prompt_tokens)
                    hearing = None
            except Exception as error:  # noqa: BLE001 - whatever the provider sent, the client gets it
                _log.warning("a reply is not read on (%s)", type(error).__name__)
                hearing = None
            yield piece

    async def _edited(self, reply: httpx2.Response, decoder: Decoder, turn: Turn, ask: _Ask) -> AsyncIterator[bytes]:
        """A stream without the calls of our tool."""

        async def settled(turn: Turn, hearing: Hearing, said: Sequence[str]) -> Turn | None:
            found = await asyncio.to_thread(self._settle, turn, hearing.whole, said=said)
            await asyncio.to_thread(self._turns.learn, turn, hearing.prompt_tokens)
            return None if found is None else found.next

        async def go_on(turn: Turn) -> AsyncIterator[bytes]:
            try:
                more = await ask(turn.content, plain=True)
            except httpx2.HTTPError as error:
                raise StreamBroken(f"the provider was not reached again ({type(error).__name__})") from None
            if more.status_code != 200 or (decoder := decoder_of(more.headers)) is None:
                raise StreamBroken(f"the provider answered {more.status_code} to what memory brought")
            return _decoded(more, decoder)

        pieces = _decoded(reply, decoder)
        shown = shown_stream(pieces, turn, tool=self._turns.tool.name, settled=settled, ask=go_on)
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


@dataclass(frozen=True, slots=True)
class _Passing:
    """An answer that goes on piece by piece, as an ASGI app."""

    status: int
    headers: list[tuple[bytes, bytes]]
    pieces: AsyncIterator[bytes]

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
            async with aclosing(self.pieces) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    for at in range(0, len(piece), _SENT_AT_ONCE):  # between which others are served
                        part = piece[at : at + _SENT_AT_ONCE]
                        await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:  # how servers tell that a client is gone
            raise ClientDisconnect from None


def _as_it_comes(reply: httpx2.Response, pieces: AsyncIterator[bytes], note: str, *, decoded: bool = False) -> ASGIApp:
    if not 200 <= reply.status_code < 600:  # which no server can send
        return _refusal(502, f"the provider answered with the status {reply.status_code}", note)
    left_out = (b"content-encoding", b"content-length") if decoded else ()
    kept = [pair for pair in forwarded(reply.headers.raw) if pair[0] not in left_out]
    return _Passing(reply.status_code, [*kept, (b"x-amb", note.encode())], pieces)


async def _decoded(reply: httpx2.Response, decoder: Decoder) -> AsyncIterator[bytes]:
    """The text of a reply in bounded pieces."""
    async for piece in _pieces(reply):
        if decoder.is_plain:
            yield piece
            continue
        texts = decoder.feed(piece)
        try:
            while (text := await asyncio.to_thread(next, texts, None)) is not None:
                yield text
        except ValueError as error:
            raise StreamBroken(str(error)) from None


async def _pieces(reply: httpx2.Response) -> AsyncIterator[bytes]:
    """The bytes of a reply as they come."""
    try:
        async for piece in reply.aiter_raw():
            yield piece
    except httpx2.HTTPError as error:
        raise StreamBroken(f"the provider's reply broke off ({type(error).__name__})") from None


async def _held(pieces: AsyncIterator[bytes]) -> tuple[bytes, bool]:
    """What came of a reply, and whether that is all of it; no more is held than is read."""
    held, size = list[bytes](), 0
    async for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size > LARGEST_PART:
            return b"".join(held), False
    return b"".join(held), True


async def _behind(content: bytes, pieces: AsyncIterator[bytes] | None = None) -> AsyncIterator[bytes]:
    """What was held, and what comes behind it."""
    yield content
    if pieces is not None:
        async for piece in pieces:
            yield piece


async def _watch(request: Request, work: anyio.CancelScope) -> None:
    """End the work on a request when its client leaves."""
    while True:
        with anyio.move_on_after(_LISTENS_ANEW):
            if (await request.receive())["type"] == "http.disconnect":
                break
    work.cancel()


async def _silence() -> Any:
    """What an answer hears of its client, for which somebody else listens."""
    await anyio.sleep_forever()


async def _read(request: Request, largest: int) -> bytes | None:
    """The body of a request; None for one that is too long."""
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size > largest:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _busy(note: str) -> Response:
    refusal = _refusal(503, "too many requests are open at once; ask again in some seconds", note)
    refusal.headers["retry-after"] = _RETRY_AFTER
    return refusal


def _refusal(status: int, why: str, note: str = "refused") -> Response:
    error = {"error": {"type": "amb_proxy", "message": f"amb proxy: {why}."}}
    return JSONResponse(error, status_code=status, headers={"x-amb": note})
