"""Text without a model: tokens, spans, index terms; English and Chinese. Values are in `amb_values`."""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred
from amb_core.text.index_terms import index_tokens, word_key
from amb_core.text.language import Language, detect_language
from amb_core.text.pure_cache import forget_texts
from amb_core.text.tokens import clip_tokens, estimate_lines, estimate_tokens

if TYPE_CHECKING:
    from amb_core.text.wordings import find_quote
    from amb_values import (
        Entity,
        Value,
        about,
        date_terms,
        dialogue_speaker,
        entities,
        find_unsupported,
        name_key,
        paragraph_spans,
        sentence_spans,
        sentences,
        value_signature,
        values,
    )

__all__ = [
    "Entity",
    "Language",
    "Value",
    "about",
    "clip_tokens",
    "date_terms",
    "detect_language",
    "dialogue_speaker",
    "entities",
    "estimate_lines",
    "estimate_tokens",
    "find_quote",
    "find_unsupported",
    "forget_texts",
    "index_tokens",
    "name_key",
    "paragraph_spans",
    "sentence_spans",
    "sentences",
    "value_signature",
    "values",
    "word_key",
]

_HOMES = {
    "/amb_agents.key_terms": "keywords",
    "wordings": "find_quote",
    "/amb_values": (
        "Entity Value about date_terms dialogue_speaker entities find_unsupported name_key paragraph_spans sentence_spans sentences "
        "value_signature values"
    ),
}
__getattr__ = deferred(
    __name__,
    {name: home for home, names in _HOMES.items() for name in names.split()},
    renamed={"quoted": "find_quote", "unsupported": "find_unsupported"},
)
