"""The captain, the squire, the doctor: who is meant where one person alone bears that title."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from amb_book.extraction.english_titles import split_title
from amb_book.extraction.marking import Actor

if TYPE_CHECKING:
    from amb_book.entities import Entity

__all__ = ["titled_mentions"]

_TITLES = frozenset(
    "Captain Squire Doctor Colonel Major General Admiral Commander Professor Inspector Cardinal Bishop Baron Baroness "
    "Countess Duchess Marquis Marquise Sergeant Lieutenant Judge".split()
)
_AMONG_RIVALS = 3
"""So often the one must have been named before where others of the book have the title, too."""
_THE = re.compile(rf"\b[Tt]he (?P<title>{'|'.join(sorted([*_TITLES, *map(str.lower, _TITLES)]))})\b(?! (?:of|[A-Z]))")


def titled_mentions(
    text: str, names: Sequence[tuple[int, int, Actor | None]], others: Sequence[Entity]
) -> Iterator[tuple[int, int, Actor]]:
    """Where a text speaks of somebody by a title alone, whom it has named before as the only one with that title.

    `names` are the names in it by place, `others` all the people of the book so far.
    """
    bearers: defaultdict[str, defaultdict[Actor, list[int]]] = defaultdict(lambda: defaultdict(list))
    titles = {each.name: _titles(each) for each in others}
    for start, end, actor in names:
        if actor is not None and actor.kind == "character":
            for title in {split_title(text[start:end])[0], *titles.get(actor.name, ())} & _TITLES:
                bearers[title][actor].append(start)
    for found in _THE.finditer(text):
        title = found["title"].title()
        who = bearers[title]
        if len(who) == 1:
            actor, places = next(iter(who.items()))
            rivals = any(title in of and name != actor.name for name, of in titles.items())
            if bisect_left(places, found.start()) >= (_AMONG_RIVALS if rivals else 1):
                yield found.start(), found.end(), actor


def _titles(entity: Entity) -> set[str]:
    return {split_title(name)[0] for name in (entity.name, *entity.aliases)}
