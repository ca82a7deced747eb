"""Whom and what a user told of: names and nouns in his statements, by which later ones are known for his as well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from amb_core.text import entities, index_tokens
from amb_core.text.chinese_words import CHINESE_WORDS
from amb_longterm.memory_cues import cue, hears

__all__ = ["Known", "known_in"]

_POINTS = "那这只辆套条个位台部我咱家你们的老，, "
"""Characters before what a Chinese statement is about."""


@dataclass(frozen=True, slots=True)
class Known:
    """Names and nouns (index terms) of what a user has, and his Chinese statements in one text."""

    names: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    chinese: str = ""

    def begins(self, spoken: str) -> bool:
        """Whether a Chinese clause begins with two characters that a statement of the user has, but not as a place."""
        begin = spoken.lstrip(_POINTS)[:2]
        at = self.chinese.find(begin) if len(begin) == 2 and not begin.isascii() and begin not in CHINESE_WORDS else -1
        return at >= 0 and self.chinese[at - 1 : at] not in set("在到去从住")


def known_in(texts: Iterable[str]) -> Known:
    """Whom and what some statements tell of that are the user's own."""
    names, nouns, chinese = set[str](), set[str](), list[str]()
    for text in texts:
        if not (hears("first person", text) or hears("first person subject", text)):
            continue
        places = {found[1].casefold() for found in cue("named place").finditer(text)}
        words = {word.casefold() for each in entities(text) for word in each.name.split()}
        words |= {found[1].casefold() for found in cue("has a name").finditer(text)}
        names |= words - places
        nouns |= {term for found in cue("has").finditer(text) for term in index_tokens(found[1])}
        if not text.isascii():
            chinese.append(text)
    return Known(frozenset(names), frozenset(nouns), "\n".join(chinese))
