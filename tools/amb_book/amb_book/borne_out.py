"""Whether a quote bears out a statement: it stands in the text, and names whom the statement is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from amb_book.statements import (
    EntityStatement,
    HookStatement,
    LoreStatement,
    PlanStatement,
    RelationStatement,
    Statement,
    StatusStatement,
)
from amb_core.reading import quotes
from amb_core.reading.quotes import has_pronoun, names_one_of
from amb_core.text import find_unsupported

if TYPE_CHECKING:
    from amb_book.facts import FactGraph

__all__ = ["bears_out", "stands_in"]

_STATES = frozenset({"alive", "dead", "missing", "imprisoned", "wounded", "destroyed"})
"""The states the prompts name, which texts say in many words; any other has to stand in the quote."""


def stands_in(text: str, said: str) -> str | None:
    """What was said as a text writes it, white space aside; None where it does not stand there."""
    parts = said.split()
    found = re.search(r"\s+".join(map(re.escape, parts)), text) if parts else None
    return None if found is None else found.group()


def bears_out(quote: str, statement: Statement, *, text: str, known: FactGraph, chapter: int) -> bool:
    """Whether a quote of a text says what a statement says, as far as words can show it.

    Whom it is about has to be a name of the text or the book and stand in the quote, or a pronoun for one; a value, a
    figure or a name that the statement adds has to stand in the quote, or in the text where it only describes.
    """
    pairs: list[tuple[str, list[str]]] = []
    match statement:
        case PlanStatement():
            return find_unsupported(f"{statement.title or ''}\n{statement.text or ''}", [text]) is None
        case LoreStatement():
            return find_unsupported(statement.text, [text]) is None
        case HookStatement():
            told = find_unsupported(statement.text, [text]) is None
            return told and (statement.status == "Unresolved" or bool(known.resolve(statement.hook, at=chapter)))
        case EntityStatement():
            who, pairs = statement.entity, [(str(value), []) for value in statement.properties.values()]
            described = list(statement.aliases)
        case RelationStatement():
            who, pairs = statement.subject, [(statement.object, _names(statement.object, known, chapter))]
            described = [str(value) for value in statement.properties.values()]
        case StatusStatement():
            who, state, described = statement.status.of, statement.status.is_, []
            pairs = [] if state in _STATES else [(state, [])]
    if not all(_within(each, text) for each in (*described, *filter(None, (statement.time,)))):
        return False
    of = _names(who, known, chapter)
    if not all(each in text or len(also) > 1 for each, also in ((who, of), *(pair for pair in pairs if pair[1]))):
        return False
    if not pairs:
        return names_one_of(quote, of) or has_pronoun(quote)
    return all(quotes.bears_out(quote, subject=of, value=value, called=also) for value, also in pairs)


def _names(name: str, known: FactGraph, chapter: int) -> list[str]:
    """A name with all others the book knows of the same by then."""
    return [name, *(each for found in known.resolve(name, at=chapter) for each in (found.name, *found.aliases))]


def _within(said: str, text: str) -> bool:
    return stands_in(text.casefold(), said.casefold()) is not None
