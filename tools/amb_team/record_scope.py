"""The records of one scope of a team: what all see, or what one agent notes for itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from pydantic import JsonValue, TypeAdapter

from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter, StoreError, UnknownId
from amb_core.protocols import Clock, Embedder, Query, Record, RecordQuery, RecordStore
from amb_core.stores.store_log import Act, AuditEntry, ChangeLog, Follower
from amb_longterm.namespaces import TEAM_USERS
from amb_retrieval import HybridIndex, IndexedText
from amb_team.actions import normalised
from amb_team.team_records import AnyRecord, Noted
from amb_team.team_settings import TeamSettings

__all__ = ["Ranked", "RecordScope", "TeamSpace", "name_user"]

_Kept = TypeVar("_Kept", bound=Noted)
_READ: TypeAdapter[Noted] = TypeAdapter(AnyRecord)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record with its score for a query."""

    record: Noted
    score: float


class RecordScope:
    """Typed records of a team with one index; thread-safe.

    `name` is part of every id (`shared.h3`), so that a record is known by its id in the whole team.
    """

    def __init__(self, name: str, space: TeamSpace) -> None:
        self.name, self.settings = name, space.settings
        self.within = f"{space.within}:{name}"
        self._space = space
        self._records: dict[str, Noted] = {}
        space.join(self)

    def read(self) -> None:
        """Hold what is in the store, and nothing else."""
        self._index = HybridIndex(embedder=self._space.embedder)
        self._records.clear()
        self._counted = 0
        for stored in self._space.store.search(RecordQuery(self.within)):
            self._know(_READ.validate_python(dict(stored.data)))

    def follow(self, record_id: str) -> None:
        """Hold what is in the store of one record."""
        stored = self._space.store.get(self.within, record_id)
        if stored is not None:
            self._know(_READ.validate_python(dict(stored.data)))
        elif self._records.pop(record_id, None) is not None:
            self._index.remove(record_id)

    def add(self, record: _Kept, *, most: int | None = None) -> _Kept:
        """Keep a new record, which is given its id and time.

        Of its kind no more than `most` stay: the least useful are forgotten first, of equals the oldest.
        """
        with self._space.change():
            given = {"id": f"{self.name}.{record.letter}{self._counted + 1}", "at": self._space.clock.now()}
            record = record.model_copy(update=given)
            self._put(record)
            if most is not None:
                there = self.of(type(record))
                worst = sorted(there, key=lambda each: (each.succeeded, each.turn))
                self._remove(each.id for each in worst[: max(0, len(there) - most)])
            return record

    def change(self, record: _Kept, **fields: Any) -> _Kept:
        """Keep a record with other values."""
        with self._space.change():
            changed = type(record).model_validate(record.model_dump() | fields)
            if changed != record:
                self._put(changed)
            return changed

    def get(self, record_id: str) -> Noted:
        """A record by id; UnknownId when it is not in this scope."""
        with self._space.look():
            if record_id not in self._records:
                raise UnknownId("record", record_id)
            return self._records[record_id]

    def of(self, kind: type[_Kept]) -> list[_Kept]:
        """All records of one kind, oldest first."""
        with self._space.look():
            return [record for record in self._records.values() if isinstance(record, kind)]

    def said(self, kind: type[_Kept], text: str) -> _Kept | None:
        """The first record of a kind that says a text, in these words or the same in normal form."""
        words = normalised(text)
        return next((each for each in self.of(kind) if normalised(each.told) == words), None)

    def records(self) -> list[Noted]:
        """All records, oldest first."""
        with self._space.look():
            return list(self._records.values())

    def best(self, kind: type[_Kept], query: str, *, k: int) -> list[_Kept]:
        """The best records of one kind for a query."""
        return [each.record for each in self.search(query, kinds=(kind,), k=k) if isinstance(each.record, kind)]

    def search(self, query: str, *, kinds: Collection[type[Noted]], k: int) -> list[Ranked]:
        """The best records of some kinds for a query: 0.6 · relevance + 0.2 · recency + 0.2 · success, as set.

        Recency falls with the number of records made since; without a query relevance is 0 for all.
        """
        with self._space.look():
            wanted = {name: record for name, record in self._records.items() if isinstance(record, tuple(kinds))}
            relevance = self._relevance(query, wanted)
        found = [
            Ranked(record, self._score(relevance.get(name, 0.0), (place + 1) / len(wanted), record.succeeded))
            for place, (name, record) in enumerate(wanted.items())
            if not query.strip() or relevance.get(name, 0.0) > 0
        ]
        return sorted(found, key=lambda each: (-each.score, -_number(each.record.id)))[:k]

    def _relevance(self, query: str, wanted: Collection[str]) -> dict[str, float]:
        if not query.strip() or not wanted:
            return {}
        others = [name for name in self._records if name not in wanted]
        hits = self._index.search(Query(query, k=len(wanted), exclude=others, exact=True))
        return {hit.id: hit.score for hit in hits}

    def _score(self, relevance: float, recency: float, success: float) -> float:
        of = self.settings
        whole = of.relevance_weight + of.recency_weight + of.success_weight
        sums = of.relevance_weight * relevance + of.recency_weight * recency + of.success_weight * success
        return sums / (whole or 1.0)

    def _put(self, record: Noted) -> None:
        data = record.model_dump(mode="json")
        with self._space.change() as acts:
            self._space.store.put([Record(self.within, record.id, data, record.at, record.at)])
            acts.append(Act("put", self.within, record.id))
            self._know(record)

    def _know(self, record: Noted) -> None:
        before = self._records.get(record.id)
        self._records[record.id] = record
        self._counted = max(self._counted, _number(record.id))
        self._space.at = max(self._space.at, record.at)
        text, embedder = record.told, self._space.embedder
        if text.strip() and (before is None or before.told != text):
            vector = None if embedder is None else np.asarray(embedder.embed([text])[0], dtype=np.float32)
            self._index.put(IndexedText.of(record.id, text=text, timestamp=record.at, vector=vector))

    def _remove(self, ids: Iterable[str]) -> None:
        gone = list(ids)
        with self._space.change() as acts:
            self._space.store.delete(self.within, gone)
            for name in gone:
                acts.append(Act("delete", self.within, name))
                self.follow(name)


