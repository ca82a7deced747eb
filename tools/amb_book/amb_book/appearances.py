"""In which chapters somebody is named, how often, and beside whom."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amb_core.protocols import Record

if TYPE_CHECKING:
    from amb_book.entities import Entity

__all__ = ["Appearances", "Companion", "Known", "NamedIndex"]

Known = Callable[[str, int], "Entity | None"]
"""The one entity of a name with all its names that a book knows up to a chapter."""


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody who is named in the same passages, and in how many of them."""

    name: str
    passages: int


@dataclass(frozen=True, slots=True)
class Appearances:
    """Where somebody is named up to chapter `at`, by any name the book knows by then.

    `chapters` are those that name them, oldest first; `of` is how many chapters there are text of by then; `passages`
    in how many passages they are named; `companions` the people named there with them, those most often so first.
    """

    name: str
    at: int
    chapters: tuple[int, ...] = ()
    of: int = 0
    passages: int = 0
    companions: tuple[Companion, ...] = ()

    @property
    def first(self) -> int | None:
        """The first chapter that names them; None for nobody who is named."""
        return self.chapters[0] if self.chapters else None

    @property
    def last(self) -> int | None:
        """The last chapter that names them."""
        return self.chapters[-1] if self.chapters else None


class NamedIndex:
    """The passages of a book by whom they name, so that a question looks at no others and at no text."""

    def __init__(self, records: Iterable[Record]) -> None:
        fields: list[Any] = [record.data for record in records]
        fields.sort(key=lambda each: (int(each["chapter_id"]), int(each["place"])))
        self._chapters = [int(each["chapter_id"]) for each in fields]
        self._named: list[tuple[str, ...]] = [tuple(map(str, each["entity_list"])) for each in fields]
        self._told = sorted(set(self._chapters))
        self._passages: defaultdict[str, list[int]] = defaultdict(list)
        self._stands: dict[str, int] = {}
        for number, each in enumerate(fields):
            for name in dict.fromkeys(self._named[number]):
                self._passages[name].append(number)
                if name not in self._stands and name in each["text"]:
                    self._stands[name] = self._chapters[number]

    @property
    def last(self) -> int:
        """The last chapter with text, 0 for a book without."""
        return self._told[-1] if self._told else 0

    def stands_by(self, name: str, at: int) -> bool:
        """Whether the text has a name, letter by letter, up to a chapter."""
        return self._stands.get(name, at + 1) <= at

    def of(self, name: str, *, at: int, known: Known | None, most: int) -> Appearances:
        """Where somebody is named up to a chapter, with the `most` people who are so beside them."""
        entity = known(name, at) if known is not None else None
        own = {entity.name, *entity.aliases} if entity is not None else {name} if self.stands_by(name, at) else set()
        until = bisect_right(self._chapters, at)
        found = sorted({number for each in own for number in self._until(each, until)})
        companions = self._companions(found, own, at=at, known=known)
        return Appearances(
            entity.name if entity is not None else name,
            at,
            tuple(dict.fromkeys(self._chapters[number] for number in found)),
            bisect_right(self._told, at),
            len(found),
            tuple(Companion(*each) for each in _most(companions)[:most]),
        )

    # --- inside ------------------------------------------------------------------------------------------------------

    def _until(self, name: str, until: int) -> Sequence[int]:
        """The passages that list a name, of the first so many."""
        numbers = self._passages.get(name, [])
        return numbers[: bisect_right(numbers, until - 1)]

    def _companions(self, found: Sequence[int], own: set[str], *, at: int, known: Known | None) -> Mapping[str, int]:
        """In how many of some passages each of the others is named; one who has several names there counts once."""
        names = dict(self._called({name for each in found for name in self._named[each]} - own, at, known))
        counted: Counter[str] = Counter()
        for each in found:
            counted.update({names[name] for name in self._named[each] if name in names})
        return counted

    def _called(self, names: set[str], at: int, known: Known | None) -> Iterator[tuple[str, str]]:
        """Names with what the book calls those people by then; places and names of later chapters are left out."""
        for name in sorted(names):
            entity = known(name, at) if known is not None else None
            if entity is None and self.stands_by(name, at):
                yield name, name
            elif entity is not None and entity.kind == "character":
                yield name, entity.name


def _most(counted: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))
