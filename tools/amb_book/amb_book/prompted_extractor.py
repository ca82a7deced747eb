"""PromptedExtractor: what a reader finds in a text of a book, as statements of the book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from amb_agents.chunking import chunk_spans
from amb_agents.prompted.shapes import LongReadingShape
from amb_book.desk.read_off import Extracted
from amb_book.statement_forms import BookForms, PlanPlaces
from amb_chat.usage_meter import UsageMeter
from amb_core.agent_io import ReadingRequest
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.text import detect_language
from amb_readers import PromptedReader

if TYPE_CHECKING:
    from amb_book.facts import FactGraph
    from amb_book.plan import PlanGraph

__all__ = ["PromptedExtractor", "Told", "reading_request"]

_PIECE_TOKENS = 3_000
"""A text is read piece by piece."""
_GOAL = {"en": "chapter {}", "zh": "第 {} 章"}


class Told(NamedTuple):
    """What a model read off: the statements believed, why that is not all ("" where it is), and how many were not."""

    found: list[Extracted]
    problem: str
    dropped: int


class PromptedExtractor:
    """Reads statements off a text with a chat model, one structured call for a piece of it.

    What the reader's quote does not bear out, and what is no statement of a book, is dropped and counted. `plan` says
    where what is planned belongs. `meter` counts what is spent under the purpose `extraction`.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        plan: PlanGraph | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._reader = PromptedReader(
            chat,
            purpose="extraction",
            prompts="amb_book.prompts",
            shape=LongReadingShape,
            meter=meter,
        )
        self._plan = plan

    def told(self, text: str, *, known: FactGraph, chapter: int) -> Told:
        """What the model itself reads off a text, piece by piece to its end, as far as it is believed."""
        found: list[Extracted] = []
        dropped, named = 0, dict[str, str]()
        for start, end in chunk_spans(text, limit=min(_PIECE_TOKENS, self._reader.most_tokens)):
            told = self._told(text[start:end], known, chapter, named)
            found += told.found
            dropped += told.dropped
            if told.problem:
                return Told(found, told.problem, dropped)
        return Told(found, "", dropped)

    def _told(self, text: str, known: FactGraph, chapter: int, named: dict[str, str]) -> Told:
        """What is read off one piece; `named` has the kinds of those of earlier pieces, and gets those of this one."""
        try:
            read = self._reader.read(reading_request(text, known, chapter, named))
        except ModelError as error:
            return Told([], str(error), 0)
        formed = BookForms(known, chapter, places=PlanPlaces(self._plan), kinds=named).of(read.statements)
        return Told(formed.found, "", read.dropped + formed.dropped)


def reading_request(text: str, known: FactGraph, chapter: int, named: Iterable[str]) -> ReadingRequest:
    """The text with what the book says of whom it names, and the names of all others."""
    here = {each.id: each for mention in known.mentions(text, at=chapter) for each in mention.entities}
    told = [fact.text for each in here for fact in known.about(each, at=chapter).facts]
    groups = [(each.name, *each.aliases) for each in known.entities(at=chapter)]
    groups += [(name,) for name in named if not known.resolve(name, at=chapter)]
    return ReadingRequest(
        text=text,
        kind="book",
        only_statements=True,
        goal=_GOAL[detect_language(text)].format(chapter),
        known=(*dict.fromkeys(told), ", ".join(name for name, *_ in groups)),
        names=tuple(groups),
    )
