"""Importing a manuscript: its chapters into the archive, whom they name into the facts; each chapter whole or not."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from amb_agents.chunking import chunk_spans
from amb_book.cast.members import CastMember, cast_of
from amb_book.desk.clashes import examined
from amb_book.desk.proposals import Row
from amb_book.desk.read_off import Extracted
from amb_book.manuscript import ManuscriptChapter, chapters_of, read_manuscript
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.statements import EntityStatement, PlanStatement, Statement
from amb_core.errors import InvalidInput, InvalidParameter, ModelUnavailable, UnknownId
from amb_core.protocols import ChatModel
from amb_values import name_key
from amb_values.names import known_names

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["Imported", "Progress", "Settle", "import_manuscript"]

_log = logging.getLogger("amb.narrative")
_SURE = 0.8
_PART_TOKENS = 2_500
"""So much of a chapter is asked about at once."""

Settle = Literal["names", "facts", "nothing"]
Progress = Callable[[int, int], object]
"""Called after each chapter with how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the first chapter's number, how many there are, how many were there already, and the cast.

    Statements of a model that were left out: `dropped`, whose quotes do not bear them out or of which it was not sure,
    and `refused`, which cannot be settled, such as one that contradicts its chapter. `unread` are the chapters for
    which the model had no usable answer; the same import reads them when it is called again.
    """

    first: int
    chapters: int
    already: int
    cast: tuple[CastMember, ...] = ()
    dropped: int = 0
    refused: int = 0
    unread: tuple[int, ...] = ()


def import_manuscript(
    story: Story,
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
    from `first`. A model that fails at two chapters in a row, as when its budget is spent, ends it (ModelUnavailable).
    Broken off, it goes on where it stopped when it is called again: the text of a chapter is kept before its facts are
    read off, a part of a chapter that was read is not asked about again, and chapters that were taken in without a
    model are read by one that comes later. UnreadableSource for what is no text.
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
    writer = _Writer(story, cast, settle, digest, start)
    reader = _FactReader(story, chat) if chat is not None and settle == "facts" else None
    already = 0
    for place, chapter in enumerate(chapters):
        number = start + place
        unread = reader is not None and not reader.has_read(number, chapter.text)
        already += place in done and not unread
        if place not in done:
            writer.write(place, chapter)
        if reader is not None and unread:
            reader.read(number, chapter.text)
        elif reader is not None:
            reader.goes_on()
        if progress is not None:
            progress(place + 1, len(chapters))
    done_so_far = Imported(start, len(chapters), already, tuple(cast))
    if reader is None:
        return done_so_far
    return replace(done_so_far, dropped=reader.dropped, refused=reader.refused, unread=tuple(reader.unread))


class _Writer:
    """Writes chapters of one manuscript."""

    def __init__(
        self,
        story: Story,
        cast: Sequence[CastMember],
        settle: Settle,
        digest: str,
        start: int,
    ) -> None:
        self._story, self._cast, self._settle = story, cast, settle
        self._digest, self._start = digest, start
        self._owners = {name_key(name): each.name for each in reversed(cast) for name in (each.name, *each.aliases)}

    def write(self, place: int, chapter: ManuscriptChapter) -> None:
        """One chapter with its text and whom it names."""
        number = self._start + place
        self._story.put_chapter(
            number,
            chapter.text,
            title=chapter.title,
            entities=self._named,
            statements=None if self._settle == "nothing" else self._new(place, chapter.text),
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


class _FactReader:
    """Reads off with a model what becomes true in a chapter, part by part, and settles what it is sure of."""

    def __init__(self, story: Story, chat: ChatModel) -> None:
        self._story, self._extractor = story, PromptedExtractor(chat, plan=story.plan)
        self.dropped = self.refused = 0
        self.unread: list[int] = []
        self._failed = False

    def has_read(self, number: int, text: str) -> bool:
        """Whether the facts of a chapter of this text were settled, also if they were taken back since."""
        try:
            self._story.log.get(_facts_id(number, text))
        except UnknownId:
            return False
        return True

    def goes_on(self) -> None:
        """A chapter is there already: what failed before it was not in a row with what follows."""
        self._failed = False

    def read(self, number: int, text: str) -> None:
        """Settle the facts of a chapter whose text is there, or leave it unread.

        ModelUnavailable where the model failed at the chapter before as well.
        """
        found: list[Extracted] = []
        for start, end in chunk_spans(text, limit=_PART_TOKENS):
            read, dropped, problem = self._of_part(number, text[start:end])
            if problem:
                self._leave(number, problem)
                return
            found += read
            self.dropped += dropped
        self._failed = False
        sure = [each for each in found if each.confidence >= _SURE]
        self.dropped += len(found) - len(sure)
        # Of plans a finished text tells none.
        self._settle(number, text, [each for each in sure if not isinstance(each.statement, PlanStatement)])
        self._story.readings.forget(number)

    def _leave(self, number: int, problem: str) -> None:
        _log.warning("the facts of chapter %d could not be read off: %s", number, problem)
        self.unread.append(number)
        if self._failed:
            chapters = ", ".join(map(str, self.unread))
            raise ModelUnavailable(
                f"the facts of chapters {chapters} could not be read off: {problem.rstrip('.')}. Text, and what was "
                "read so far, are kept; import the same again to go on from there."
            )
        self._failed = True

    def _of_part(self, number: int, part: str) -> tuple[list[Extracted], int, str]:
        known = self._story.readings.of(number, part)
        if known is not None:
            return (*known, "")
        told = self._extractor.told(part, known=self._story.facts, chapter=number)
        if not told.problem:
            self._story.readings.keep(number, part, told.found, told.dropped)
        return told.found, told.dropped, told.problem

    def _settle(self, number: int, text: str, found: Sequence[Extracted]) -> None:
        """All that can be settled; where one statement spoils the others, each for itself."""
        name = _facts_id(number, text)
        rows = [Row(each.statement.plain(), each.evidence) for each in found]
        seen = examined(self._story, rows, chapter=number, settlement=name)
        fit = [each for each, row in zip(found, seen, strict=True) if not any(clash.forbids for clash in row.clashes)]
        self.refused += len(found) - len(fit)
        statements = [each.statement.model_copy(update={"evidence": each.evidence}) for each in fit]
        try:
            self._story.settle(chapter=number, statements=statements, id=name)
        except InvalidInput as error:
            _log.warning("facts of chapter %s are settled one by one: %s", number, type(error).__name__)
            for place, statement in enumerate(statements):
                try:
                    self._story.settle(chapter=number, statements=[statement], id=f"{name}.{place}")
                except InvalidInput:
                    self.refused += 1
            self._story.settle(chapter=number, statements=[], id=name)


def _facts_id(number: int, text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"facts:{digest}:{number}"


def _line_of(text: str, name: str) -> str:
    """The line that first has a name, shortened around it."""
    at = text.find(name)
    if not name or at < 0:
        return ""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    begin = max(0, at - start - 120)
    return line[begin : begin + 300].strip()


def _resumed(story: Story, chapters: Sequence[ManuscriptChapter], first: int | None) -> tuple[int, set[int]]:
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


def _same(story: Story, number: int, chapter: ManuscriptChapter) -> bool:
    """Whether a chapter of the book has this text, white space aside."""
    return "".join(story.episodes.text(number).split()) == "".join(chapter.text.split())
