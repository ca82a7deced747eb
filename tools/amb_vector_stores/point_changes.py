"""Transactions on an engine that has none: changes wait, and are written down before they are made.

What a transaction changes is kept aside until its end. What the engine writes whole or not at all, a single point for
one, is then written at once. Other changes are first written as the text of a journal, whose part 0 comes last and
makes it count; then they are made, and the journal goes. A journal that is found complete by the next opening is
carried out again, which changes nothing twice; one that is not did not happen.
"""

from __future__ import annotations

import json
import logging
import uuid
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_core.errors import StoreCorrupt, StoreError
from amb_vector_stores.point_engine import PointEngine, Wanted
from amb_vector_stores.points import Payload, frame_of, name_of, point_id

__all__ = ["Changes"]

_log = logging.getLogger("amb.stores")
_PART = 1_000_000
"""Characters of a journal in one point."""


class Changes:
    """What the transaction under way has changed, laid over what the engine holds; `commit` makes it so.

    Not thread-safe: its owner holds a lock.
    """

    def __init__(self, engine: PointEngine) -> None:
        self._engine = engine
        # Openings of one server must not write over each other's journals; a folder has one opening at a time.
        self._opening = uuid.uuid4().hex if engine.is_server else ""
        self._waiting: dict[str, Payload | None] = {}
        self._owed: dict[str, Payload | None] = {}
        """What was committed, but could not be made yet."""
        self._doubtful: list[str] = []
        """Points of a journal that should not count: whether they were written is not known."""

    def recover(self) -> None:
        """Carry out the journals that killed processes have left, and remove what is left of others."""
        journals: dict[str, dict[int, Payload]] = {}
        for payload in self._engine.ordered(Wanted("journal")):
            journals.setdefault(payload["opening"], {})[payload["place"]] = payload
        for opening, parts in journals.items():
            changes = _read(parts)
            if changes is not None:
                _log.warning("%s: a transaction that was cut off is carried out", self._engine.place)
                self._engine.write(changes)
            self._engine.write({_part_id(opening, number): None for number in parts})

    def settle(self) -> None:
        """Finish what an earlier failure has left unfinished; StoreError as long as that is not possible."""
        if self._doubtful:
            self._engine.write(dict.fromkeys(self._doubtful))
            self._doubtful = []
        if self._owed:
            self._engine.write(self._owed)
            self._owed = {}

    # --- the transaction ---------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._waiting)

    def __setitem__(self, id: str, payload: Payload | None) -> None:
        self._waiting[id] = payload

    def kept(self) -> dict[str, Payload | None]:
        """A copy of what waits, to go back to with `restore`."""
        return dict(self._waiting)

    def restore(self, kept: Mapping[str, Payload | None]) -> None:
        """Make what waits as it was."""
        self._waiting = dict(kept)

    def payloads(self, ids: Iterable[str]) -> dict[str, Payload]:
        """The payloads of those points that are there, as the transaction has them."""
        wanted = list(ids)
        found = self._engine.payloads(each for each in wanted if each not in self._waiting)
        return found | {each: held for each in wanted if (held := self._waiting.get(each)) is not None}

    def put(self, wanted: Wanted) -> Iterator[Payload]:
        """The wanted points among those that wait to be put."""
        namespace, terms = _named(wanted), set(wanted.terms)
        for payload in self._waiting.values():
            if payload is None or payload["kind"] != wanted.kind or namespace not in (None, payload["namespace"]):
                continue
            until = payload["expires_at"]
            if terms <= set(payload.get("terms", ())) and (wanted.now is None or until is None or until > wanted.now):
                yield payload

    def replaces(self, payload: Payload) -> bool:
        """Whether the transaction has changed or deleted this point of the engine."""
        return bool(self._waiting) and point_id(payload["frame"]) in self._waiting

    def ids(self) -> list[str]:
        """The ids of what waits."""
        return list(self._waiting)

    def commit(self) -> None:
        """Make the changes, all or none; StoreError with none of them made."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        if self._engine.writes_whole(waiting):
            self._engine.write(waiting)
            return
        journal = _journal(waiting, self._opening)
        try:
            # Part 0 says that all is there, so it is written when all the others are.
            self._engine.write({key: part for key, part in journal.items() if part["place"]})
            self._engine.write({key: part for key, part in journal.items() if not part["place"]})
        except BaseException:
            self._doubtful = list(journal)
            raise
        self._owed = {**waiting, **dict.fromkeys(journal)}
        try:
            self.settle()
        except StoreError as error:
            _log.warning("%s: what was committed will be written with the next call: %s", self._engine.place, error)


def _named(wanted: Wanted) -> str | None:
    return None if wanted.namespace is None else name_of(wanted.namespace)


def _part_id(opening: str, number: int) -> str:
    return point_id(frame_of("journal", opening, number=number))


def _journal(changes: Mapping[str, Payload | None], opening: str) -> dict[str, Payload]:
    text = json.dumps(changes, ensure_ascii=False, separators=(",", ":"))
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    return {
        _part_id(opening, number): {
            "kind": "journal",
            "frame": frame_of("journal", opening, number=number),
            "opening": opening,
            "place": number,
            "of": len(parts),
            "crc": zlib.crc32(text.encode()),
            "text": part,
        }
        for number, part in enumerate(parts)
    }


def _read(parts: Mapping[int, Payload]) -> dict[str, Payload | None] | None:
    """What a journal says; None for one that was never completed."""
    first = parts.get(0)
    if first is None:
        return None
    text = "".join(parts[number]["text"] for number in range(first["of"]) if number in parts)
    if zlib.crc32(text.encode()) != first["crc"]:
        raise StoreCorrupt("the journal of a transaction cannot be read back; restore the memory from a backup.")
    changes: dict[str, Any] = json.loads(text)
    return changes
