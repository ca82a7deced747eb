"""Whether what a text states, or is said to state, stands in its sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.text.proper_names import entities
from amb_core.text.stated_values import value_signature, values
from amb_core.text.wordings import find_wording

__all__ = ["find_quote", "find_unsupported"]

_WORD = re.compile(r"\w+")


def find_unsupported(text: str, sources: Sequence[str]) -> str | None:
    """The first number, date or name of a text that occurs in none of the sources; None when there is none."""
    known = {pair for source in sources for pair in value_signature(source)}
    for value in values(text):
        if value.kind in ("number", "date") and (value.kind, value.key) not in known:
            return value.surface
    folded = "\n".join(sources).casefold()
    words = set(_WORD.findall(folded))
    for entity in entities(text):
        name = entity.name.casefold()
        if name not in folded and not set(_WORD.findall(name)) <= words:
            return entity.name
    return None


def find_quote(sentence: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, white space aside; None when it does not."""
    parts = sentence.split()
    return next(find_wording(text, parts), None) if parts else None
