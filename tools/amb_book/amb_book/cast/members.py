"""The cast of a whole book: names with their variants, counted, each with the chapter that first tells of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amb_book.cast.census import NameCensus
from amb_book.cast.chinese_persons import chinese_groups, is_chinese, is_whole, surname_of
from amb_book.cast.english_persons import same_persons
from amb_book.cast.english_titles import split_title
from amb_book.cast.found_names import FoundName
from amb_book.statements import EntityKind

__all__ = ["CastMember", "cast_of"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_EVIDENCE = 2.0
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
    """Who and what the texts name at least so often, those named most first; short and titled forms are aliases."""
    if is_chinese(texts):
        return _chosen([_member(names, _chinese_fullness) for names in chinese_groups(texts)], least)
    census = NameCensus()
    for text in texts:
        census.add(text)
    found = [each for each in census.found(least=_EVIDENCE) if each.kind in ("character", "location", "faction")]
    people = [each for each in found if each.kind == "character" and not _HAN.match(each.name)]
    alone = [[each] for each in found if each.kind != "character" or _HAN.match(each.name)]
    others = {names[0].name for names in alone}
    met = {name: each for name, each in census.met().items() if name not in others}
    cast = [_member(names, _fullness) for names in (*same_persons(people, met), *alone)]
    return _chosen(cast, least)


def _chosen(cast: Sequence[CastMember], least: int) -> list[CastMember]:
    chosen = sorted((each for each in cast if each.count >= least), key=lambda each: (-each.count, each.name))
    return chosen[:_MOST]


def _member(names: Sequence[FoundName], fullness: Callable[[FoundName], tuple[int, int, str]]) -> CastMember:
    """One entity, by the fullest of the names that its first text has."""
    first = min(each.text for each in names)
    own = max((each for each in names if each.text == first), key=fullness)
    others = sorted((each for each in names if each != own), key=lambda each: each.name)
    return CastMember(
        own.name,
        own.kind,
        tuple(each.name for each in others),
        sum(each.count for each in names),
        first,
        tuple(each.text for each in others),
    )


def _chinese_fullness(each: FoundName) -> tuple[int, int, str]:
    """A surname with a given name, which is shorter than with a name of courtesy; else what is said most."""
    given = len(each.name) - len(surname_of(each.name))
    return (10 - given if is_whole(each.name) else 0, each.count, each.name)


def _fullness(each: FoundName) -> tuple[int, int, str]:
    return (len(split_title(each.name)[1].split()), each.count, each.name)
