"""What is heard of a reply while it goes by: to a bound, and whatever is odd in it, the reply goes on as it came."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from amb_proxy.bodies import Body, BodyForm
from amb_proxy.content_coding import Decoder
from amb_proxy.event_stream import Event, EventReader

__all__ = ["LARGEST_PART", "Hearing", "TooLarge", "read_whole"]

_log = logging.getLogger("amb.proxy")
_MB = 1024 * 1024
LARGEST_PART = 16 * _MB
"""Bytes of a reply that is not streamed, or of one event, which are held to be read."""
_HEAVIEST, _PER_VALUE = 64 * _MB, 32
"""What a reply may weigh to be read: its text, and so many bytes more for each value, for what that takes."""
_AT_ONCE = 64 * 1024
"""Bytes that are read between other requests; more are read in a thread."""


class TooLarge(ValueError):
    """A reply that is not read: what it would take in memory is over the bound."""


class Hearing:
    """Puts the reply of one stream together.

    `ended` says whether its end has come, and `prompt_tokens` what it told of the request's so far. What cannot be
    read is not put together (`whole` is None); the events go by.
    """

    def __init__(self, form: BodyForm) -> None:
        self._form, self._gatherer, self._reader = form, form.gatherer(), EventReader()
        self._left, self._understood, self.ended, self.prompt_tokens = _HEAVIEST, True, False, 0

    @property
    def rest(self) -> bytes:
        """What came behind the last event."""
        return bytes(self._reader.rest)

    async def events(self, text: bytes) -> list[Event]:
        """The events that this piece of the text ends; TooLarge, with the piece not taken, over the bound."""
        if len(self._reader.rest) + len(text) <= _AT_ONCE:
            return self._events(text)
        return await asyncio.to_thread(self._events, text)

    def take(self, event: Event) -> bool:
        """Add an event to the reply; whether it has ended the reply."""
        try:
            self.prompt_tokens = max(self.prompt_tokens, self._form.prompt_tokens(event.fields))
            self._gatherer.add(event)
            if self.ended or not self._form.ends(event):
                return False
        except Exception as error:  # noqa: BLE001 - whatever the provider sent, the client gets it
            _log.warning("an event was not understood (%s)", type(error).__name__)
            self._understood = False
            return False
        self.ended = True
        return True

    async def hear(self, piece: bytes, decoder: Decoder) -> bool:
        """Take a piece of the stream as it came; whether the reply has ended in it. ValueError where it cannot be."""
        if decoder.is_plain and len(self._reader.rest) + len(piece) <= _AT_ONCE:
            return self._hear(piece, decoder)
        return await asyncio.to_thread(self._hear, piece, decoder)

    def whole(self) -> Body | None:
        """The payload that the stream brought; None for one that broke off or was not understood."""
        return self._gatherer.whole() if self._understood and self.ended else None

    def _hear(self, piece: bytes, decoder: Decoder) -> bool:
        ended = False
        for text in decoder.feed(piece):
            for event in self._events(text):  # also those behind the end: some tell of the request there
                ended = self.take(event) or ended
        return ended

    def _events(self, text: bytes) -> list[Event]:
        if len(self._reader.rest) + len(text) > LARGEST_PART or (weight := _weight(text)) > self._left:
            raise TooLarge("the stream is longer than what is read of one")
        self._left -= weight
        return self._reader.feed(text)


def read_whole(content: bytes, decoder: Decoder) -> Any:
    """The JSON of a reply that is not streamed; ValueError where it is none, TooLarge over the bound."""
    text = bytearray()
    for piece in decoder.feed(content):
        text += piece
        if len(text) > LARGEST_PART:
            raise TooLarge("the reply is longer than what is read of one")
    if _weight(text) > _HEAVIEST:
        raise TooLarge("the reply has more values than what is read of one")
    return json.loads(text)


def _weight(text: bytes | bytearray) -> int:
    return len(text) + _PER_VALUE * sum(map(text.count, (b",", b"[", b"{")))