class TeamSpace:
    """Where the records of a team are kept, and how they are dated, found and weighed. Thread-safe.

    Its scopes follow one log: openings of one team, also in several processes, see each other's records in one order.
    """

    def __init__(
        self, team_id: str, store: RecordStore, *, clock: Clock, settings: TeamSettings, embedder: Embedder | None
    ) -> None:
        self.within = f"team:{team_id}"
        self.store, self.clock, self.settings, self.embedder = store, clock, settings, embedder
        self._log = ChangeLog(store, f"{self.within}:log")
        self._follower = Follower(self._log)
        self._lock = CallLock()
        self._scopes: dict[str, RecordScope] = {}
        self._looks = 0
        self._acts: list[Act] | None = None
        self.at = 0.0
        """When the newest record that is known was made."""

    @property
    def namespaces(self) -> list[str]:
        """The store's names for everything that is kept of the team here."""
        return [*self._scopes, *self._log.namespaces]

    def join(self, scope: RecordScope) -> None:
        """Read the records of a scope, and have it follow the log from then on."""
        with self.look():
            self._scopes[scope.within] = scope
            scope.read()

    @contextmanager
    def look(self) -> Iterator[None]:
        """Hold the records as they are in the store; while that is closed or down, as they were known before."""
        with self._lock:
            if not self._looks:
                with suppress(StoreError):
                    self._catch_up()
            self._looks += 1
            try:
                yield
            finally:
                self._looks -= 1

    @contextmanager
    def change(self) -> Iterator[list[Act]]:
        """One transaction with the acts that are put into the log, or a part of the one that is under way."""
        with self._lock:
            if self._acts is not None:
                yield self._acts
                return
            acts: list[Act] = []
            self._acts = acts
            self._looks += 1  # the transaction looks for itself
            try:
                with self.store.transaction():
                    self._catch_up()
                    yield acts
                    last = self._log.append([*dict.fromkeys(acts)], at=self.at, actor="team")
                self._follower.seen = last
            except BaseException:
                self._follower.seen = -1 if acts else self._follower.seen  # what is known of them is not so
                raise
            finally:
                self._acts = None
                self._looks -= 1

    def _catch_up(self) -> None:
        self._follower.follow(self._follow, anew=self._read)

    def _follow(self, line: AuditEntry) -> None:
        if line.namespace in self._scopes:
            self._scopes[line.namespace].follow(line.record_id)

    def _read(self) -> None:
        for scope in self._scopes.values():
            scope.read()


def _number(record_id: str) -> int:
    return int(record_id.rpartition(".")[2][1:])


def name_user(space: TeamSpace, user: str) -> None:
    """Note in the store for whom a team works, "" for whom it did before; InvalidParameter when that is another."""
    with space.store.transaction():
        known = space.store.get(TEAM_USERS, space.within)
        before = {} if known is None else known.data
        if user and before.get("user", user) != user:
            raise InvalidParameter("this team works for another user; pass a team_id of its own for each.")
        if user := user or str(before.get("user", "")):
            listed = before.get("namespaces")
            known_names = [str(name) for name in listed] if isinstance(listed, list) else []
            names: list[JsonValue] = [*dict.fromkeys([*known_names, *space.namespaces])]
            space.store.put([Record(TEAM_USERS, space.within, {"user": user, "namespaces": names})])
