"""What a desk does with a chat model: options that are looked up and judged, statements read off, drafts checked.

An author waits for all of it: whatever is asked, no call is begun when its time is over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Unpack

from amb_book.checking import ConsistencyChecker, Finding
from amb_book.checking.findings import BookParts
from amb_book.checking.prompted_checker import PromptedChecker
from amb_book.creativity import CreativityEngine
from amb_book.desk.extractors import ExtractorsTogether, WrittenStatements
from amb_book.desk.talk_reader import TalkReader
from amb_book.desk.workshop import WorkshopAnswer
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelUnavailable
from amb_core.protocols import ChatModel

if TYPE_CHECKING:
    from amb_book.book_memory import BookMemory

__all__ = ["TimedChat", "TimedChecker", "TimedWorkshop", "extractor_with", "workshop_with"]

_SECONDS = 120.0
"""After so long no further call is made for an answer, a settlement or a check; the one under way is waited for."""


class TimedChat:
    """Passes requests on until the time of what they belong to is over; ModelUnavailable from then on.

    Each thread has its own time, which `within` begins.
    """

    def __init__(self, chat: ChatModel, *, seconds: float = _SECONDS) -> None:
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
        self._here.until = time.monotonic() + self._seconds
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


class TimedWorkshop:
    """A CreativityEngine whose answers keep to a time: fewer options, or none judged, rather than a longer wait."""

    def __init__(self, chat: ChatModel, story: BookMemory, *, options: int = 3, seconds: float = _SECONDS) -> None:
        self._chat = TimedChat(chat, seconds=seconds)
        self._engine = CreativityEngine(self._chat, story, options=options, checker=ConsistencyChecker())

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        """Options, the best first; ModelError without any."""
        with self._chat.within():
            return self._engine.answer(messages)

    def rework(self, messages: Sequence[Mapping[str, Any]], option: str, *, feedback: str) -> WorkshopAnswer:
        """An option written anew as its author says; ModelError when there is no text."""
        with self._chat.within():
            return self._engine.rework(messages, option, feedback=feedback)


class TimedChecker(PromptedChecker):
    """A PromptedChecker that keeps to a time."""

    def __init__(self, chat: ChatModel, *, seconds: float = _SECONDS) -> None:
        self._timed = TimedChat(chat, seconds=seconds)
        super().__init__(self._timed)

    def looked_over(self, draft: str, **book: Unpack[BookParts]) -> tuple[list[Finding], str]:
        """The findings, and why the model had no say in them; "" where it had."""
        with self._timed.within():
            return super().looked_over(draft, **book)


def workshop_with(chat: ChatModel, story: BookMemory, *, options: int = 3, seconds: float = _SECONDS) -> TimedWorkshop:
    """The workshop a desk has with a model: `options` options, judged by the model and against the book's facts."""
    return TimedWorkshop(chat, story, options=options, seconds=seconds)


def extractor_with(chat: ChatModel, *, seconds: float = _SECONDS) -> ExtractorsTogether:
    """What the author wrote as statements, and what a model reads off; each of its questions has `seconds`."""
    timed = TimedChat(chat, seconds=seconds)
    return ExtractorsTogether(WrittenStatements(), TalkReader(timed, within=timed.within))
