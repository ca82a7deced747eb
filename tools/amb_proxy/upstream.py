"""The one provider behind the gateway: requests go there as they came, headers and all."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote_to_bytes, urlsplit

import httpx2

from amb_core import InvalidParameter

__all__ = ["PathLeaves", "Upstream", "forwarded", "is_full"]

_OF_THE_CONNECTION = frozenset(
    {
        b"connection",
        b"expect",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
_OURS = (b"x-amb",)
_CONNECT_SECONDS, _POOL_SECONDS = 10.0, 5.0
_MOST_ENCODED = 8
_SEPARATORS = re.compile(rb"[/\\;?#]")
_UNSEEN = bytes(range(33))


class PathLeaves(Exception):
    """A request's path that would leave the base URL's own."""


class Upstream:
    """The provider at a base URL, such as `https://api.openai.com/v1`; InvalidParameter for another kind of URL."""

    def __init__(self, url: str, *, timeout: float, most_connections: int) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InvalidParameter(
                f"--upstream is the base URL of a provider, such as https://api.openai.com/v1, not {url!r}."
            )
        self.url = url.rstrip("/")
        self._base, self._path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
        limits = httpx2.Limits(max_connections=most_connections)
        timeouts = httpx2.Timeout(timeout, connect=_CONNECT_SECONDS, pool=_POOL_SECONDS)
        self._client = httpx2.AsyncClient(timeout=timeouts, limits=limits)

    async def send(
        self, method: str, target: str, headers: Iterable[tuple[bytes, bytes]], content: bytes, *, plain: bool
    ) -> httpx2.Response:
        """The provider's response with its body unread; `plain` asks for it without compression.

        `target` is the path with its query; the base URL's own path is not repeated, and not left. `timeout` is for
        each read and write. Raises PathLeaves, httpx2.HTTPError and its PoolTimeout where no connection became free.
        """
        if _leaves(target.partition("?")[0]):
            raise PathLeaves
        path = target if not self._path or target.startswith(f"{self._path}/") else self._path + target
        kept = [(name, value) for name, value in headers if name not in (b"host", b"content-length")]
        if plain:
            kept = [(name, value) for name, value in kept if name != b"accept-encoding"]
            kept.append((b"accept-encoding", b"identity"))
        request = httpx2.Request(method, self._base + path, headers=kept, content=content)
        request.extensions["timeout"] = self._client.timeout.as_dict()
        return await self._client.send(request, stream=True)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def forwarded(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers that belong to a message and not to a connection, without those meant for the gateway."""
    told = [(name.lower(), value) for name, value in headers]
    if any(name == b"transfer-encoding" for name, _ in told):
        told = [pair for pair in told if pair[0] != b"content-length"]  # which is not how long the body is
    named = {part.strip().lower() for name, value in told if name == b"connection" for part in value.split(b",")}
    left_out = _OF_THE_CONNECTION | named
    return [(name, value) for name, value in told if name not in left_out and not name.startswith(_OURS)]


def is_full(error: BaseException) -> bool:
    """Whether a request failed since no connection was free, or this process or system has no descriptor left."""
    if isinstance(error, httpx2.PoolTimeout):
        return True
    return any(isinstance(one, OSError) and one.errno in (errno.EMFILE, errno.ENFILE) for one in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield from error.exceptions if isinstance(error, BaseExceptionGroup) else (error,)
        error = error.__cause__ or error.__context__


def _leaves(path: str) -> bool:
    """Whether a path has `..` as a part of it, however often that is encoded, for whoever decodes it."""
    told = path.encode("latin-1")
    for _ in range(_MOST_ENCODED):
        plain = unquote_to_bytes(told)
        if plain == told:
            break
        told = plain
    else:
        return True
    return b".." in (part.translate(None, _UNSEEN) for part in _SEPARATORS.split(told))
