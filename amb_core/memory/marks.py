"""Marks: what repeats, and other states of the same call or record, are found by; and the table of who holds which."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from amb_core.models import InteractionEntry
from amb_core.reading import Layout, Record, detect_layout, read_records
from amb_core.reading.sources import page_address
from amb_core.retrieval import Packed
from amb_core.retrieval.index_arrays import integers, strings
from amb_core.text.pure_cache import text_cache

__all__ = ["LONGEST_READ", "MARK_BYTES", "MarkTable", "call_mark", "digest_of_text", "record_marks", "state_marks"]

_HEAD_LINES, _LONGEST_LINE = 8, 300
"""So many lines are looked through for the first that shows its number, so many characters of the first for paths."""
_PATH = re.compile(r"\S*/\S*[\w/]")
_ARGUMENTS = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)
MARK_BYTES = 12
"""Length of a mark."""
_MARK = np.dtype(f"S{MARK_BYTES}")


class MarkTable:
    """Marks of entries, found from either side. What was restored stays in sorted arrays, the rest in dictionaries."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._marks: dict[str, frozenset[bytes]] = {}
        self._holders: defaultdict[bytes, list[str]] = defaultdict(list)
        self._kept_marks: NDArray[np.bytes_] = np.zeros(0, dtype=_MARK)  # ascending
        self._kept_owners: NDArray[np.int64] = np.zeros(0, dtype=np.int64)  # per mark, the place of its entry
        self._kept_entries: list[str] = []
        self._dropped: set[str] = set()  # entries among the kept that are forgotten

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._sizes

    def size(self, entry_id: str) -> int:
        """How many marks an entry has."""
        return self._sizes[entry_id]

    def put(self, entry_id: str, marks: frozenset[bytes]) -> None:
        """File the marks of an entry that has none yet."""
        self._sizes[entry_id] = len(marks)
        self._marks[entry_id] = marks
        for mark in marks:
            self._holders[mark].append(entry_id)

    def drop(self, entry_id: str) -> None:
        """Forget the marks of an entry; an unknown one is no error."""
        if self._sizes.pop(entry_id, None) is None:
            return
        marks = self._marks.pop(entry_id, None)
        if marks is None:
            self._dropped.add(entry_id)
            return
        for mark in marks:
            holders = self._holders[mark]
            holders.remove(entry_id)
            if not holders:
                del self._holders[mark]

    def holders(self, mark: bytes) -> Iterator[str]:
        """The entries that have a mark, each once."""
        yield from self._holders.get(mark, ())
        if len(self._kept_marks):
            place = int(np.searchsorted(self._kept_marks, np.array(mark, dtype=_MARK)))
            while place < len(self._kept_marks) and self._kept_marks[place] == mark.rstrip(b"\0"):
                entry_id = self._kept_entries[self._kept_owners[place]]
                if entry_id not in self._dropped:
                    yield entry_id
                place += 1

    def packed(self) -> Packed:
        """All marks as arrays, in ascending order."""
        entries = list(self._sizes)
        number = {entry_id: place for place, entry_id in enumerate(entries)}
        moved = np.array([number.get(entry_id, -1) for entry_id in self._kept_entries], dtype=np.int64)
        again = [entry_id in self._marks for entry_id in self._kept_entries]
        moved[np.array(again, dtype=bool)] = -1
        owners = moved[self._kept_owners] if len(moved) else self._kept_owners
        fresh = [(mark, number[entry_id]) for entry_id, marks in self._marks.items() for mark in sorted(marks)]
        marks = np.concatenate([self._kept_marks[owners >= 0], np.array([mark for mark, _ in fresh], dtype=_MARK)])
        owners = np.concatenate([owners[owners >= 0], np.array([owner for _, owner in fresh], dtype=np.int64)])
        order = np.argsort(marks, kind="stable")
        return {
            "entries": entries,
            "sizes": np.array(list(self._sizes.values()), dtype=np.int64),
            "marks": marks[order],
            "owners": owners[order],
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        marks = packed.get("marks")
        if not isinstance(marks, np.ndarray) or marks.dtype != _MARK:
            raise ValueError("there are no marks")
        self._kept_marks, self._kept_owners = marks, integers(packed, "owners")
        self._kept_entries = strings(packed, "entries")
        self._sizes = dict(zip(self._kept_entries, integers(packed, "sizes").tolist(), strict=True))


LONGEST_READ = 200_000
"""Characters of a text up to which its records are looked at."""
_OWN_KEY = re.compile(r"(?:^|\.)[^.]*(?:[a-z0-9]_id|[a-z]I[dD])$")
"""A field that says what it is the id of ("order_id"): such a record is known by it whichever call shows it."""


def state_marks(entry: InteractionEntry) -> frozenset[bytes]:
    """Marks that this entry shares with every other state of the same call or of one of its records."""
    mark = call_mark(entry)
    return frozenset() if mark is None else frozenset((mark, *record_marks(entry.text)))


def call_mark(entry: InteractionEntry) -> bytes | None:
    """The mark of a call: the same for the same tool, arguments, source and ground; None for what came from no call.

    The ground is what its result says it is about. A tree of a page that gives its address has the mark of that page,
    whichever call showed it.
    """
    tool = entry.metadata.get("tool")
    if not isinstance(tool, str) or entry.metadata.get("kind") != "tool":
        return None
    if address := page_address(entry.text):
        return _mark("page", address)
    arguments = _ARGUMENTS.encode(entry.metadata.get("arguments") or {})
    return _mark("call", tool, arguments, str(entry.metadata.get("source") or ""), _ground(entry.text, arguments))


@text_cache(most=64)
def _ground(text: str, arguments: str) -> str:
    """What a result is about besides what its call names: "scroll down" in another file is another call.

    It is the file that the result shows and the line it begins with, else the paths in its first line. A page without
    an address, which the call did not name either, is its own ground: nothing tells it from other pages.
    """
    from amb_core.reading.code_passages import find_files, line_number

    files = find_files(text)
    if files:
        start, file = files[0]
        shown = (line_number(line) for line in text[start:].split("\n", _HEAD_LINES)[:_HEAD_LINES])
        return f"{file}:{next(filter(None, shown), '')}"
    layout = detect_layout(text)
    if layout is Layout.PAGE_TREE and "://" not in arguments:
        return digest_of_text(text).hex()
    if layout in (Layout.JSON, Layout.JSON_LINES):
        return ""
    return " ".join(_PATH.findall(text.lstrip()[:_LONGEST_LINE].partition("\n")[0]))


@text_cache(most=64)
def record_marks(text: str) -> dict[bytes, Record]:
    """The records of a text that name themselves, by a mark that is equal wherever the same record stands.

    What stands in another record that names itself is told apart by that one too: two orders paid with one card have
    two payments.
    """
    if len(text) > LONGEST_READ:
        return {}
    records = read_records(text)
    named = {identity: keys for identity, record in records.items() if (keys := _own_keys(record))}
    found: dict[bytes, Record] = {}
    for identity, keys in named.items():
        steps = identity.split("/") if identity else []
        around = (named.get("/".join(steps[:at]), []) for at in range(len(steps)))
        parts = [part for each in (*around, keys) for pair in each for part in pair]
        found[_mark("record", *parts)] = records[identity]
    return found


def _own_keys(record: Record) -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in record.fields.items() if _OWN_KEY.search(name))


def digest_of_text(text: str) -> bytes:
    """A mark of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=MARK_BYTES).digest()


def _mark(*parts: str) -> bytes:
    return digest_of_text("\x1e".join(parts))
