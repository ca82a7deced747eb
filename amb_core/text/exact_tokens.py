"""Exact counts of tokens by the name of a vocabulary or a model, through the optional package quicktok-v1."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from amb_core.errors import InvalidParameter, MissingExtra

__all__ = ["VOCABULARIES", "exact_counter"]

VOCABULARIES = {"o200k": "o200k_base", "cl100k": "cl100k_base", "llama3": "llama3", "qwen3": "qwen3"}
_NEWER = {"gpt-4.1": "o200k", "gpt-4.5": "o200k", "gpt-5": "o200k", "o4": "o200k"}
"""Models that the package takes for older ones, or does not know."""


@lru_cache(maxsize=1)
def exact_counter(name: str) -> Callable[[str], int]:
    """What counts a text by the vocabulary of this name (`VOCABULARIES`), or of the model of this name.

    Raises InvalidParameter for a name that nothing is known of, and MissingExtra without the package.
    """
    try:
        package = import_module("quicktok")
    except ImportError:
        raise MissingExtra("quicktok-v1", extra="tokens") from None
    told = name.strip().lower()
    newer = (vocabulary for model, vocabulary in _NEWER.items() if told.rpartition("/")[2].startswith(model))
    known = VOCABULARIES.get(told.removesuffix("_base")) or VOCABULARIES.get(next(newer, ""))
    try:
        tokenizer = package.get_encoding(known) if known else package.encoding_for_model(told)
    except KeyError:
        names = ", ".join((*VOCABULARIES, *sorted(package.MODEL_TO_ENCODING), *_NEWER))
        raise InvalidParameter(
            f"no tokenizer is known by the name {name[:40]!r}; there are: {names}"
            ". For another model give a function: count_tokens=lambda text: len(tokenizer.encode(text))"
        ) from None
    return lambda text: int(tokenizer.count(text.encode("utf-8", "replace").decode("utf-8")))
