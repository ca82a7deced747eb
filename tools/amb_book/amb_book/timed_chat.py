"""TimedChat: an author waits for all that a model is asked for at once, so no call is begun when its time is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelUnavailable
from amb_core.protocols import ChatModel

__all__ = ["ANSWER_SECONDS", "TimedChat"]

ANSWER_SECONDS = 120.0
"""After so long no further call is made for an answer, a settlement or a check; the one under way is waited for."""


class TimedChat:
    """Passes requests on until the time of what they belong to is over; ModelUnavailable from then on.

    Each thread has its own time, which `within` begins; without `seconds` there is no end to it.
    """

    def __init__(self, chat: ChatModel, *, seconds: float | None) -> None:
        self._chat, self._seconds = chat, seconds
        self._here = threading.local()

    @property
    def model(self) -> str:
        """The name of the model behind it."""
        return self._chat.model

    @property
    def endpoint(self) -> str:
        """The endpoint behind it."""
        return self._chat.endpoint

    @contextmanager
    def within(self) -> Iterator[None]:
        """The time of one answer."""
        self._here.until = None if self._seconds is None else time.monotonic() + self._seconds
        try:
            yield
        finally:
            self._here.until = None

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer, as the model behind it gives it."""
        until = getattr(self._here, "until", None)
        if until is not None and time.monotonic() >= until:
            raise ModelUnavailable(f"there was no time for another call, after {self._seconds:g} seconds")
        return self._chat.complete(request)
