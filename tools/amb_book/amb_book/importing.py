"""Importing a manuscript: its chapters into the archive, whom they name into the facts; each chapter whole or not."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from amb_book.extraction import LocalExtractor, Reading
from amb_book.extraction.cast import CastMember, cast_of
from amb_book.extraction.chinese_joining import is_chinese
from amb_book.extraction.chinese_speaking import PASSING, ChineseSpeakers
from amb_book.extraction.english_book import EnglishBook
from amb_book.extraction.marking import Actor
from amb_book.manuscript import ManuscriptChapter, chapters_of, read_manuscript
from amb_book.statements import EntityStatement, PlanStatement, RelationStatement, Statement, StatusStatement
from amb_core.errors import InvalidInput, InvalidParameter
from amb_core.text import NameFinder, name_key

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["Imported", "Progress", "Settle", "import_manuscript"]

_log = logging.getLogger("amb.narrative")
_SURE = 0.8

Settle = Literal["names", "facts", "nothing"]
Progress = Callable[[int, int], object]
"""Called after each chapter with how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the first chapter's number, how many there are, how many were there already, and the cast."""

    first: int
    chapters: int
    already: int
    cast: tuple[CastMember, ...] = ()


def import_manuscript(
    story: Story,
    text_or_path: str | bytes | Path,
    *,
    settle: Settle = "facts",
    first: int | None = None,
    progress: Progress | None = None,
) -> Imported:
    """Bring a whole manuscript of up to 5 MB into a book: its chapters in order, with whom each passage names.

    `settle` says what becomes fact: who and where there is and what can be read off without a model (`facts`), with
    its sentence as evidence; only the `names`; or nothing. Its chapters are numbered on from the last one, or from
    `first`. Broken off, it goes on where it stopped when it is called again. UnreadableSource for what is no text.
    """
    if settle not in get_args(Settle):
        raise InvalidParameter(f"settle is one of {', '.join(get_args(Settle))}, not {settle!r:.40}.")
    if first is not None and (isinstance(first, bool) or not isinstance(first, int) or first < 1):
        raise InvalidParameter(f"chapters count from 1; {first!r:.40} cannot be the first.")
    chapters = chapters_of(read_manuscript(text_or_path))
    cast = cast_of([each.text for each in chapters])
    digest = hashlib.sha256("\0".join(each.text for each in chapters).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    start, done = _resumed(story, chapters, first)
    writer = _Writer(story, chapters, cast, settle, digest, start)
    for place, chapter in enumerate(chapters):
        if place not in done:
            writer.write(place, chapter)
        if progress is not None:
            progress(place + 1, len(chapters))
    return Imported(start, len(chapters), len(done), tuple(cast))


class _Writer:
    """Writes chapters of one manuscript."""

    def __init__(
        self,
        story: Story,
        chapters: Sequence[ManuscriptChapter],
        cast: Sequence[CastMember],
        settle: Settle,
        digest: str,
        start: int,
    ) -> None:
        self._story, self._cast, self._settle = story, cast, settle
        self._digest, self._start = digest, start
        self._finder = NameFinder(name for each in cast for name in (each.name, *each.aliases))
        self._owners = {name_key(name): each.name for each in reversed(cast) for name in (each.name, *each.aliases)}
        texts = [each.text for each in chapters]
        chinese = is_chinese(texts)
        self._extractor = LocalExtractor(finished=True)
        self._told = EnglishBook(() if chinese else texts, () if chinese else cast)
        self._speakers = ChineseSpeakers(texts, self._owners) if chinese else self._told

    def write(self, place: int, chapter: ManuscriptChapter) -> None:
        """One chapter with its text and facts."""
        number = self._start + place
        names = [] if self._settle == "nothing" else self._new(place, chapter.text)
        try:
            self._put(number, chapter, [*names, *self._facts(number, chapter, names)])
        except InvalidInput as error:
            if not names and self._settle != "facts":
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
        return [self._owners[name_key(each.name)] for each in self._finder.find(passage)]

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

    def _facts(self, number: int, chapter: ManuscriptChapter, names: Sequence[Statement]) -> list[Statement]:
        """What can be read off a chapter and is sure enough."""
        if self._settle != "facts":
            return []
        new = [each for each in names if isinstance(each, EntityStatement)]
        told = {each.entity for each in new}
        actors = {
            name: Actor(each.entity, each.kind or "character") for each in new for name in (each.entity, *each.aliases)
        }
        myself = self._narrator(number, actors)
        readings = self._extractor.extract(
            chapter.text, known=self._story.facts, chapter=number, new=actors, narrator=myself
        )
        read = [self._read(each, told, number - self._start) for each in readings]
        return [*self._told.statements(number - self._start), *(each for each in read if each is not None)]

    def _narrator(self, number: int, new: Mapping[str, Actor]) -> Actor | None:
        """Who tells a chapter of himself, by the name the book has for him by then."""
        name = self._told.narrator(number - self._start)
        there = self._story.facts.resolve(name, at=number) if name and name not in new else []
        return Actor(there[0].name, there[0].kind, known=True) if len(there) == 1 else new.get(name)

    def _read(self, reading: Reading, told: set[str], place: int) -> Statement | None:
        """What a reading says of a chapter if it is sure enough; of those told of already only what they are like."""
        said = reading.statement
        described = isinstance(said, EntityStatement) and said.entity in told
        unsure = reading.confidence < _SURE and not described
        if unsure or isinstance(said, PlanStatement) or _names_no_thing(said) or self._lives(reading, place):
            return None
        if isinstance(said, EntityStatement) and described:
            if not said.properties:
                return None
            said = said.model_copy(update={"aliases": ()})
        return said.model_copy(update={"evidence": reading.evidence})

    def _lives(self, reading: Reading, place: int) -> bool:
        """Whether somebody goes on speaking behind a chapter in which they are said to die, or are well again."""
        statement = reading.statement
        if isinstance(statement, StatusStatement) and statement.status.is_ == "dead":
            return self._speakers.speaks_after(statement.status.of, place)
        if isinstance(statement, StatusStatement) and isinstance(self._speakers, ChineseSpeakers):
            passing = statement.status.is_ in PASSING
            return passing and self._speakers.passes(statement.status.of, place, reading.evidence)
        if isinstance(statement, RelationStatement) and statement.relation == "KILLED":
            return self._speakers.speaks_after(statement.object, place)
        return False


def _names_no_thing(statement: Statement) -> bool:
    """Whether somebody owns what only is described: any letter or hat of a scene."""
    return (
        isinstance(statement, RelationStatement)
        and statement.relation == "OWNS"
        and statement.object.startswith(("the ", "a ", "an "))
    )


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
