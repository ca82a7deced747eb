"""The body of an answer, unpacked, and bounded both as it came and as it is unpacked, whatever its headers claim."""

from __future__ import annotations

import http.client
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain

from amb_tools.tool_errors import FetchFailed

__all__ = ["read_body"]

_CHUNK = 65_536
_GZIP = frozenset(("gzip", "x-gzip"))
_GZIP_MAGIC = b"\x1f\x8b"


def read_body(response: http.client.HTTPResponse, max_bytes: int, *, cut: bool = False) -> bytes:
    """The bytes of the body; FetchFailed when there are more than `max_bytes`, unless they are to be cut there."""
    length = _claimed_length(response)
    if not cut and length is not None and length > max_bytes:
        raise _too_large(max_bytes)
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    body = bytearray()
    for part in _unpacked(_raw(response, max_bytes, length=length, cut=cut), encoding, whole=not cut):
        body += part
        if len(body) > max_bytes:
            if not cut:
                raise _too_large(max_bytes)
            break
    return bytes(body[:max_bytes])


def _claimed_length(response: http.client.HTTPResponse) -> int | None:
    """What the server says the length is; nothing that is relied on, but too little of it is a torn answer."""
    claimed = response.headers.get("content-length", "")
    return (
        int(claimed) if claimed.isascii() and claimed.isdigit() and len(claimed) < 20 and not response.chunked else None
    )


def _too_large(max_bytes: int) -> FetchFailed:
    return FetchFailed(f"the answer is over the limit of {max_bytes:,} bytes; try another source.")


def _torn() -> FetchFailed:
    return FetchFailed("the answer ended before it was complete; try again.")


def _raw(response: http.client.HTTPResponse, max_bytes: int, *, length: int | None, cut: bool) -> Iterator[bytes]:
    """The body as it comes over the line, at most one chunk more than allowed."""
    size = 0
    while part := response.read(_CHUNK):
        size += len(part)
        yield part
        if size > max_bytes:
            if cut:
                return
            raise _too_large(max_bytes)
    if length is not None and size < length:
        raise _torn()


def _unpacked(parts: Iterator[bytes], encoding: str, *, whole: bool) -> Iterator[bytes]:
    if encoding in ("", "identity"):
        return parts
    if encoding in _GZIP:
        return _inflate(parts, 31, whole=whole)
    if encoding == "deflate":
        return _deflated(parts, whole=whole)
    raise FetchFailed(f"the answer is packed as {encoding[:40]!r}, which was not asked for; try another source.")


def _deflated(parts: Iterator[bytes], *, whole: bool) -> Iterator[bytes]:
    """Deflate with its header, as the standard has it, or without, as some servers send it."""
    first = next(parts, b"")
    has_header = len(first) > 1 and first[0] & 0x0F == 8 and (first[0] << 8 | first[1]) % 31 == 0
    yield from _inflate(chain([first], parts), 15 if has_header else -15, whole=whole)


def _inflate(parts: Iterable[bytes], window: int, *, whole: bool) -> Iterator[bytes]:
    """Unpacked in small pieces, so that little data that unpacks to much is noticed before it is in memory."""
    inflater = zlib.decompressobj(window)
    try:
        for part in parts:
            waiting = part
            while waiting and not (inflater.eof and not waiting.startswith(_GZIP_MAGIC)):
                if inflater.eof:  # gzip allows several members one after the other; what else follows is padding
                    inflater = zlib.decompressobj(window)
                yield inflater.decompress(waiting, _CHUNK)
                waiting = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
        while not inflater.eof and (rest := inflater.decompress(b"", _CHUNK)):
            yield rest
    except zlib.error as error:
        raise FetchFailed(f"the answer is packed in a damaged way ({error}); try another source.") from None
    if whole and not inflater.eof:
        raise _torn()
