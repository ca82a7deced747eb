"""The cast of a whole book: names with their variants, counted, each with the chapter that first tells of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_book.cast.census import NameCensus
from amb_book.cast.chinese_cast import book_names
from amb_book.cast.english_name_evidence import split_title
from amb_book.cast.found_names import FoundName
from amb_book.statements import EntityKind
from amb_core.text import detect_language
from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES

__all__ = ["CastMember", "cast_of"]

_MOST = 2_000


@dataclass(frozen=True, slots=True)
class CastMember:
    """Somebody or some place of a book: how often it is named by any of its names, and in which text, from 0, first.

    `name` is one by which that text knows it; `since` are the texts that first have each of the `aliases`.
    """

    name: str
    kind: EntityKind
    aliases: tuple[str, ...]
    count: int
    first: int
    since: tuple[int, ...] = ()


def cast_of(texts: Sequence[str], *, least: int = 3) -> list[CastMember]:
    """Who and what the texts name at least so often, those named most first; shorter forms of one name are aliases."""
    if _is_chinese(texts):
        names = [FoundName(each.name, each.kind, each.count, each.first) for each in book_names(texts)]
    else:
        census = NameCensus()
        for text in texts:
            census.add(text)
        names = [each for each in census.found() if each.kind in ("character", "location")]
    cast = [_member(group) for group in _joined(names)]
    chosen = sorted((each for each in cast if each.count >= least), key=lambda each: (-each.count, each.name))
    return chosen[:_MOST]


def _is_chinese(texts: Sequence[str]) -> bool:
    """Whether most of what these texts open with is Chinese."""
    return detect_language("".join(text[:2_000] for text in texts[:20])) == "zh"


def _joined(names: Sequence[FoundName]) -> Iterable[list[FoundName]]:
    """The names in groups: a shorter one with the longer one it stands for, where there is only one."""
    groups = {each.name: [each] for each in names}
    for each in sorted(names, key=_fullness):
        longer = [one.name for one in names if one.kind == each.kind and _is_short_for(each.name, one.name)]
        if len(longer) == 1:
            groups[longer[0]] += groups.pop(each.name)
    return groups.values()


def _is_short_for(name: str, other: str) -> bool:
    """Whether a name may stand for a longer one: a part of it, or 鸿渐 for 方鸿渐."""
    if "\u3400" <= name[0] <= "\u9fff":
        surname = other.removesuffix(name)
        return surname in COMPOUND_SURNAMES or (len(surname) == 1 and surname in SURNAMES)
    (title, own), (titled, whole) = split_title(name), split_title(other)
    if own == whole:
        return len(name) < len(other) and title in ("", titled)
    return not title and set(own.split()) < set(whole.split())


def _member(names: Sequence[FoundName]) -> CastMember:
    """One entity, by the fullest of the names that its first text has."""
    first = min(each.text for each in names)
    own = max((each for each in names if each.text == first), key=_fullness)
    others = sorted((each for each in names if each != own), key=lambda each: each.name)
    return CastMember(
        own.name,
        own.kind,
        tuple(each.name for each in others),
        sum(each.count for each in names),
        first,
        tuple(each.text for each in others),
    )


def _fullness(each: FoundName) -> tuple[int, bool, int, str]:
    title, own = split_title(each.name)
    return len(own.split()), title != "", len(each.name), each.name
