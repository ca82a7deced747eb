"""The log of settlements: what an author confirmed is written down first, then carried to every part of the book."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import JsonValue

from amb_book.statements import Statement, parsed
from amb_core.errors import UnknownId
from amb_core.protocols import Clock, Record, RecordQuery, RecordStore

__all__ = ["Logged", "SettlementLog"]

State = Literal["confirmed", "applied", "undoing", "undone", "refused"]


@dataclass(frozen=True, slots=True)
class Logged:
    """A settlement as it was confirmed; `applied` once all parts of the book have it, `refused` if one could not.

    One that shall be taken back from a server is `undoing` until its facts are gone there.
    """

    id: str
    chapter: int
    statements: tuple[Statement, ...]
    state: State
    title: str | None = None
    task: str = ""
    replace: bool = False
    at: float = 0.0


class SettlementLog:
    """Settlements in the order in which they were confirmed, in the book's own record store."""

    NAMESPACE = "book:settlements"

    def __init__(self, store: RecordStore, *, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def confirm(
        self,
        chapter: int,
        statements: Sequence[Statement],
        *,
        title: str | None = None,
        task: str = "",
        replace: bool = False,
        id: str = "",
    ) -> Logged:
        """Write a settlement down; one with the same id that is there already comes back as it is."""
        name = id or secrets.token_hex(8)
        known = self._store.get(self.NAMESPACE, name)
        if known is not None:
            return _logged(known)
        entry = Logged(name, chapter, tuple(statements), "confirmed", title, task, replace, self._clock.now())
        self._put(entry)
        return entry

    def mark(self, id: str, state: State) -> None:
        """Note what became of a settlement."""
        self._put(dataclasses.replace(self.get(id), state=state))

    def drop(self, id: str) -> None:
        """Take a settlement that could not be applied out again."""
        self._store.delete(self.NAMESPACE, [id])

    def get(self, id: str) -> Logged:
        """One settlement; UnknownId when there is none."""
        found = self._store.get(self.NAMESPACE, id)
        if found is None:
            raise UnknownId("settlement", id)
        return _logged(found)

    def entries(self, *, state: State | None = None) -> list[Logged]:
        """All settlements, or those in a state, oldest first."""
        where: dict[str, JsonValue] = {} if state is None else {"state": state}
        return [_logged(record) for record in self._store.search(RecordQuery(self.NAMESPACE, where=where))]

    def _put(self, entry: Logged) -> None:
        data: dict[str, JsonValue] = {
            "chapter": entry.chapter,
            "statements": [each.plain() for each in entry.statements],
            "state": entry.state,
            "title": entry.title,
            "task": entry.task,
            "replace": entry.replace,
            "at": entry.at,
        }
        self._store.put([Record(self.NAMESPACE, entry.id, data, entry.at, self._clock.now())])


def _logged(record: Record) -> Logged:
    data: Any = record.data
    return Logged(
        record.id,
        int(data["chapter"]),
        parsed(data["statements"]),
        data["state"],
        data["title"],
        str(data["task"]),
        bool(data["replace"]),
        float(data["at"]),
    )
