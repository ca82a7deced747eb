"""Serves over stdio, or over streamable HTTP to those who may ask."""

from __future__ import annotations

import hmac
import logging
import socket
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from amb_core import InvalidInput, InvalidParameter
from amb_mcp.sdk import http_app

__all__ = ["serve_http", "serve_stdio"]

_HERE = ("127.0.0.1", "localhost", "::1")
_LONGEST_BODY = 4 * 1024 * 1024
_SHORTEST_TOKEN = 16
_log = logging.getLogger("amb.mcp")


def serve_stdio(server: Any) -> None:
    """Serve the client that started this process, until it closes our standard input."""
    server.run("stdio")


def serve_http(
    server: Any,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    token: str | None = None,
    allow_hosts: Sequence[str] = (),
    allow_origins: Sequence[str] = (),
    ready: Callable[[str], None] = _log.info,
) -> None:
    """Serve at http://HOST:PORT/mcp until interrupted; port 0 is any free one, and `ready` is told the URL.

    Requests must name this server in `Host` (or one of `allow_hosts`, as `name:port`), and pages in a browser must be
    of `allow_origins`: so no web site can reach it through a browser on this machine. With a `token`, each request
    must bring it as `Authorization: Bearer`. Any host but this machine needs both a token and `allow_hosts`.
    InvalidInput when the port is taken.
    """
    if token is not None and len(token) < _SHORTEST_TOKEN:
        raise InvalidParameter(
            f"a token needs at least {_SHORTEST_TOKEN} characters; make one with `openssl rand -hex 16`"
        )
    if host not in _HERE and (token is None or not allow_hosts):
        raise InvalidParameter(
            f"on {host} others can reach the memory: give a token (AMB_MCP_TOKEN) and the names it is asked under "
            "(--allow-host NAME:PORT), or serve on 127.0.0.1"
        )
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    names = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *allow_hosts],
        allowed_origins=[*(f"http://{name}" for name in names), *allow_origins],
    )
    guarded = _Guard(http_app(server, security), token)
    with listening:
        url = f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
        config = uvicorn.Config(guarded, log_level="warning", timeout_graceful_shutdown=2, server_header=False)
        _Server(config, lambda: ready(url)).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says that it is ready when it has started, so that whoever is told may also interrupt it."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"cannot serve on {host} port {port} ({reason}); name another --port") from None


class _Guard:
    """Refuses requests without the token and bodies that are too long, before anything reads them."""

    def __init__(self, app: Any, token: str | None) -> None:
        self._app = app
        self._wanted = None if token is None else f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if self._wanted is not None and not hmac.compare_digest(headers.get(b"authorization", b""), self._wanted):
            await _refuse(send, 401, b"a token is needed", (b"www-authenticate", b"Bearer"))
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > _LONGEST_BODY:
            await _refuse(send, 413, b"the request is too long")
            return
        await self._app(scope, _bounded(receive), send)


def _bounded(receive: Any) -> Any:
    """A body sent in chunks without a length counts as cut off where it gets too long."""
    taken = 0

    async def bounded() -> Any:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return message if taken <= _LONGEST_BODY else {"type": "http.disconnect"}

    return bounded


async def _refuse(send: Any, status: int, text: bytes, *headers: tuple[bytes, bytes]) -> None:
    told = [(b"content-type", b"text/plain"), (b"content-length", str(len(text)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": text})
