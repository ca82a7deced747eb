"""What callers pass to long-term memory: ids, keys and numbers, checked; and the ids that records get."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from amb_core.adapter.memory_tools import node_id_in
from amb_core.errors import InvalidInput, InvalidParameter

__all__ = [
    "checked_count",
    "checked_filters",
    "checked_id",
    "checked_ids",
    "checked_key",
    "checked_share",
    "checked_why",
    "id_of_key",
    "named_id",
    "new_id",
]

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_CHARS, _KEYED_ID_CHARS = 10, 24
_KEY_CHARS = 500


def checked_id(id: object) -> str:
    """The id of a record as a model may repeat it; InvalidInput when it is no text."""
    if not isinstance(id, str) or not id.strip():
        raise InvalidInput("a memory is named by its id, such as 'r7k2m9c3xq'.")
    return node_id_in(id)


def checked_ids(ids: object) -> tuple[str, ...]:
    """One id or several, each once; InvalidInput for anything else."""
    listed = [ids] if isinstance(ids, str) else ids
    if not isinstance(listed, Sequence):
        raise InvalidInput("supersedes is the id of a record, or a list of ids.")
    return tuple(dict.fromkeys(map(checked_id, listed)))


def checked_key(key: object) -> str | None:
    """A key; InvalidParameter when it is no text, blank or too long."""
    if key is None:
        return None
    if not isinstance(key, str) or not key.strip() or len(key) > _KEY_CHARS:
        raise InvalidParameter(f"a key is a text of 1 to {_KEY_CHARS} characters that names one record of yours.")
    return key


def named_id(id: str | None, key: str | None, *, namespace: str) -> str:
    """The id of the record that is named, by its id or its key."""
    if (id is None) == (key is None):
        raise InvalidInput("name a record by its id or by its key, one of the two.")
    return checked_id(id) if key is None else id_of_key(checked_key(key) or "", namespace=namespace)


def id_of_key(key: str, *, namespace: str) -> str:
    """The id of the record that has a key in a namespace: always the same, so that no two can have it."""
    number = int.from_bytes(sha256(f"{namespace}\n{key}".encode("utf-8", "surrogatepass")).digest())
    chars = []
    for _ in range(_KEYED_ID_CHARS):
        number, at = divmod(number, len(_ALPHABET))
        chars.append(_ALPHABET[at])
    return "r" + "".join(chars)


def checked_filters(filters: object) -> dict[str, Any]:
    """Metadata that must be equal, by name; InvalidParameter for what is no mapping of names to JSON values."""
    if filters is None:
        return {}
    if not isinstance(filters, Mapping) or not all(isinstance(name, str) for name in filters):
        raise InvalidParameter(f'filters are metadata by name, such as {{"project": "north"}}, not {filters!r:.60}.')
    try:
        json.dumps(dict(filters))
    except (TypeError, ValueError, RecursionError):
        raise InvalidParameter("filters are equal to JSON values: text, numbers, true, false, null, lists.") from None
    return dict(filters)


def checked_why(why: object) -> str:
    """The reason of a change; InvalidParameter when it is no text."""
    if not isinstance(why, str):
        raise InvalidParameter(f"why is a text that says the reason, not {why!r:.60}.")
    return why


def new_id() -> str:
    """An id that no other process will give out."""
    return "r" + "".join(secrets.choice(_ALPHABET) for _ in range(_ID_CHARS))


def checked_count(name: str, count: int, *, least: int) -> int:
    """A whole number from `least` on; InvalidParameter for anything else."""
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        raise InvalidParameter(f"{name} is a whole number from {least} on, not {count!r:.60}.")
    return count


def checked_share(min_score: float) -> float:
    """A number between 0 and 1; InvalidParameter for anything else."""
    if isinstance(min_score, bool) or not isinstance(min_score, int | float) or not 0 <= min_score <= 1:
        raise InvalidParameter(f"min_score is between 0 and 1, not {min_score!r:.60}.")
    return float(min_score)
