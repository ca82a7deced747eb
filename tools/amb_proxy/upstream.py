"""The one provider behind the gateway: requests go there as they came, headers and all."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

import brotli
import httpx2
import zstandard

from amb_core import InvalidParameter

__all__ = ["Decode", "Upstream", "decoder_of", "forwarded"]

Decode = Callable[[bytes], bytes]

_OF_THE_CONNECTION = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
_OURS = (b"x-amb",)
_CONNECT_SECONDS, _MOST_CONNECTIONS = 20.0, 200


class Upstream:
    """The provider at a base URL, such as `https://api.openai.com/v1`; InvalidParameter for another kind of URL."""

    def __init__(self, url: str, *, timeout: float = 600.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InvalidParameter(
                f"--upstream is the base URL of a provider, such as https://api.openai.com/v1, not {url!r}."
            )
        self.url = url.rstrip("/")
        self._base, self._path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
        limits = httpx2.Limits(max_connections=_MOST_CONNECTIONS)
        self._client = httpx2.AsyncClient(timeout=httpx2.Timeout(timeout, connect=_CONNECT_SECONDS), limits=limits)

    async def send(
        self, method: str, target: str, headers: Iterable[tuple[bytes, bytes]], content: bytes, *, plain: bool
    ) -> httpx2.Response:
        """The provider's response with its body unread; `plain` asks for it without compression.

        `target` is the path with its query; the base URL's own path is not repeated. Raises httpx2.HTTPError.
        """
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
    named = {part.strip().lower() for name, value in told if name == b"connection" for part in value.split(b",")}
    left_out = _OF_THE_CONNECTION | named
    return [(name, value) for name, value in told if name not in left_out and not name.startswith(_OURS)]


def decoder_of(headers: Mapping[str, str]) -> Decode:
    """Gives the text of a body piece by piece, for providers that compress it unasked; ValueError where it is none."""
    named = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    steps = [_DECODERS[name]() for name in reversed(named) if name in _DECODERS]
    if len(steps) < sum(name not in ("", "identity") for name in named):
        return bytes  # what is compressed otherwise is not understood, and goes on as it came

    def decode(piece: bytes) -> bytes:
        try:
            for step in steps:
                piece = step(piece)
        except (zlib.error, brotli.error, zstandard.ZstdError) as error:
            raise ValueError("the provider's reply is damaged") from error
        return piece

    return decode


def _of_zlib() -> Decode:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress


_DECODERS: Mapping[str, Callable[[], Decode]] = {
    "gzip": _of_zlib,
    "x-gzip": _of_zlib,
    "deflate": _of_zlib,
    "br": lambda: brotli.Decompressor().process,
    "zstd": lambda: zstandard.ZstdDecompressor().decompressobj().decompress,
}
