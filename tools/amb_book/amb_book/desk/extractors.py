"""Who reads off a conversation what was agreed: the author's own statements, and whatever reads text."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from amb_book.desk.context import conversation
from amb_book.desk.tasks import Turn
from amb_book.statements import Statement, parsed
from amb_core.errors import InvalidInput, ModelError

if TYPE_CHECKING:
    from amb_book.facts import FactGraph
    from amb_book.story import Story

__all__ = [
    "Extracted",
    "ExtractorsTogether",
    "ReadOff",
    "StatementExtractor",
    "TextReader",
    "TextStatements",
    "WrittenStatements",
    "agreed_texts",
]

_log = logging.getLogger("amb.narrative")
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Extracted:
    """A statement that was read off a conversation: where it was said, and how sure that is in [0, 1]."""

    statement: Statement | Mapping[str, Any]
    evidence: str = ""
    confidence: float = 1.0


class ReadOff(list[Extracted]):
    """What was read off, and what failed meanwhile: an extractor may return it in place of any other sequence."""

    def __init__(self, found: Iterable[Extracted] = (), *, problems: Iterable[str] = ()) -> None:
        super().__init__(found)
        self.problems = tuple(dict.fromkeys(problems))


class StatementExtractor(Protocol):
    """Reads off a whole conversation what was agreed; an empty list when nothing was. It writes nothing.

    `chapter` is the one it would be settled for. ModelError when a model it needs fails.
    """

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> Sequence[Extracted]: ...


class Reading(Protocol):
    """One thing a reader of text found."""

    @property
    def statement(self) -> Statement: ...
    @property
    def evidence(self) -> str: ...
    @property
    def confidence(self) -> float: ...


class TextReader(Protocol):
    """Reads statements off a text, knowing the facts so far."""

    def extract(self, text: str, *, known: FactGraph, chapter: int) -> Sequence[Reading]: ...


class WrittenStatements:
    """Reads only what the author wrote as statements: JSON objects or lists, on lines of their own or fenced."""

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> Sequence[Extracted]:
        """The statements, in the order in which they were written."""
        found: list[Extracted] = []
        for turn in turns:
            for told in _objects(turn.text) if turn.role == "author" else ():
                with suppress(InvalidInput):
                    found.append(Extracted(parsed([told])[0]))
        return found


class TextStatements:
    """Has a reader of text read what the author said, and the desk's last answer when it is a draft without options.

    What the desk merely suggested is not agreed.
    """

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> Sequence[Extracted]:
        """What the reader finds, in the order in which it was said."""
        return [
            Extracted(each.statement, each.evidence, each.confidence)
            for text in agreed_texts(turns)
            for each in self._reader.extract(text, known=story.facts, chapter=chapter)
        ]


class ExtractorsTogether:
    """Several extractors; each statement once, by the first that found it; one whose model fails is passed over."""

    def __init__(self, *extractors: StatementExtractor) -> None:
        self._extractors = extractors

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> ReadOff:
        """What they find, one extractor after the other, and which of them failed."""
        found: dict[str, Extracted] = {}
        problems: list[str] = []
        for extractor in self._extractors:
            try:
                read = extractor.extract(turns, story=story, chapter=chapter)
            except ModelError as error:
                _log.warning("a task is read off without a model, which failed: %s", error)
                problems.append(str(error))
                continue
            problems += read.problems if isinstance(read, ReadOff) else ()
            for each in read:
                found.setdefault(_key(each.statement), each)
        return ReadOff(found.values(), problems=problems)


def agreed_texts(turns: Sequence[Turn]) -> Iterator[str]:
    """What may be agreed: all that the author said but statements, and the desk's last draft, in their order."""
    said = conversation(turns)
    answers = [turn for turn in said if turn.role == "desk"]
    draft = answers[-1] if answers and not answers[-1].context.get("options") else None
    for turn in said:
        if turn.role == "author" or turn is draft:
            yield _without_statements(turn.text)


def _key(statement: Statement | Mapping[str, Any]) -> str:
    """What two statements of the same have in common; of somebody who is only named, that name."""
    told = statement if isinstance(statement, Mapping) else statement.model_dump(mode="json", by_alias=True)
    if told.get("entity") and not told.get("properties") and not told.get("aliases"):
        return f"entity {told['entity']}"
    return json.dumps({name: value for name, value in told.items() if name != "evidence"}, sort_keys=True, default=str)


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
