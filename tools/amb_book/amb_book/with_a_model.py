"""What a desk does with a chat model: options that are looked up and judged, and statements read off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_book.checking import ConsistencyChecker
from amb_book.creativity import CreativityEngine
from amb_book.desk.extractors import ExtractorsTogether, WrittenStatements
from amb_book.desk.talk_reader import TalkReader
from amb_book.timed_chat import ANSWER_SECONDS
from amb_core.protocols import ChatModel

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["extractor_with", "workshop_with"]


def workshop_with(chat: ChatModel, story: Story, *, options: int = 3) -> CreativityEngine:
    """The workshop a desk has with a model: `options` options, judged by the model and against the book's facts."""
    return CreativityEngine(chat, story, options=options, checker=ConsistencyChecker(), seconds=ANSWER_SECONDS)


def extractor_with(chat: ChatModel) -> ExtractorsTogether:
    """What the author wrote as statements, and what a model reads off."""
    return ExtractorsTogether(WrittenStatements(), TalkReader(chat, seconds=ANSWER_SECONDS))
