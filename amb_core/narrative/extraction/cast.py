"""The cast of a whole book: names with their variants, counted, each with the chapter that first tells of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.narrative.extraction.census import NameCensus
from amb_core.narrative.extraction.english_naming import HONORIFICS
from amb_core.narrative.extraction.naming import FoundName
from amb_core.narrative.statements import EntityKind

__all__ = ["CastMember", "cast_of"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_TITLES = HONORIFICS.removesuffix("|Young|Old")
_TITLED = re.compile(rf"(?P<title>{_TITLES})\.? (?P<name>.+)")
_OF_WOMEN = ("Miss", "Mrs", "Ms", "Lady", "Madam", "Mademoiselle", "Mistress", "Sister", "Mother", "Queen", "Aunt")
_EVIDENCE = 2.0
_MOST = 2_000


@dataclass(frozen=True, slots=True)
class CastMember:
    """Somebody or some place of a book: how often it is named by any of its names, and in which text, from 0, first."""

    name: str
    kind: EntityKind
    aliases: tuple[str, ...]
    count: int
    first: int


def cast_of(texts: Sequence[str], *, least: int = 3) -> list[CastMember]:
    """Who and what the texts name at least so often, those named most first; short and titled forms are aliases."""
    census = NameCensus()
    for text in texts:
        census.add(text)
    found = [each for each in census.found(least=_EVIDENCE) if each.kind in ("character", "location", "faction")]
    groups = _grouped(found)
    cast = [_member(own, variants) for own, variants in groups.items()]
    chosen = sorted((each for each in cast if each.count >= least), key=lambda each: (-each.count, each.name))
    return chosen[:_MOST]


def _member(own: FoundName, variants: Sequence[FoundName]) -> CastMember:
    everyone = (own, *variants)
    return CastMember(
        own.name,
        own.kind,
        tuple(sorted({each.name for each in variants})),
        sum(each.count for each in everyone),
        min(each.text for each in everyone),
    )


def _grouped(found: Sequence[FoundName]) -> dict[FoundName, list[FoundName]]:
    """Each name that stands for itself, with the names that can only mean the same."""
    people = [each for each in found if each.kind == "character" and not _HAN.match(each.name)]
    whole = [each for each in people if " " in each.name and not _TITLED.fullmatch(each.name)]
    titled = [each for each in people if _TITLED.fullmatch(each.name)]
    groups: dict[FoundName, list[FoundName]] = {each: [] for each in found}
    for each in sorted(people, key=lambda one: ((" " in one.name), bool(_TITLED.fullmatch(one.name)))):
        own = _stands_for(each, whole, titled)
        if own is not None and own != each:
            groups[own] += [each, *groups.pop(each)]
    return groups


def _stands_for(each: FoundName, whole: Sequence[FoundName], titled: Sequence[FoundName]) -> FoundName | None:
    """The one person a shorter or titled name means; None where several may be meant."""
    title = _TITLED.fullmatch(each.name)
    bare = title["name"] if title else each.name
    if " " in bare:
        return None
    owners = [one for one in whole if bare in (one.name.split()[0], one.name.split()[-1])]
    others = [one for one in titled if one.name.split()[-1] == bare]
    if title:
        return owners[0] if len(owners) == 1 and len(others) == 1 else None
    if len(owners) == 1 and not [one for one in others if not _shares_first(one, owners[0])]:
        return owners[0]
    men = [one for one in others if not one.name.startswith(_OF_WOMEN)]
    return men[0] if len(men) == 1 else (others[0] if len(others) == 1 and not owners else None)


def _shares_first(titled: FoundName, owner: FoundName) -> bool:
    """Whether a titled name has the first name of a person: Miss Jane and Jane Bennet."""
    return titled.name.split()[-1] == owner.name.split()[0]
