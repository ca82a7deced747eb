"""What a record graph keeps beside its nodes and edges: which state it is in, and what led there last.

A state is named by a digest over everything that was ever done, so that two states with one name are equal, whoever
wrote them and whatever was rolled back in between.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from amb_core.errors import StoreCorrupt
from amb_core.protocols import Record, RecordStore
from amb_core.stores.record_codec import encode

__all__ = ["ChangeLog", "Revision", "Step"]

_KEPT = 256
"""How many changes an opening may be behind without reading everything again."""
_LISTED = 2_000
"""How many steps of one change are listed."""

Step = tuple[str, str]
"""What was done ("put node", "put edge", "drop node", "drop edge") with which id."""


@dataclass(frozen=True, slots=True)
class Revision:
    """How many changes there were, and the name of the state they led to."""

    number: int = 0
    digest: str = ""


class ChangeLog:
    """The revision of a graph, and its last changes, as records of a namespace."""

    def __init__(self, store: RecordStore, namespace: str) -> None:
        self._store, self._namespace = store, namespace

    def current(self) -> Revision:
        """The revision of what the store holds."""
        record = self._get("revision")
        return Revision() if record is None else _revision(record.data)

    def add(self, before: Revision, steps: Sequence[Step], records: Iterable[Record]) -> Revision:
        """Note a change; inside the transaction that writes it."""
        digest = hashlib.sha256(before.digest.encode())
        for step in steps:
            digest.update(repr(step).encode())
        for record in records:
            data = encode(record.data)
            digest.update(data if isinstance(data, bytes) else data.encode())
        after = Revision(before.number + 1, digest.hexdigest()[:32])
        listed: list[JsonValue] | None = [list(step) for step in steps] if len(steps) <= _LISTED else None
        change: dict[str, JsonValue] = {"number": after.number, "before": before.digest, "steps": listed}
        now: dict[str, JsonValue] = {"number": after.number, "digest": after.digest}
        self._store.put(
            [Record(self._namespace, _slot(after.number), change), Record(self._namespace, "revision", now)]
        )
        return after

    def between(self, old: Revision, new: Revision) -> list[Step] | None:
        """The steps from an older revision to a newer one; None when they are no longer, or never were, in the log."""
        if old == new:
            return []
        if not 0 < new.number - old.number <= _KEPT:
            return None
        steps: list[Step] = []
        for number in range(old.number + 1, new.number + 1):
            record = self._get(_slot(number))
            if record is None or record.data.get("number") != number:
                return None
            if number == old.number + 1 and record.data.get("before") != old.digest:
                return None
            listed = record.data.get("steps")
            if not isinstance(listed, list):
                return None
            steps += [(str(each[0]), str(each[1])) for each in listed if isinstance(each, list)]
        return steps

    def _get(self, id: str) -> Record | None:
        try:
            return self._store.get(self._namespace, id)
        except StoreCorrupt:
            return None


def _revision(data: Mapping[str, JsonValue]) -> Revision:
    number, digest = data.get("number"), data.get("digest")
    return Revision(number if isinstance(number, int) else 0, str(digest))


def _slot(number: int) -> str:
    return f"change {number % _KEPT}"
