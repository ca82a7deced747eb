"""One HTTP request after another, each to a checked address, within limits of size, time and redirects.

Built on the standard library's client, because that is handed a connected socket: the socket is opened to the address
the guard has checked, TLS and the Host header still name the host. Proxies of the environment are not used: they would
resolve names a second time. Nothing is shared between requests, so threads may share a client.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from amb_tools.bodies import read_body
from amb_tools.guard import AddressGuard, Location, Target
from amb_tools.tool_errors import FetchFailed

__all__ = ["USER_AGENT", "HttpClient", "Limits", "Reply"]

USER_AGENT = "AMB/0.1 (research agent; reads single pages; follows robots.txt)"
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_LEAST_WAIT = 0.01
_MAX_ADDRESSES = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_bytes` of a body as it came and as it is unpacked, seconds from the first connection to the last byte.

    With `cut` a longer body is cut there instead of refused.
    """

    max_bytes: int = 10_000_000
    max_seconds: float = 30.0
    max_redirects: int = 5
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered; header names in small letters. `location` is where the last redirect led.

    The body of an answer other than a success is not read.
    """

    location: Location
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def header(self, name: str) -> str:
        """One header, empty when there is none."""
        return self.headers.get(name, "")


class HttpClient:
    """Sends requests that the guard lets through. `ssl_context` replaces the system's trusted authorities."""

    def __init__(
        self,
        *,
        guard: AddressGuard | None = None,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self.guard = guard or AddressGuard()
        self.user_agent = user_agent
        self._limits = limits or Limits()
        self._ssl_context = ssl_context

    def request(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        limits: Limits | None = None,
        before: Callable[[Location], None] | None = None,
    ) -> Reply:
        """The answer behind all redirects, whatever its status; `before` may refuse a location by raising.

        Raises AddressRefused, or FetchFailed when no answer came within the limits.
        """
        bound = limits or self._limits
        end = time.monotonic() + bound.max_seconds
        came_from: Target | None = None
        location = self.guard.locate(url)
        for _ in range(bound.max_redirects + 1):
            target = self.guard.check(location, came_from=came_from)
            if before is not None:
                started = time.monotonic()
                before(location)
                end += time.monotonic() - started  # what it waits for is not the server's fault
            exchange = _Exchange(target, bound, end, self._context)
            reply = exchange.run(method, self._headers(headers), body)
            leads_to = reply.header("location")
            if reply.status not in _REDIRECTS or not leads_to:
                return reply
            location, came_from = self.guard.locate(_as_utf8(leads_to), seen_from=location), target
        raise FetchFailed(f"{url[:200]} redirects more than {bound.max_redirects} times; it leads nowhere.")

    def _headers(self, given: Mapping[str, str] | None) -> dict[str, str]:
        return {
            "User-Agent": self.user_agent,
            "Accept-Encoding": "gzip, deflate",
            "Connection": "close",
            **(given or {}),
        }

    def _context(self) -> ssl.SSLContext:
        return self._ssl_context or ssl.create_default_context()


def _as_utf8(header: str) -> str:
    """A header as servers mean it that write other characters into a URL; the library reads bytes as Latin-1."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


class _Exchange:
    """One request and its answer on one connection."""

    def __init__(self, target: Target, limits: Limits, end: float, context: Callable[[], ssl.SSLContext]) -> None:
        self._target, self._limits, self._end = target, limits, end
        self._context = context

    def run(self, method: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        """The answer; every failure of the network becomes a FetchFailed."""
        location = self._target.location
        try:
            with _Closing(self._connected(), self._end) as line:
                return self._exchanged(line.socket, method, headers, body)
        except (FetchFailed, OSError, http.client.HTTPException, ValueError) as error:
            if self._is_over():
                raise self._late(location) from None
            if isinstance(error, FetchFailed):
                raise
            reason = str(error) or type(error).__name__
            raise FetchFailed(f"{location.url[:200]} cannot be fetched ({reason[:200]}); try another source.") from None

    def _exchanged(
        self, connected: socket.socket, method: str, headers: Mapping[str, str], body: bytes | None
    ) -> Reply:
        location = self._target.location
        connection = http.client.HTTPConnection(location.host, location.port)
        connection.sock = connected
        connection.request(method, location.path, body=body, headers={"Host": location.netloc, **headers})
        with connection.getresponse() as response:
            found = {name.lower(): value for name, value in response.getheaders()}
            limits = self._limits
            wanted = response.status < 300  # what else is said with a redirect or an error is nothing to read
            payload = read_body(response, limits.max_bytes, cut=limits.cut) if wanted else b""
        if self._is_over():  # an answer without a length looks complete when the line is cut
            raise self._late(location)
        return Reply(location, response.status, found, payload)

    def _connected(self) -> socket.socket:
        """A socket to the first address that answers; nothing is resolved again."""
        location = self._target.location
        failure: OSError = ConnectionError("no address answers")
        for address in self._target.addresses[:_MAX_ADDRESSES]:
            try:
                plain = socket.create_connection((address, location.port), timeout=self._left())
            except OSError as error:
                failure = error
                continue
            if location.scheme == "http":
                return plain
            try:
                return self._context().wrap_socket(plain, server_hostname=location.host)
            except BaseException:
                plain.close()
                raise
        raise failure

    def _left(self) -> float:
        return max(self._end - time.monotonic(), _LEAST_WAIT)

    def _is_over(self) -> bool:
        return time.monotonic() >= self._end

    def _late(self, location: Location) -> FetchFailed:
        seconds = self._limits.max_seconds
        return FetchFailed(f"{location.url[:200]} took longer than {seconds:g} s; try later or another source.")


class _Closing:
    """Cuts a connection when its time is over: a timeout of the socket begins anew with every byte that drips in."""

    def __init__(self, connected: socket.socket, end: float) -> None:
        self.socket = connected
        self._timer = threading.Timer(max(end - time.monotonic(), _LEAST_WAIT), self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self.socket.close()

    def _cut(self) -> None:
        try:
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)
        except OSError:  # already closed
            return
