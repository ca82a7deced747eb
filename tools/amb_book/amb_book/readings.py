"""What a model read off parts of a chapter, kept until the chapter is settled, so that nothing is asked twice."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from amb_book.desk.read_off import Extracted
from amb_book.statements import parsed
from amb_core.errors import InvalidInput
from amb_core.protocols import Clock, Record, RecordQuery, RecordStore

__all__ = ["Readings"]


class Readings:
    """Readings of parts of chapters, in the book's own record store."""

    NAMESPACE = "book:readings"

    def __init__(self, store: RecordStore, *, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def keep(self, chapter: int, text: str, found: Sequence[Extracted], dropped: int) -> None:
        """Keep what was read off a part of a chapter."""
        told: list[Any] = [
            {
                "statement": each.statement.plain(),
                "evidence": each.evidence,
                "confidence": each.confidence,
            }
            for each in found
        ]
        now = self._clock.now()
        data: dict[str, Any] = {"chapter": chapter, "told": told, "dropped": dropped}
        self._store.put([Record(self.NAMESPACE, _key(chapter, text), data, now, now)])

    def of(self, chapter: int, text: str) -> tuple[list[Extracted], int] | None:
        """What was read off a part, and how many statements were left out; None where nobody read it."""
        record = self._store.get(self.NAMESPACE, _key(chapter, text))
        if record is None:
            return None
        data: Any = record.data
        try:
            found = [
                Extracted(parsed([each["statement"]])[0], each["evidence"], each["confidence"]) for each in data["told"]
            ]
            return found, int(data["dropped"])
        except (InvalidInput, KeyError, TypeError, ValueError):  # damaged, or of another version: it is read anew
            return None

    def forget(self, chapter: int) -> None:
        """Remove the readings of a chapter."""
        records = self._store.search(RecordQuery(self.NAMESPACE, where={"chapter": chapter}))
        self._store.delete(self.NAMESPACE, [record.id for record in records])


def _key(chapter: int, text: str) -> str:
    return f"{chapter}.{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"
