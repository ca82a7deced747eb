"""Where a draft names somebody or something, and whom it may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from amb_book.entities import Entity
from amb_book.name_book import find_names

__all__ = ["NameIndex", "Named", "bare"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NO_NAME = frozenset(
    "Young Old King Queen Lord Lady Mother Father Brother Sister Captain General Sir Saint Master Doctor Aunt Uncle "
    "Little Big Prince Princess Duke Duchess Count Countess Baron Baroness Mister Madam Dame Emperor Empress Colonel "
    "Major Sergeant Judge Bishop Abbot Abbess Chief Elder Widow Cousin Nurse Miss The".split()
)
"""First words of names that name nobody by themselves."""
_NUMERAL = re.compile(r"[一二三四五六七八九十百千万两半]")


@dataclass(frozen=True, slots=True)
class Named:
    """`draft[start:end]` names one of `entities`; `own` when it is the very name of one of them."""

    start: int
    end: int
    text: str
    entities: tuple[Entity, ...]
    own: bool
    spoken: bool = False

    @property
    def sole(self) -> Entity | None:
        """Whom it means when that is beyond doubt."""
        return self.entities[0] if len(self.entities) == 1 else None


class NameIndex:
    """The names of a book, without their articles, and the parts of names that mean one person alone."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._names: dict[str, list[Entity]] = {}
        parts: dict[str, list[Entity]] = {}
        for entity in entities:
            for name in dict.fromkeys(map(bare, (entity.name, *entity.aliases))):
                self._names.setdefault(name, []).append(entity)
            for part in dict.fromkeys(_parts(entity)) if entity.kind == "character" else ():
                parts.setdefault(part, []).append(entity)
        for part, owners in parts.items():
            if part not in self._names and len(owners) == 1:
                self._names[part] = owners

    def named(self, text: str, *, quotes: Iterable[tuple[int, int]] = ()) -> list[Named]:
        """The names in a text, in order; of names that overlap the longest, of equals the first."""
        spans = list(quotes)
        found: list[Named] = []
        for start, end in find_names(text, self._names):
            name = text[start:end]
            owners = tuple(self._names[name])
            last = found[-1] if found else None
            if last is not None and last.entities == owners[: len(last.entities)] and text[last.end : start] == " ":
                found[-1] = replace(last, end=end, text=text[last.start : end])
                continue
            own = any(name in (owner.name, bare(owner.name)) for owner in owners)
            found.append(Named(start, end, name, owners, own, any(low <= start < high for low, high in spans)))
        return found


def bare(name: str) -> str:
    """A name without its article."""
    return _ARTICLE.sub("", name)


def _parts(entity: Entity) -> Iterator[str]:
    """What stands for a person without the whole name: a first or last name; the given name of a Chinese one."""
    words = entity.name.split()
    if len(words) > 1:
        yield from (
            word for word in (words[0], words[-1]) if word[0].isupper() and len(word) > 2 and word not in _NO_NAME
        )
        if words[0] in _NO_NAME and len(words) > 2 and words[-1][0].isupper():
            yield f"{words[0]} {words[-1]}"
    elif len(entity.name) == 3 and all(map(_HAN.match, entity.name)) and not _NUMERAL.search(entity.name[1:]):
        yield entity.name[1:]
