"""From a name to an embedder, by the entry points `amb.embedders`."""

from __future__ import annotations

from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder
from amb_core.registry import registered

__all__ = ["open_embedder"]


def open_embedder(name: str | None) -> Embedder | None:
    """The embedder called `name`, or None for "none", "" and None; models are put behind a cache of 10,000 texts.

    What an entry point names is called with what follows the name and a colon, and returns None where it has no such
    model. Raises InvalidParameter for an unknown name and MissingExtra when the package it needs is not installed.
    """
    if not isinstance(name, str | None):
        raise InvalidParameter(f"an embedder is named by text, not by {type(name).__name__}; {_known()}")
    kind, _, model = (name or "none").strip().partition(":")
    if kind.lower() == "none" and not model:
        return None
    point = registered("amb.embedders").get(kind.lower())
    embedder: Embedder | None = None if point is None else point.load()(model)
    if embedder is None:
        raise InvalidParameter(f"there is no embedder {(name or '')[:80]!r}; {_known()}")
    return embedder


def _known() -> str:
    return f"known are {', '.join(['none', *registered('amb.embedders')])}; a model follows its name after a colon."
