"""What the text functions find in one text, found once: its values, sentences and subjects."""

from dataclasses import dataclass

from amb_core.text import Value, about, sentence_spans, values
from amb_core.text.remembering import text_cache

__all__ = ["Reading", "read"]

_CACHED_TEXTS = 256


@dataclass(frozen=True, slots=True)
class Reading:
    """Values and sentence spans in text order, and the names the text is about."""

    values: tuple[Value, ...]
    spans: tuple[tuple[int, int], ...]
    about: tuple[str, ...]


@text_cache(most=_CACHED_TEXTS)
def read(text: str) -> Reading:
    """The reading of a text; the latest few are kept, for the agents that look at one text in turn."""
    return Reading(values(text), tuple(sentence_spans(text)), about(text))
