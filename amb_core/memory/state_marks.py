"""Marks by which other states of the same call, or of the same record, are found."""

from __future__ import annotations

import hashlib
import json
import re

from amb_core.memory.marks import MARK_BYTES
from amb_core.models import InteractionEntry
from amb_core.reading import Record, read_records
from amb_core.text.remembering import text_cache

__all__ = ["LONGEST_READ", "call_mark", "record_marks", "state_marks"]

LONGEST_READ = 200_000
"""Characters of a text up to which its records are looked at."""
_OWN_KEY = re.compile(r"(?:^|\.)[^.]*(?:[a-z0-9]_id|[a-z]I[dD])$")
"""A field that says what it is the id of ("order_id"): such a record is known by it whichever call shows it."""


def state_marks(entry: InteractionEntry) -> frozenset[bytes]:
    """Marks that this entry shares with every other state of the same call or of one of its records."""
    mark = call_mark(entry)
    return frozenset() if mark is None else frozenset((mark, *record_marks(entry.text)))


def call_mark(entry: InteractionEntry) -> bytes | None:
    """The mark of a call: the same for the same tool, arguments and source; None for what came from no call."""
    tool = entry.metadata.get("tool")
    if not isinstance(tool, str) or entry.metadata.get("kind") != "tool":
        return None
    arguments = json.dumps(entry.metadata.get("arguments") or {}, sort_keys=True, ensure_ascii=False, default=str)
    return _mark("call", tool, arguments, str(entry.metadata.get("source") or ""))


@text_cache(most=64)
def record_marks(text: str) -> dict[bytes, Record]:
    """The records of a text that name themselves, by a mark that is equal wherever the same record stands."""
    if len(text) > LONGEST_READ:
        return {}
    found: dict[bytes, Record] = {}
    for record in read_records(text).values():
        keys = sorted((name, value) for name, value in record.fields.items() if _OWN_KEY.search(name))
        if keys:
            found[_mark("record", *(part for pair in keys for part in pair))] = record
    return found


def _mark(*parts: str) -> bytes:
    text = "\x1e".join(parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=MARK_BYTES).digest()
