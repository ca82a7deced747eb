"""Where a draft names somebody or something, and whom it may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from amb_book.entities import Entity

__all__ = ["NO_NAME", "NameIndex", "Named"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
NO_NAME = frozenset(
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
    """The names of a book, by their first word or character."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._names: dict[str, list[Entity]] = {}
        parts: dict[str, list[Entity]] = {}
        for entity in entities:
            for name in dict.fromkeys(map(_bare, (entity.name, *entity.aliases))):
                self._add(name, entity)
            for part in _parts(entity) if entity.kind == "character" else ():
                parts.setdefault(part, []).append(entity)
        for part, owners in parts.items():
            if part not in self._names and len({owner.id for owner in owners}) == 1:
                self._names[part] = owners[:1]
        lengths: dict[str, set[int]] = {}
        for name in self._names:
            lengths.setdefault(_first(name), set()).add(len(name))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def _add(self, name: str, entity: Entity) -> None:
        owners = self._names.setdefault(name, [])
        if name and entity.id not in {owner.id for owner in owners}:
            owners.append(entity)

    def named(self, text: str, *, quotes: Iterable[tuple[int, int]] = ()) -> list[Named]:
        """The names in a text, in order; of names that overlap the longest, of equals the first."""
        spans = list(quotes)
        found: list[Named] = []
        free = 0
        for start, first in _starts(text):
            if start < free:
                continue
            name = self._longest(text, start, first)
            if name is None:
                continue
            owners = tuple(self._names[name])
            last = found[-1] if found else None
            if last is not None and last.entities == owners[: len(last.entities)] and text[last.end : start] == " ":
                free = start + len(name)
                found[-1] = replace(last, end=free, text=text[last.start : free])
                continue
            own = any(name in (owner.name, _bare(owner.name)) for owner in owners)
            free = start + len(name)
            found.append(Named(start, free, name, owners, own, any(low <= start < high for low, high in spans)))
        return found

    def _longest(self, text: str, start: int, first: str) -> str | None:
        """The longest name that begins at a place of a text with its word or character."""
        for length in self._lengths.get(first, ()):
            name = text[start : start + length]
            if name in self._names and _stands(text, start, name):
                return name
        return None


def _bare(name: str) -> str:
    return _ARTICLE.sub("", name)


def _first(name: str) -> str:
    if _HAN.match(name):
        return name[0]
    word = _WORD.match(name)
    return re.split(r"['’-]", word.group())[0] if word else name[:1]


def _starts(text: str) -> Iterator[tuple[int, str]]:
    for found in re.finditer(r"[\u3400-\u9fff]|[A-Za-zÀ-ɏ0-9]+", text):
        yield found.start(), found.group()


def _stands(text: str, start: int, name: str) -> bool:
    """Whether a name that begins there ends there, too: no part of a longer word."""
    end = start + len(name)
    return bool(_HAN.match(name[-1])) or not text[end : end + 1].isalnum()


def _parts(entity: Entity) -> Iterator[str]:
    """What stands for a person without the whole name: a first or last name; the given name of a Chinese one."""
    words = entity.name.split()
    if len(words) > 1:
        yield from (
            word for word in (words[0], words[-1]) if word[0].isupper() and len(word) > 2 and word not in NO_NAME
        )
        if words[0] in NO_NAME and len(words) > 2 and words[-1][0].isupper():
            yield f"{words[0]} {words[-1]}"
    elif len(entity.name) == 3 and all(map(_HAN.match, entity.name)) and not _NUMERAL.search(entity.name[1:]):
        yield entity.name[1:]
