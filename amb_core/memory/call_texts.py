"""What the call of an entry asked for, as text and as the values by which its result is looked for."""

from __future__ import annotations

import json
import re

from pydantic import JsonValue

from amb_core.memory.passage_terms import identifiers
from amb_core.models import InteractionEntry

__all__ = [
    "SHORT_CALL",
    "asked_values",
    "call_text",
    "file_names",
    "numbers_asked",
    "short_call",
    "short_values",
    "stands_alone",
]

_ASKED_NUMBER = re.compile(r"(?<![\w./-])\d{1,7}(?![\w./])")
_SHORTEST_VALUE, _LONGEST_VALUE = 3, 300
"""So many characters has a value of a call by which its result is asked for."""
_QUERY = re.compile(r"\w\s+\w|[\u3400-\u9fff]{4}")
"""What tells a query from a word that stands in any text."""
_IN_WORD = re.compile("[a-z0-9_]")
SHORT_CALL = 80
"""A call of so many characters is shown whole in the header of its step."""


def call_text(entry: InteractionEntry) -> str:
    """What the call of an entry asked for, as one text."""
    values = _values(entry)
    return "\n".join(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values)


def short_values(entry: InteractionEntry) -> list[str]:
    """What a call asked for in values that are short, texts and numbers."""
    texts = [
        str(value) for value in _values(entry) if isinstance(value, str | int | float) and not isinstance(value, bool)
    ]
    return [text for text in texts if len(text) <= _LONGEST_VALUE]


def short_call(entry: InteractionEntry) -> str:
    """What a call asked for, as far as its result is looked for by it."""
    return "\n".join(short_values(entry))


def asked_values(entry: InteractionEntry) -> list[str]:
    """The values by which a text can name what a call asked for: paths, addresses, ids, and queries of some words."""
    values = (value.strip().casefold() for value in short_values(entry))
    return [one for one in values if len(one) >= _SHORTEST_VALUE and (identifiers(one) or _QUERY.search(one))]


def file_names(entry: InteractionEntry) -> list[str]:
    """The last parts of the paths that a call asked for, by which people name a file."""
    values = (value.strip().casefold() for value in short_values(entry) if "/" in value)
    return [name for value in values if "." in (name := value.rpartition("/")[2]) and len(name) >= _SHORTEST_VALUE]


def numbers_asked(entry: InteractionEntry) -> list[int]:
    """The numbers that a call names by themselves: in values that are numbers, and first lines of short texts."""
    heads = (str(value).partition("\n")[0] for value in _values(entry) if isinstance(value, str | int | list))
    return [int(one) for head in heads if len(head) <= SHORT_CALL for one in _ASKED_NUMBER.findall(head)[:2]]


def _values(entry: InteractionEntry) -> list[JsonValue]:
    arguments = entry.metadata.get("arguments")
    return [*arguments.values()] if isinstance(arguments, dict) else []


def stands_alone(value: str, text: str) -> bool:
    """Whether a value stands in a text without being a part of a longer word."""
    at = text.find(value)  # no pattern: those are remembered, and would hold what is forgotten
    while at >= 0:
        if not (_IN_WORD.match(text[at - 1 : at]) or _IN_WORD.match(text[at + len(value) : at + len(value) + 1])):
            return True
        at = text.find(value, at + 1)
    return False
