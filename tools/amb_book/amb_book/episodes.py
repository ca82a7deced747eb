"""EpisodeArchive: the text of the book, in passages that know their chapter and who is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from amb_book.record_search import IndexedRecords
from amb_core.errors import InvalidInput, InvalidParameter, StoreCorrupt
from amb_core.protocols import Clock, Embedder, Record, RecordStore
from amb_core.text import estimate_tokens
from amb_values import paragraph_spans, sentence_spans

if TYPE_CHECKING:
    from amb_book.entities import Entity

__all__ = ["Episode", "EpisodeArchive", "Known"]

Known = Callable[[str, int], "Entity | None"]
"""The one entity of a name with all its names that a book knows up to a chapter."""

_PASSAGE_TOKENS = 300


@dataclass(frozen=True, slots=True)
class Episode:
    """A passage of the book: its chapter, its place there from 0, and the entities it names.

    `score` in [0, 1] is how well it fits a search, 0 outside of one.
    """

    chapter: int
    place: int
    text: str
    title: str = ""
    entities: tuple[str, ...] = ()
    score: float = 0.0


class EpisodeArchive:
    """The passages of all chapters, by chapter, by who is in them, and by what they say."""

    NAMESPACE = "book:episodes"

    def __init__(
        self,
        store: RecordStore,
        *,
        clock: Clock,
        embedder: Embedder | None = None,
        known: Known | None = None,
    ) -> None:
        """`known` tells whom a book means by a name up to a chapter, with all their names by then."""
        self._store = store
        self._known = known
        self._records = IndexedRecords(
            store, self.NAMESPACE, told=lambda data: str(data["text"]), clock=clock, embedder=embedder
        )

    def put_chapter(
        self,
        chapter: int,
        text: str,
        *,
        title: str = "",
        entities: Iterable[str] | Callable[[str], Iterable[str]] = (),
        most_tokens: int = _PASSAGE_TOKENS,
    ) -> list[Episode]:
        """Keep the text of a chapter in the place of what it had.

        `entities` are the names to look for in it, or what says whom a passage names.
        """
        if isinstance(chapter, bool) or not isinstance(chapter, int) or chapter < 1:
            raise InvalidParameter(f"a chapter is a whole number from 1 on, not {chapter!r:.40}.")
        if not isinstance(text, str) or isinstance(entities, str):
            raise InvalidParameter("the text of a chapter is text, and its entities a list of names.")
        if not text.strip():
            raise InvalidInput(f"chapter {chapter} has no text; pass the text of the chapter.")
        named = entities if callable(entities) else _finder(list(entities))
        passages = [
            Episode(chapter, place, passage, title, tuple(dict.fromkeys(named(passage))))
            for place, passage in enumerate(_passages(text, most_tokens))
        ]
        self._replace(chapter, passages)
        return passages

    def chapter(self, number: int) -> list[Episode]:
        """The passages of a chapter in their order; none for a chapter without text."""
        found = [_episode(record) for record in self._records.where(chapter_id=number)]
        return sorted(found, key=lambda each: each.place)

    def chapters(self) -> list[int]:
        """The chapters of which there is text."""
        return sorted({_episode(record).chapter for record in self._records.all()})

    def text(self, number: int) -> str:
        """The text of a chapter."""
        return "\n\n".join(each.text for each in self.chapter(number))

    def search(
        self,
        query: str = "",
        *,
        k: int = 5,
        entities: Sequence[str] = (),
        chapter: int | None = None,
        last: int | None = None,
        at: int | None = None,
    ) -> list[Episode]:
        """The passages that fit a question best, or without one the newest.

        Only those that name all `entities`, by whatever names the book knows by then, of one `chapter` or of the `last`
        n chapters up to `at` (by default the last with text); no passage of a later chapter than `at`.
        """
        _check_counts(k=k, last=last, chapter=chapter)
        if at is not None:
            _check_counts(at=at, least=0)
        if not isinstance(query, str) or isinstance(entities, str):
            raise InvalidParameter("a question is text, and the entities of a passage are a list of names.")
        until = at if at is not None else max(self.chapters(), default=0)
        since = 1 if last is None else until - last + 1
        wanted = [self._names_of(name, until) for name in entities]

        def fits(record: Record) -> bool:
            data: Any = record.data
            number = int(data["chapter_id"])
            within = since <= number <= until and chapter in (None, number)
            return within and not any(each.isdisjoint(data["entity_list"]) for each in wanted)

        if query.strip():
            return [_episode(record, hit.score) for record, hit in self._records.search(query, k=k, allowed=fits)]
        found = [_episode(record) for record in self._records.all() if fits(record)]
        return sorted(found, key=lambda each: (-each.chapter, each.place))[:k]

    def _names_of(self, name: str, at: int) -> set[str]:
        """All names of somebody that the book knows up to a chapter."""
        found = self._known(name, at) if self._known is not None else None
        return {name} if found is None else {name, found.name, *found.aliases}

    def _ids(self, chapter: int) -> list[str]:
        """The ids of a chapter's passages, also of those that cannot be read, without looking through the book."""
        found: list[str] = []
        for place in count():
            name = f"{chapter}.{place}"
            try:
                if self._records.get(name) is None:
                    break
            except StoreCorrupt:  # it is there, and goes with the others
                pass
            found.append(name)
        return found

    def _replace(self, chapter: int, passages: Sequence[Episode]) -> None:
        with self._store.transaction():
            self._records.delete(self._ids(chapter))
            self._put(passages)

    def _put(self, passages: Sequence[Episode]) -> None:
        self._records.put(
            {
                _id(each): {
                    "chapter_id": each.chapter,
                    "place": each.place,
                    "chapter_title": each.title,
                    "entity_list": list(each.entities),
                    "text": each.text,
                }
                for each in passages
            }
        )


def _check_counts(*, least: int = 1, **given: object) -> None:
    for name, value in given.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise InvalidParameter(f"{name} is a whole number from {least} on, not {value!r:.40}.")


def _finder(names: Sequence[str]) -> Callable[[str], Iterable[str]]:
    return lambda passage: [name for name in names if name in passage]


def _id(episode: Episode) -> str:
    return f"{episode.chapter}.{episode.place}"


def _episode(record: Record, score: float = 0.0) -> Episode:
    data: Any = record.data
    return Episode(
        int(data["chapter_id"]),
        int(data["place"]),
        str(data["text"]),
        str(data["chapter_title"]),
        tuple(map(str, data["entity_list"])),
        score,
    )


def _passages(text: str, most_tokens: int) -> list[str]:
    """A chapter in passages of whole paragraphs, and of whole sentences where a paragraph alone is too long."""
    found: list[str] = []
    for piece in _pieces(text, most_tokens):
        joined = f"{found[-1]}\n\n{piece}" if found else piece
        if found and estimate_tokens(joined) <= most_tokens:
            found[-1] = joined
        else:
            found.append(piece)
    return found


def _pieces(text: str, most_tokens: int) -> Iterable[str]:
    for start, end in paragraph_spans(text):
        paragraph = text[start:end].strip()
        if estimate_tokens(paragraph) <= most_tokens:
            yield paragraph
            continue
        begin = end_so_far = 0
        for first, last in sentence_spans(paragraph):
            if end_so_far > begin and estimate_tokens(paragraph[begin:last]) > most_tokens:
                yield paragraph[begin:end_so_far].strip()
                begin = first
            end_so_far = last
        if paragraph[begin:].strip():
            yield paragraph[begin:].strip()
