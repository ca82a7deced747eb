"""Importing a manuscript: its chapters into the archive, whom they name into the facts; each chapter whole or not."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from amb_book.book_memory import BookMemory
from amb_book.cast.members import CastMember, cast_of
from amb_book.manuscript import ManuscriptChapter, chapters_of, read_manuscript
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.statements import EntityStatement, PlanStatement, Statement, parsed
from amb_core.errors import InvalidInput, InvalidParameter, ModelUnavailable
from amb_core.protocols import ChatModel
from amb_core.text import name_key
from amb_core.text.names import known_names

__all__ = ["Imported", "Progress", "Settle", "import_manuscript"]

_log = logging.getLogger("amb.narrative")
_SURE = 0.8

Settle = Literal["names", "facts", "nothing"]
Progress = Callable[[int, int], object]
"""Called after each chapter with how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the first chapter's number, how many there are, how many were there already, and the cast.

    `dropped` are the statements of a model whose quotes do not bear them out.
    """

    first: int
    chapters: int
    already: int
    cast: tuple[CastMember, ...] = ()
    dropped: int = 0


def import_manuscript(
    story: BookMemory,
    text_or_path: str | bytes | Path,
    *,
    settle: Settle = "names",
    first: int | None = None,
    progress: Progress | None = None,
    chat: ChatModel | None = None,
) -> Imported:
    """Bring a whole manuscript of up to 5 MB into a book: its chapters in order, with whom each passage names.

    `settle` says what becomes fact: the `names` of who and where there is, each with its first line as evidence; also
    the `facts` that `chat` reads off, each with its sentence (what becomes true in a chapter is not read off without a
    model: `Story.form` has the places to fill in); or `nothing`. Its chapters are numbered on from the last one, or
    from `first`. Broken off, also by a model that fails (ModelError), it goes on where it stopped when it is called
    again. UnreadableSource for what is no text.
    """
    if settle not in get_args(Settle):
        raise InvalidParameter(f"settle is one of {', '.join(get_args(Settle))}, not {settle!r:.40}.")
    if settle == "facts" and chat is None:
        raise InvalidParameter("facts are read off by a model; pass chat=…, or settle='names' to take in names only.")
    if first is not None and (isinstance(first, bool) or not isinstance(first, int) or first < 1):
        raise InvalidParameter(f"chapters count from 1; {first!r:.40} cannot be the first.")
    chapters = chapters_of(read_manuscript(text_or_path))
    cast = cast_of([each.text for each in chapters])
    digest = hashlib.sha256("\0".join(each.text for each in chapters).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    start, done = _resumed(story, chapters, first)
    reader = PromptedExtractor(chat, plan=story.plan) if chat is not None and settle == "facts" else None
    writer = _Writer(story, cast, settle, digest, start, reader)
    for place, chapter in enumerate(chapters):
        if place not in done:
            writer.write(place, chapter)
        if progress is not None:
            progress(place + 1, len(chapters))
    return Imported(start, len(chapters), len(done), tuple(cast), writer.dropped)


class _Writer:
    """Writes chapters of one manuscript."""

    def __init__(
        self,
        story: BookMemory,
        cast: Sequence[CastMember],
        settle: Settle,
        digest: str,
        start: int,
        reader: PromptedExtractor | None,
    ) -> None:
        self._story, self._cast, self._settle = story, cast, settle
        self._digest, self._start, self._reader = digest, start, reader
        self.dropped = 0
        self._owners = {name_key(name): each.name for each in reversed(cast) for name in (each.name, *each.aliases)}

    def write(self, place: int, chapter: ManuscriptChapter) -> None:
        """One chapter with its text and facts."""
        number = self._start + place
        names = [] if self._settle == "nothing" else self._new(place, chapter.text)
        try:
            self._put(number, chapter, [*names, *self._facts(number, chapter)])
        except InvalidInput as error:
            if self._reader is None:
                raise
            _log.warning("of chapter %s only the names are settled, for its facts cannot be: %s", number, error)
            self._put(number, chapter, names)

    def _put(self, number: int, chapter: ManuscriptChapter, statements: Sequence[Statement]) -> None:
        self._story.put_chapter(
            number,
            chapter.text,
            title=chapter.title,
            entities=self._named,
            statements=None if self._settle == "nothing" else statements,
            id=f"import:{self._digest}:{number}",
        )

    def _named(self, passage: str) -> list[str]:
        return [self._owners[key] for key in known_names(passage, self._owners)]

    def _new(self, place: int, text: str) -> list[Statement]:
        """Those whom this chapter is the first to name, and whom the book does not know; and their names new in it."""
        found: list[Statement] = []
        for each in self._cast:
            names = tuple(name for name, since in zip(each.aliases, each.since, strict=True) if since == place)
            if not names and each.first != place:
                continue
            evidence = _line_of(text, next((name for name in (each.name, *names) if name in text), ""))
            there = self._story.facts.resolve(each.name, at=self._start + place)
            if each.first == place and not there:
                found.append(EntityStatement(entity=each.name, kind=each.kind, aliases=names, evidence=evidence))
            elif names and len(there) == 1:
                found.append(
                    EntityStatement(entity=there[0].name, kind=there[0].kind, aliases=names, evidence=evidence)
                )
        return found

    def _facts(self, number: int, chapter: ManuscriptChapter) -> list[Statement]:
        """What the model reads off a chapter and is sure of; of plans a finished text tells none."""
        if self._reader is None:
            return []
        told = self._reader.told(chapter.text, known=self._story.facts, chapter=number)
        if told.problem:
            raise ModelUnavailable(f"the facts of chapter {number} could not be read off: {told.problem}")
        self.dropped += told.dropped
        found = [(each, parsed([each.statement])[0]) for each in told.found if each.confidence >= _SURE]
        return [
            statement.model_copy(update={"evidence": each.evidence})
            for each, statement in found
            if not isinstance(statement, PlanStatement)
        ]


def _line_of(text: str, name: str) -> str:
    """The line that first has a name, shortened around it."""
    at = text.find(name)
    if not name or at < 0:
        return ""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    begin = max(0, at - start - 120)
    return line[begin : begin + 300].strip()


def _resumed(story: BookMemory, chapters: Sequence[ManuscriptChapter], first: int | None) -> tuple[int, set[int]]:
    """The number of the first chapter, and which are in the book already from an import that was broken off."""
    there = story.episodes.chapters()
    last = max([story.facts.last_chapter, *there], default=0)
    starts = [first] if first is not None else [number for number in there if _same(story, number, chapters[0])]
    if not starts:
        return last + 1, set()
    start = starts[0]
    held = set(there)
    done = {
        place
        for place, chapter in enumerate(chapters)
        if start + place in held and _same(story, start + place, chapter)
    }
    return start, done


def _same(story: BookMemory, number: int, chapter: ManuscriptChapter) -> bool:
    """Whether a chapter of the book has this text, white space aside."""
    return "".join(story.episodes.text(number).split()) == "".join(chapter.text.split())
