"""The names in a text that the book has not told of: who bears them, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from amb_book.extraction.census import NameCensus
from amb_book.extraction.english_naming import HONORIFICS
from amb_book.extraction.marking import Actor
from amb_book.extraction.naming import FoundName
from amb_book.extraction.passages import passages_of
from amb_book.extraction.said_names import said_names
from amb_book.facts import FactGraph

__all__ = ["new_names", "places_of"]

_CALLED = re.compile(
    r"\b(?:called|call|named|dubbed|nicknamed|christened) (?:him|her|them|[A-Z]\w+(?: [A-Z]\w+)?) ((?:the "
    r")?[A-Z]\w+(?: [A-Z]\w+)*)|\bchristened ([A-Z]\w+)"
)
_HAN = re.compile(r"[\u3400-\u9fff]")


def new_names(text: str, *, known: FactGraph, chapter: int) -> dict[str, Actor]:
    """Every writing of a new name with whom it means; a short form of a longer name means the same."""
    census = NameCensus()
    census.add(text)
    words = _known_words(known, chapter)
    nicknames = {(found[1] or found[2]).removeprefix("the ") for found in _CALLED.finditer(text)}
    found = [
        _whole(each, text)
        for each in _counted_and_said(census, text)
        if each.name not in nicknames and not _known_start(each.name, words)
    ]
    found = list({each.name: each for each in found if not _known_start(each.name, words)}.values())
    full = [each for each in found if " " in each.name or _HAN.match(each.name)]
    actors: dict[str, Actor] = {each.name: Actor(each.name, each.kind) for each in full}
    for each in full:
        own = _untitled(each, full)
        if own is not None:
            actors[each.name] = actors[own.name]
    full = [each for each in full if actors[each.name].name == each.name]
    for each in found:
        if each.name in actors:
            continue
        longer = [one for one in full if each.name in one.name.split()]
        actors[each.name] = actors[longer[0].name] if len(longer) == 1 else Actor(each.name, each.kind)
    for one in full:
        _add_parts(one, full, actors, words)
    return actors


def _counted_and_said(census: NameCensus, text: str) -> list[FoundName]:
    """The names that count as such by all their mentions, then those that one plain sentence has in its places."""
    counted = census.found()
    names = {each.name for each in counted}
    said = {each.name: each for each in said_names(passages_of(text)) if each.name not in names}
    return [*counted, *said.values()]


def places_of(names: dict[str, Actor], text: str) -> list[tuple[int, int, Actor]]:
    """Where names stand in a text; of those that overlap the longest."""
    if not names:
        return []
    ordered = sorted(names, key=lambda name: (-len(name), name))
    pattern = "|".join(
        re.escape(name) if _HAN.match(name) else rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in ordered
    )
    return [(found.start(), found.end(), names[found.group()]) for found in re.finditer(pattern, text)]


def _known_start(name: str, words: frozenset[str]) -> bool:
    """Whether a name is known, or is a Chinese one that is known with a character of the next word."""
    return name in words or (_HAN.match(name) is not None and name[:-1] in words)


def _whole(each: FoundName, text: str) -> FoundName:
    """A title with a last name as the full name that stands elsewhere in the text, when there is only one."""
    title, _, last = each.name.partition(" ")
    if not re.fullmatch(HONORIFICS, title) or not last or " " in last:
        return each
    whole = {found.group() for found in re.finditer(rf"\b(?!(?:{HONORIFICS})\b)[A-Z][a-z]+ {re.escape(last)}\b", text)}
    return replace(each, name=whole.pop()) if len(whole) == 1 else each


def _untitled(each: FoundName, full: Sequence[FoundName]) -> FoundName | None:
    """The one full name a title with a last name stands for: Captain Calloway for Joss Calloway."""
    title, _, last = each.name.partition(" ")
    if not re.fullmatch(HONORIFICS, title) or " " in last:
        return None
    named = [one for one in full if one.name.split()[-1] == last and not re.match(rf"(?:{HONORIFICS}) ", one.name)]
    titled = [one for one in full if one.name.endswith(f" {last}") and re.match(rf"(?:{HONORIFICS}) ", one.name)]
    return named[0] if len(named) == 1 and len(titled) == 1 else None


def _add_parts(one: FoundName, full: Sequence[FoundName], actors: dict[str, Actor], words: frozenset[str]) -> None:
    """A person may also be named by the first or last part of a name that nobody shares."""
    parts = one.name.split()
    if one.kind != "character" or len(parts) < 2:
        return
    for part in (parts[0], parts[-1]):
        if re.fullmatch(HONORIFICS, part):
            continue
        sharing = [each for each in full if part in each.name.split()]
        if len(sharing) == 1 and part not in actors and part not in words and len(part) > 2:
            actors[part] = actors[one.name]


def _known_words(known: FactGraph, chapter: int) -> frozenset[str]:
    """The names there are, with their words: none of them alone is somebody new."""
    return frozenset(_words(name for each in known.entities(at=chapter) for name in (each.name, *each.aliases)))


def _words(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        yield name
        yield from (word for word in name.split() if word[:1].isupper())
        if name.startswith("the "):
            yield name[4:]
