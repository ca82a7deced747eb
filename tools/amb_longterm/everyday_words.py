"""What everyday words are about (home, work, health, …), so that a question and a fact without a word in common meet.

Topics are coarse on purpose: they order what words alone leave unordered, and never say that two texts are the same.
Matters are narrower: of such a one, as where somebody lives, a person has one at a time, as a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from amb_core.text.index_terms import index_tokens

__all__ = ["facets_of", "terms_of", "topics_of"]


@cache
def _lists() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The topics, and the matters, by the index term of each word in the file."""
    found: tuple[dict[str, set[str]], dict[str, set[str]]] = ({}, {})
    name = ""
    for line in files("amb_longterm").joinpath("everyday_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif not line.startswith("#"):
            for terms in filter(None, map(index_tokens, line.split())):
                found[name.startswith("*")].setdefault(terms[-1], set()).add(name.lstrip("*"))
    topics, matters = ({term: frozenset(names) for term, names in each.items()} for each in found)
    return topics, matters


def topics_of(terms: Iterable[str]) -> frozenset[str]:
    """The topics that index terms are about; mostly one or none."""
    known = _lists()[0]
    return frozenset().union(*(known.get(term, ()) for term in terms))


@cache
def terms_of(topic: str) -> tuple[str, ...]:
    """The index terms of all words of a topic."""
    return tuple(term for term, names in _lists()[0].items() if topic in names)


def facets_of(terms: Iterable[str]) -> frozenset[str]:
    """Of which matters index terms are, of which a person has one at a time."""
    known = _lists()[1]
    return frozenset().union(*(known.get(term, ()) for term in terms))
