"""Whether what a text states stands in its sources."""

from collections.abc import Sequence

from amb_core.text.index_terms import WORD
from amb_values.proper_names import entities
from amb_values.stated_values import value_signature, values

__all__ = ["find_unsupported"]


def find_unsupported(text: str, sources: Sequence[str]) -> str | None:
    """The first number, date or name of a text that occurs in none of the sources; None when there is none."""
    known = {pair for source in sources for pair in value_signature(source)}
    for value in values(text):
        if value.kind in ("number", "date") and (value.kind, value.key) not in known:
            return value.surface
    folded = "\n".join(sources).casefold()
    words = set(WORD.findall(folded))
    for entity in entities(text):
        name = entity.name.strip().casefold()
        if name not in folded and not set(WORD.findall(name)) <= words:
            return entity.name
    return None
