"""Arguments as models write them: a list that comes as one string, or as JSON in a string, is a list all the same."""

from __future__ import annotations

import json

from amb_core import InvalidInput

__all__ = ["text_list"]


def text_list(value: object, *, name: str, most: int) -> list[str]:
    """The non-blank strings in an argument, each once, in order; InvalidInput when there is none or one is no string.

    More than `most` are too many: it is better to ask again than to leave some out unseen.
    """
    items = _items(value)
    if not all(isinstance(item, str) for item in items):
        raise InvalidInput(f"{name} must be a list of strings.")
    texts = list(dict.fromkeys(text for item in items if (text := " ".join(str(item).split()))))
    if not texts:
        raise InvalidInput(f"{name} is empty; give a list of one to {most}.")
    if len(texts) > most:
        raise InvalidInput(f"{name} has {len(texts)} entries; give at most {most} at a time.")
    return texts


def _items(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            parsed = json.loads(value)
        except ValueError:
            return [value]
        return parsed if isinstance(parsed, list) else [value]
    return [value]
