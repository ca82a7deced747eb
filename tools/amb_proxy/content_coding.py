"""What a body is compressed with: its text in pieces of bounded size, since little can unpack to very much."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import brotli
import zstandard

__all__ = ["Decoder", "decoder_of"]

_PIECE = 256 * 1024
"""Bytes of text that one step of a decoder gives, about."""
_ZSTD_INPUT, _ZSTD_WINDOW = 256, 8 * 1024 * 1024
"""Four bytes of zstd can be a block of 128 KiB, and its decoder takes no bound: it is fed so many bytes at a time.
RFC 9659 bounds the window."""
_MOST_STEPS = 2

_Step = Callable[[bytes], Iterator[bytes]]


class Decoder:
    """Gives the text of one body, piece by piece. `is_plain` is true where text and body are the same."""

    def __init__(self, steps: Sequence[_Step]) -> None:
        self._steps, self.is_plain = steps, not steps

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The text that the next piece of a body brings, a bounded piece at a time; ValueError where it is damaged."""
        return self._through(piece, self._steps)

    def _through(self, piece: bytes, steps: Sequence[_Step]) -> Iterator[bytes]:
        if not steps:
            yield piece
            return
        try:
            for text in steps[0](piece):
                yield from self._through(text, steps[1:])
        except (zlib.error, brotli.error, zstandard.ZstdError) as error:
            raise ValueError("the provider's reply is damaged") from error


def decoder_of(headers: Mapping[str, str]) -> Decoder | None:
    """What unpacks a body that a provider compresses unasked; None for a way that is not understood."""
    named = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    named = [name for name in named if name not in ("", "identity")]
    if len(named) > _MOST_STEPS or not all(name in _STEPS for name in named):
        return None
    return Decoder([_STEPS[name]() for name in reversed(named)])


def _of_gzip() -> _Step:
    inner = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    def step(piece: bytes) -> Iterator[bytes]:
        nonlocal inner
        while True:
            yield from _unpacked(inner, piece)
            if not inner.eof or not inner.unused_data.startswith(b"\x1f"):
                return  # what stands behind the last member is no text
            piece, inner = inner.unused_data, zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    return step


def _of_deflate() -> _Step:
    inner, begun = zlib.decompressobj(), False

    def step(piece: bytes) -> Iterator[bytes]:
        nonlocal inner, begun
        if not begun and piece:
            begun = True
            if piece[0] & 0x0F != zlib.DEFLATED:  # servers that leave the header out
                inner = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        yield from _unpacked(inner, piece)

    return step


def _unpacked(inner: zlib._Decompress, piece: bytes) -> Iterator[bytes]:
    while not inner.eof:
        text = inner.decompress(piece, _PIECE)
        piece = inner.unconsumed_tail
        if text:
            yield text
        if not piece and len(text) < _PIECE:
            return


def _of_brotli() -> _Step:
    inner = brotli.Decompressor()

    def step(piece: bytes) -> Iterator[bytes]:
        while text := inner.process(piece, output_buffer_limit=_PIECE):
            yield text
            piece = b""

    return step


def _of_zstd() -> _Step:
    inner = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj(read_across_frames=True)

    def step(piece: bytes) -> Iterator[bytes]:
        for at in range(0, len(piece), _ZSTD_INPUT):
            if text := inner.decompress(piece[at : at + _ZSTD_INPUT]):
                yield text

    return step


_STEPS: Mapping[str, Callable[[], _Step]] = {
    "gzip": _of_gzip,
    "x-gzip": _of_gzip,
    "deflate": _of_deflate,
    "br": _of_brotli,
    "zstd": _of_zstd,
}
