"""Who reads off a conversation what was agreed: the author's own statements, and whatever else reads it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from amb_book.desk.read_off import Extracted, ReadOff, last_words
from amb_book.desk.task_context import conversation
from amb_book.desk.tasks import Turn
from amb_book.desk.workshop import taken_option
from amb_book.statements import parsed
from amb_core.errors import InvalidInput, ModelError
from amb_core.text import estimate_tokens

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["ExtractorsTogether", "StatementExtractor", "WrittenStatements", "agreed_turns", "last_draft", "place_of"]

_log = logging.getLogger("amb.narrative")
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


class StatementExtractor(Protocol):
    """Reads off a whole conversation what was agreed; an empty list when nothing was. It writes nothing.

    `chapter` is the one it would be settled for. ModelError when a model it needs fails.
    """

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> Sequence[Extracted]: ...


class WrittenStatements:
    """Reads only what the author wrote as statements: JSON objects or lists, on lines of their own or fenced."""

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> Sequence[Extracted]:
        """The statements, in the order in which they were written."""
        found: list[Extracted] = []
        for turn in turns:
            for told in _objects(turn.text) if turn.role == "author" else ():
                with suppress(InvalidInput):
                    found.append(Extracted(parsed([told])[0], turn=turn.number))
        return found


class ExtractorsTogether:
    """Several extractors; of everything the last word, by the first that found it; one that fails is passed over."""

    def __init__(self, *extractors: StatementExtractor) -> None:
        self._extractors = extractors

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> ReadOff:
        """What they find, in the order in which it was said last, what failed, and which turns nobody read."""
        found: list[Extracted] = []
        problems: list[str] = []
        unread: list[int] = []
        withdrawn: list[str] = []
        dropped, draft = 0, None
        for extractor in self._extractors:
            try:
                read = extractor.extract(turns, story=story, chapter=chapter)
            except ModelError as error:
                _log.warning("a task is read off without a model, which failed: %s", error)
                problems.append(str(error))
                continue
            if isinstance(read, ReadOff):
                problems += read.problems
                unread += read.unread
                dropped += read.dropped
                withdrawn += read.withdrawn
                draft = draft if read.draft is None else read.draft
            found += read
        last = last_words(found, story=story, chapter=chapter)
        told: dict[str, Any] = {"problems": problems, "unread": unread, "withdrawn": withdrawn}
        return ReadOff(last, **told, dropped=dropped, draft=draft)


def agreed_turns(turns: Sequence[Turn]) -> list[Turn]:
    """What may be agreed, in its order: what the author said but statements, options he took, and the last draft."""
    said = conversation(turns)
    answers = [number for number, turn in enumerate(said) if turn.role == "desk"]
    last = answers[-1] if answers else -1
    agreed = [
        turn
        for number, turn in enumerate(said)
        if turn.role == "author"
        or (not turn.context.get("options") and (number == last or taken_option(said[:number]) is not None))
    ]
    return [replace(turn, text=_without_statements(turn.text)) for turn in agreed]


def place_of(evidence: str, turns: Sequence[Turn]) -> int:
    """The number of the last turn that has a sentence word for word; 0 for none."""
    return next((turn.number for turn in reversed(turns) if evidence and evidence in turn.text), 0)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects that stand on lines of their own, or within fences."""
    for piece in [*_FENCE.findall(text), *_FENCE.sub("", text).splitlines()]:
        told = _json(piece)
        yield from [each for each in (told if isinstance(told, list) else [told]) if isinstance(each, Mapping)]


def _without_statements(text: str) -> str:
    """The text without lines and fences that are JSON."""
    return "\n".join(line for line in _FENCE.sub("", text).splitlines() if _json(line) is None)


def _json(piece: str) -> Any:
    if piece.strip()[:1] in ("{", "["):
        with suppress(ValueError):
            return json.loads(piece)
    return None


_LEAST_TOKENS = 100
"""What is shorter is talk."""


def last_draft(turns: Sequence[Turn]) -> str:
    """The last long text that the author wrote, took, or was answered; "" where there is none."""
    long = (turn.text.strip() for turn in reversed(agreed_turns(turns)) if estimate_tokens(turn.text) >= _LEAST_TOKENS)
    return next(long, "")
