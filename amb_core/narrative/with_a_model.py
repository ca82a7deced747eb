"""What a desk does with a chat model: options that are looked up and judged, and statements read off by the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from amb_core.narrative.checking import ConsistencyChecker
from amb_core.narrative.creativity import CreativityEngine
from amb_core.narrative.desk.extractors import Extracted, ExtractorsTogether, ReadOff, WrittenStatements, agreed_texts
from amb_core.narrative.desk.tasks import Turn
from amb_core.narrative.extraction import LocalExtractor
from amb_core.narrative.prompted_extraction import PromptedExtractor
from amb_core.protocols import ChatModel

if TYPE_CHECKING:
    from amb_core.narrative.story import Story

__all__ = ["PromptedStatements", "extractor_with", "workshop_with"]

_SECONDS = 240.0
"""An author waits: so long options are begun, looked up and written anew, or pieces of a conversation read."""


def workshop_with(
    chat: ChatModel, story: Story, *, options: int = 3, seconds: float | None = _SECONDS
) -> CreativityEngine:
    """The workshop a desk has with a model: `options` options, judged by the model and against the book's facts."""
    return CreativityEngine(chat, story, options=options, checker=ConsistencyChecker(), seconds=seconds)


def extractor_with(chat: ChatModel, story: Story, *, seconds: float | None = _SECONDS) -> ExtractorsTogether:
    """What the author wrote as statements, what a model reads off, and what can be read off without one."""
    return ExtractorsTogether(WrittenStatements(), PromptedStatements(chat, story, seconds=seconds))


class PromptedStatements:
    """Reads off what was agreed with a model, all of it in one text, and without one beside it.

    What the model fails at is read off without it, and that is told.
    """

    def __init__(self, chat: ChatModel, story: Story, *, seconds: float | None = None) -> None:
        self._local = LocalExtractor(plan=story.plan)
        self._prompted = PromptedExtractor(chat, local=self._local, plan=story.plan, seconds=seconds)

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> ReadOff:
        """The statements, each with its evidence; the model's word goes before the rules'."""
        texts = [text for text in agreed_texts(turns) if text.strip()]
        told, problem = self._prompted.told("\n\n".join(texts), known=story.facts, chapter=chapter)
        found = [each for text in texts for each in self._local.extract(text, known=story.facts, chapter=chapter)]
        read = self._prompted.joined(told, found)
        return ReadOff(
            (Extracted(each.statement, each.evidence, each.confidence) for each in read),
            problems=[problem] if problem else [],
        )
