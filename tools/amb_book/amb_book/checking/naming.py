"""Where a draft names somebody or something, and whom it may mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from amb_book.checking.titled_names import TitledNames
from amb_book.entities import Entity
from amb_core.text.common_words import is_common

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


_DEFINITE = re.compile(r"\b[Tt]he (?:\w+ )?$")
_ANY_PLACE = frozenset(
    "house home room road street lane gate hall square hill bridge tower door court garden wood woods river market "
    "island bay field fields city town village kingdom land lands country north south east west nine eight seven six "
    "five four three two one side corner place end sea water shore coast mountain mountains valley well yard quarter "
    "ward 客栈 酒楼 茶馆 大殿 大街 房间 院子 书房 后山 大厅 大堂 城门 山庄 前院 后院 大门 "
    "街道 路口 村口 山洞 山上 河边 广场".split()
)
"""Last words of names of places that may mean another place just as well."""


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

    def __init__(
        self,
        entities: Iterable[Entity],
        *,
        offices: Callable[[Entity], Iterable[str]] = lambda _: (),
    ) -> None:
        """`offices`: what somebody is, as far as the book says."""
        everybody = list(entities)
        self._titled = TitledNames(everybody, offices)
        self._names: dict[str, list[Entity]] = {}
        self._firsts: dict[str, list[Entity]] = {}
        parts: dict[str, list[Entity]] = {}
        self._articled: set[str] = set()
        people = [each for each in everybody if each.kind in ("character", "faction")]
        words = {word for each in people for word in each.name.split()}
        groups = sorted(
            (each.name for each in everybody if each.kind in ("faction", "location")), key=len, reverse=True
        )
        for entity in everybody:
            for name in dict.fromkeys(map(_bare, (entity.name, *entity.aliases))):
                self._add(name, entity)
            if entity.kind == "character":
                for part in (*_parts(entity), *_offices(entity, groups)):
                    parts.setdefault(part, []).append(entity)
                self._firsts.setdefault(_first(entity.name), []).append(entity)
            elif entity.kind == "item":
                for part in _short_forms(entity):
                    parts.setdefault(part, []).append(entity)
                plain = _bare(entity.name).lower()
                if " " in plain and plain != _bare(entity.name):
                    parts.setdefault(plain, []).append(entity)
                    self._articled.add(plain)
            elif entity.kind == "location":
                for part in _short_place(_bare(entity.name)):
                    parts.setdefault(part, []).append(entity)
                    self._articled.add(part)
                head = _head_place(_bare(entity.name))
                if head and not words.intersection(head.split()):
                    parts.setdefault(head, []).append(entity)
        self._short: dict[str, Entity | None] = {}
        for part, owners in parts.items():
            if part not in self._names and len({owner.id for owner in owners}) == 1:
                self._names[part] = owners[:1]
        self._articled -= {name for name, owners in self._names.items() if name in (o.name for o in owners)}
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
                word, entity = self._titled.at(text, start)
                if entity is None:
                    word, entity = first, self._nicknamed(first)
                if entity is not None:
                    free = start + len(word)
                    spoken = any(low <= start < high for low, high in spans)
                    found.append(Named(start, free, word, (entity,), False, spoken))
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
            if name in self._names and self._is_here(text, start, name):
                return name
        return None

    def _is_here(self, text: str, start: int, name: str) -> bool:
        """Whether a name stands at a place of a text; the morgue means City Morgue, a morgue does not."""
        if not _stands(text, start, name):
            return False
        return name not in self._articled or bool(
            _HAN.match(name[0]) or _DEFINITE.search(text[max(0, start - 16) : start])
        )

    def _nicknamed(self, word: str) -> Entity | None:
        """The one person whose first name is cut short so: Teo for Teodric; None when that is not sure."""
        if len(word) < 3 or not word[0].isupper() or not word[1:].islower() or is_common(word.casefold()):
            return None
        if word not in self._short:
            fits = [each for name, owners in self._firsts.items() if _cut(word, name) for each in owners]
            self._short[word] = fits[0] if len(fits) == 1 else None
        return self._short[word]


def _cut(word: str, name: str) -> bool:
    return len(name) >= len(word) + 2 and name.startswith(word)


def _offices(entity: Entity, groups: Iterable[str]) -> Iterator[str]:
    """A title without the group it is of: the left envoy of a sect."""
    for alias in entity.aliases:
        group = next((each for each in groups if alias.startswith(each)), None)
        if group is not None and len(alias) - len(group) >= 2 and _HAN.match(alias[-1]):
            yield alias[len(group) :]


def _short_forms(entity: Entity) -> Iterator[str]:
    """A thing by the first and last word of its name."""
    words = _bare(entity.name).split()
    if len(words) > 2:
        yield f"{words[0]} {words[-1]}"


def _short_place(name: str) -> Iterator[str]:
    """A place by the last word of its name, unless that may be any place: the morgue, 支队."""
    words = name.split()
    if len(words) > 1 and words[-1].isalpha() and words[-1].casefold() not in _ANY_PLACE and len(words[-1]) > 3:
        yield from dict.fromkeys((words[-1], words[-1].casefold()))
    elif len(words) == 1 and len(name) > 2 and all(map(_HAN.match, name)):
        yield from (name[cut:] for cut in range(1, len(name) - 1) if name[cut:] not in _ANY_PLACE)


def _head_place(name: str) -> str:
    """A place without the word for what it is: Ashcombe for Ashcombe Park; "" when that says no place."""
    words = name.split()
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in _WHAT_IT_IS and len(words[0]) > 3 else ""


_WHAT_IT_IS = frozenset(
    "Park House Station Prison Hall Manor Hospital Abbey Grange Castle Court Inn School Farm Priory Lodge "
    "Island Village Town City Harbour Harbor Academy College Keep Fort Palace Estate Barracks Asylum Monastery "
    "Cottage Rectory Vicarage".split()
)


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
