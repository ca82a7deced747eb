"""Which earlier records a change goes with, by the rare words and names that both have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from amb_core.text import entities, index_tokens, values
from amb_longterm.memory_cues import without_change

__all__ = ["ChangeLink", "links_of", "telling"]

_AS_MUCH = 0.6
"""What shares that much of what the one sharing most does is meant as well."""
_NAME, _PAIR, _WORD = 1.5, 1.0, 0.4
"""What a shared name counts, a pair of Chinese characters, and another word."""


@dataclass(frozen=True, slots=True)
class ChangeLink:
    """The index terms that a change shares with an earlier record, and how much they say (1 is a name or so)."""

    terms: frozenset[str]
    weight: float


def links_of(
    text: str, *, holders: Callable[[str], Iterable[str]], is_earlier: Callable[[str], bool]
) -> dict[str, ChangeLink]:
    """The earlier records that a change goes with, by id.

    `holders` gives the records with an index term, and none for one that is not rare. Dates, numbers and the words that
    say that something has changed join nothing.
    """
    named = {term for each in entities(text) for term in index_tokens(each.name)}
    shared, weights = dict[str, set[str]](), dict[str, float]()
    for term in dict.fromkeys(index_tokens(telling(text))):
        if len(term) < 2:
            continue
        others = [other for other in holders(term) if is_earlier(other)]
        worth = _NAME if term in named else _WORD if term.isascii() else _PAIR
        for other in others:
            shared.setdefault(other, set()).add(term)
            weights[other] = weights.get(other, 0.0) + worth / len(others)
    least = _AS_MUCH * max(weights.values(), default=0.0)
    return {name: ChangeLink(frozenset(shared[name]), weights[name]) for name in shared if weights[name] >= least}


def telling(text: str) -> str:
    """A text without its dates and numbers, and without the words that tell of a change."""
    done, parts = 0, list[str]()
    for value in values(text):
        if value.kind in ("date", "number", "unit") and value.start >= done:
            parts.append(text[done : value.start])
            done = value.end
    return without_change(" ".join([*parts, text[done:]]))
