"""AMBProxy: the gateway as an ASGI app, for a server of one's own."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from amb_core import Banks, InvalidParameter, LongTermMemory, MemoryBank, Settings
from amb_core.bank_source import ANY_GOAL
from amb_core.protocols import Redactor
from amb_inspector import render_page
from amb_inspector.memory_door import HEADERS, ROOT, DoorRequest, MemoryDoor
from amb_proxy.conversations import Conversation, Conversations
from amb_proxy.gateway_store import open_gateway_store, secret_in
from amb_proxy.ledger import GatewayCosts
from amb_proxy.open_files import MOST_CONNECTIONS, MOST_OPEN_BANKS, room
from amb_proxy.relay import Relay
from amb_proxy.status import render_status, told_of
from amb_proxy.turns import Turns
from amb_proxy.upstream import Upstream

__all__ = ["AMBProxy", "Access"]

_log = logging.getLogger("amb.proxy")
_HOUR, _DAY = 3600.0, 86_400.0
_MB = 1024 * 1024
_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


class AMBProxy:
    """A gateway to one provider, `upstream`, that bounds the requests of agents and gives them their memory.

    `folder` is where its conversations and their banks are kept, but with `store`, `postgresql://…?tenant=acme`, where
    several gateways may work side by side; the operator's token stands in the folder in both cases. `settings` are
    those of every bank, such as `Settings(prompt_budget_tokens=16_000)`. What nobody used in `keep_days` is deleted.
    `hosts` are the names it may be asked under (None: any, for a server that checks them itself), `token` what each
    request must bring as `x-amb-token`. `largest_body` is in bytes, `timeout` in seconds; of `most_conversations`
    each credential has its share, beyond which its new ones go through without memory. `most_open_banks` are open at
    once, each with four files. `deep_retrieval` offers models that tool, whose calls are answered here.
    At most `most_connections` requests are at the provider at once, and fewer where the limit of file descriptors is
    low; those that find no room in some seconds are refused with 503. A `redactor` takes personal data and secrets out
    of what is kept; the newest results go on as they came. `memories` is a LongTermMemory that the operator reaches
    below `/amb/memories`; it is closed with the gateway. Close it, or let the server's lifespan do so. Raises
    InvalidParameter for a URL, folder or number that cannot be.
    """

    def __init__(
        self,
        upstream: str,
        *,
        folder: str | Path = "banks",
        store: str | None = None,
        settings: Settings | None = None,
        keep_days: float | None = 30.0,
        hosts: Sequence[str] | None = None,
        token: str | None = None,
        largest_body: int = 64 * _MB,
        timeout: float = 600.0,
        deep_retrieval: bool = False,
        redactor: Redactor | None = None,
        memories: LongTermMemory | None = None,
        most_conversations: int = 10_000,
        most_connections: int = MOST_CONNECTIONS,
        most_open_banks: int = MOST_OPEN_BANKS,
    ) -> None:
        if min(largest_body, timeout, most_conversations, most_connections, most_open_banks) <= 0:
            raise InvalidParameter(
                "largest_body, timeout, most_conversations, most_connections and most_open_banks are more than 0."
            )
        there_is = room(most_connections, open_banks=most_open_banks)
        self._upstream = Upstream(upstream, timeout=timeout, most_connections=there_is.connections)
        self.folder = Path(folder).absolute()
        self._keep, self._looked = keep_days, 0.0
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidParameter(f"{self.folder} cannot be a folder ({error.strerror}); name another one") from None
        self._store = open_gateway_store(store or self.folder)
        self._conversations = Conversations(self._store, most=most_conversations)
        self._ledger = GatewayCosts(self._store)
        url = store or f"sqlite:///{self.folder / 'banks'}"
        self._banks = Banks(url, settings=settings, keep_days=keep_days, most_open=most_open_banks, redactor=redactor)
        self._turns = Turns(self._banks, self._conversations, self._ledger, deep_retrieval=deep_retrieval)
        operator_token = secret_in(self._store, "operator-token")
        _write_secret(self.folder / "operator-token", operator_token)
        self._memories = memories
        self._access = Access(operator_token, hosts=hosts, token=token)
        self._relay = Relay(self._upstream, self._turns, largest_body=largest_body, most_requests=there_is.requests)
        self._app = Starlette(routes=self._routes(), lifespan=self._lifespan)

    @property
    def operator_token(self) -> str:
        """What status, pages and deletion ask for; it stands in the folder, too."""
        return self._access.operator_token

    def status(self) -> dict[str, Any]:
        """What it did: each conversation with what it cost, and the requests that went through unchanged, by why."""
        told = told_of(self._conversations, self._ledger)
        return {"upstream": self._upstream.url, "bypassed": dict(self._ledger.bypassed), "conversations": told}

    @property
    def worked_on(self) -> frozenset[str]:
        """The conversations that this gateway has worked on, by id; another one on the same folder has its own."""
        return frozenset(self._ledger.worked_on)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request, or the server's start and end."""
        if scope["type"] == "http" and (refusal := self._access.refusal(Request(scope))) is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def close(self) -> None:
        """Close all banks and files; what was acknowledged is kept."""
        self._banks.close()
        self._store.close()
        if self._memories is not None:
            self._memories.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _routes(self) -> list[Route]:
        mine: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("/amb/status", "GET", self._status),
            ("/amb/conversations/{id}", "GET", self._page),
            ("/amb/conversations/{id}", "DELETE", self._delete),
            ("/amb/users/{id:path}", "DELETE", self._delete_user),
        ]
        door = [] if self._memories is None else self._door(MemoryDoor(self._memories))
        return [
            *door,
            *(Route(path, self._for_operator(answer), methods=[method]) for path, method, answer in mine),
            Route("/amb/{path:path}", _nothing, methods=_METHODS),  # nothing of the operator's goes to the provider
            Route("/{path:path}", self._pass_on, methods=_METHODS),
        ]

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await self._relay.finish()
            await self._upstream.close()
            self.close()

    async def _pass_on(self, _request: Request) -> ASGIApp:
        if time.time() - self._looked > _HOUR:
            await asyncio.to_thread(self._tidy)
        return self._relay

    def _for_operator(
        self, answer: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def checked(request: Request) -> Response:
            given = request.headers.get("x-amb-token") or request.query_params.get("token") or ""
            if not hmac.compare_digest(given.encode(), self._access.operator_token.encode()):
                return JSONResponse({"error": "the token of the file operator-token is needed"}, status_code=401)
            return await answer(request)

        return checked

    def _door(self, door: MemoryDoor) -> list[Route]:
        """Long-term memory, at its path and below."""

        async def answer(request: Request) -> Response:
            body = b"".join([part async for part in self._at_most(request)])
            language = request.headers.get("accept-language", "")
            asked = DoorRequest(request.method, request.url.path, request.url.query, body, language)
            found = await asyncio.to_thread(door.answer, asked)
            return Response(found.body, found.status, {**HEADERS, **found.headers}, media_type=found.type)

        checked = self._for_operator(answer)
        return [Route(f"{ROOT}{rest}", checked, methods=_METHODS) for rest in ("", "/{path:path}")]

    async def _at_most(self, request: Request) -> AsyncIterator[bytes]:
        """The body of a request of the operator's, up to some MB."""
        read = 0
        async for part in request.stream():
            read += len(part)
            if read > 4 * _MB:
                raise HTTPException(413, "a body has at most 4 MB")
            yield part

    async def _status(self, request: Request) -> Response:
        told = await asyncio.to_thread(self.status)
        is_browser = "text/html" in request.headers.get("accept", "")
        return HTMLResponse(render_status(told)) if is_browser else JSONResponse(told)

    async def _page(self, request: Request) -> Response:
        found = self._conversations.get(request.path_params["id"])
        if found is None:
            return _unknown()
        return HTMLResponse(await asyncio.to_thread(self._rendered, found))

    def _rendered(self, conversation: Conversation) -> str:
        """The page of a conversation, also of one that nothing was kept of yet."""
        bank = self._banks.find(conversation.scope)
        return render_page((MemoryBank(ANY_GOAL) if bank is None else bank).snapshot())

    async def _delete(self, request: Request) -> Response:
        found = self._conversations.get(request.path_params["id"])
        if found is None:
            return _unknown()
        deleted = await asyncio.to_thread(self._turns.delete, found.id)
        return JSONResponse({"found": deleted.found, **deleted.model_dump()})

    async def _delete_user(self, request: Request) -> Response:
        deleted = await asyncio.to_thread(self._turns.delete_user, request.path_params["id"])
        return JSONResponse({"found": deleted.found, **deleted.model_dump()})

    def _tidy(self) -> None:
        """Once an hour delete what nobody used for so many days, and what a gateway that was killed had begun."""
        self._looked = time.time()
        before = 0.0 if self._keep is None else self._looked - self._keep * _DAY
        for name in self._conversations.unused_since(before):
            self._turns.delete(name)


def _write_secret(file: Path, secret: str) -> None:
    """Write a file that only its owner can read."""
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(secret)


async def _nothing(_request: Request) -> Response:
    return JSONResponse({"error": "the gateway has /amb/status and /amb/conversations/<id>"}, status_code=404)


def _unknown() -> Response:
    return JSONResponse({"error": "there is no such conversation; `amb proxy status` lists them"}, status_code=404)


_SHORTEST_TOKEN = 16


class Access:
    """Checks the `Host`, the `Origin` and the token of each request, before anything of it is read.

    `hosts` are the names with ports it may be asked under; None checks none. `operator_token` is for status, pages and
    deletion.
    """

    def __init__(self, operator_token: str, *, hosts: Sequence[str] | None, token: str | None) -> None:
        if token is not None and len(token) < _SHORTEST_TOKEN:
            raise InvalidParameter(
                f"a token needs at least {_SHORTEST_TOKEN} characters; make one with `openssl rand -hex 16`"
            )
        self._hosts = None if hosts is None else {host.casefold() for host in hosts}
        self._token = token
        self.operator_token = operator_token

    def refusal(self, request: Request) -> Response | None:
        """The answer to a request that may not ask; None for one that may."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if self._hosts is not None and host.casefold() not in self._hosts:
            return _refused(421, "this gateway is not asked under that name (--allow-host NAME:PORT)")
        if self._hosts is not None and origin is not None and urlsplit(origin).netloc.casefold() not in self._hosts:
            return _refused(403, "web pages of other sites may not ask")
        given = request.headers.get("x-amb-token", "")
        if self._token is not None and not self._known(given):
            return _refused(401, "the header x-amb-token is needed")
        return None

    def _known(self, given: str) -> bool:
        known = (self._token or "", self.operator_token)
        return any(hmac.compare_digest(given.encode(), one.encode()) for one in known)


def _refused(status: int, why: str) -> Response:
    error = {"error": {"type": "amb_proxy", "message": f"amb proxy: {why}."}}
    return JSONResponse(error, status_code=status, headers={"x-amb": "refused"})
