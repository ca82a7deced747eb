"""The long-term records of one store: read, changed in transactions with their audit lines, and kept in an index."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from pydantic import JsonValue

from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter, StoreError, UnknownId
from amb_core.memory.forgetting import Forgotten
from amb_core.protocols import NativeSearch, Record, RecordQuery, RecordStore
from amb_core.stores import InMemoryStore
from amb_core.stores.eraser import Eraser
from amb_core.stores.store_log import Act, ChangeLog
from amb_longterm.calls import Call, Change
from amb_longterm.collection_parts import CollectionParts, Vector
from amb_longterm.decision import MOST_JUDGED, Candidate, Decision, decide, revised, superseding
from amb_longterm.hit_search import HitSearch, Search
from amb_longterm.loaded_namespaces import LoadedNamespace, LoadedNamespaces, Namespace, StoredNamespace
from amb_longterm.memory_records import (
    DeleteResult,
    MemoryHit,
    MemoryRecord,
    WriteResult,
    filters_of,
    memories_in,
    namespace_in_store,
    read_memory,
    readable_memory,
    stored,
)
from amb_longterm.memory_score import worth
from amb_longterm.promoted import leftovers, note_promoted, take_out

__all__ = ["ERASING", "Collection"]

_log = logging.getLogger("amb.longterm")

_ATTEMPTS = 4
"""How often a text is held against records that change meanwhile, before everybody else has to wait for it."""
_STATE, ERASING = "memory-state", "erasing"
_MOST_HEARD = 256
"""Messages of a user's talks that are known as remembered."""
_THEN_FROM_ENGINE = 80
"""So many records are looked at for what was so at another time, where the engine of a store chooses them."""


_State: TypeAlias = tuple[Namespace, int]
"""A namespace with its version."""


@dataclass(slots=True)
class _Transaction:
    """What one transaction changes in a namespace, for its audit and the index."""

    acts: list[Act] = field(default_factory=list)
    records: tuple[MemoryRecord, ...] = ()
    removed: tuple[str, ...] = ()
    forgets: bool = False


class Collection:
    """All namespaces of one store. Thread-safe; other processes may work on the same store.

    A text is compared, summarised and embedded outside the lock, against the records of that moment, and once more when
    one of its namespace changed meanwhile: two who write the same at once still meet.
    """

    def __init__(self, store: RecordStore, parts: CollectionParts, *, owned: bool = False) -> None:
        self.store = store
        self.audit = ChangeLog(store, "memory")
        self._eraser = Eraser(store, _STATE)
        self.latest_time = self.audit.latest_time()
        self._owned = owned
        self._parts = parts
        self._settings = parts.settings
        most = self._settings.most_loaded if self._settings.search_in == "index" else -1
        self._held = LoadedNamespaces(store, self.audit, embedder=parts.embedder, most=most)
        self._hits = HitSearch(store, embedder=parts.embedder, settings=self._settings)
        self._lock = CallLock(repair=self._held.forget, forks=not store.capabilities.durable)

    @property
    def foreign(self) -> bool:
        """Whether this is a child of a fork, and only its parent can use the store."""
        return self._lock.foreign

    @property
    def forgets(self) -> bool:
        """Whether what it holds is gone when it is closed."""
        return self._owned and isinstance(self.store, InMemoryStore)

    # --- reading -----------------------------------------------------------------------------------------------------

    def search(self, search: Search) -> list[MemoryHit]:
        """The hits in their one order, of which `offset` and `top_k` cut a piece."""
        if search.as_of is not None:
            return self._found_then(search, search.as_of)
        if self._settings.search_in == "engine" and isinstance(self.store, NativeSearch):
            return self._hits.of_engine(search, self.store)
        with self._lock:
            self._held.catch_up()
            space = self._held.of(search.namespace)
            if isinstance(space, LoadedNamespace):
                return self._hits.of_loaded(search, space, partial(self._held.record, namespace=search.namespace))
        return self._hits.of_engine(search, space.store)

    def _found_then(self, search: Search, at: float) -> list[MemoryHit]:
        """Those among what the records of that time said then; all are read, or what the engine chooses by now."""
        then = replace(search, now=at)
        with self._lock:
            self._held.catch_up()
            space = self._held.of(search.namespace)
        there: Iterable[MemoryRecord]
        if isinstance(space, StoredNamespace):
            there = self._hits.chosen(then, space.store, limit=_THEN_FROM_ENGINE)
        else:
            there = self.records(search.namespace, now=at, filters=search.filters)
        versions = (self.history(record.id, namespace=search.namespace) for record in there)
        known = ([each for each in all_of if each.valid_from <= at] for all_of in versions)
        return self._hits.of_records(then, [each[-1] for each in known if each])

    def get(self, record_id: str, *, namespace: str) -> MemoryRecord | None:
        """The record, or None; one that cannot be read back is logged and left out."""
        return read_memory(self.store, record_id, namespace=namespace)

    def records(
        self, namespace: str, *, now: float, filters: Mapping[str, JsonValue] | None = None, limit: int | None = None
    ) -> Iterator[MemoryRecord]:
        """Reads the records of a namespace in the order they were made, without the expired and the unreadable."""
        within, where = namespace_in_store(namespace), filters_of(filters or {})
        return memories_in(self.store, RecordQuery(within, where=where, limit=limit, now=now))

    def newest(self, namespace: str, *, now: float, limit: int) -> list[MemoryRecord]:
        """At most `limit` records by when they were told last, the newest first; a small namespace is not loaded."""
        with self._lock:
            self._held.catch_up()
            if self._held.is_loaded(namespace) or self.count(namespace) > limit:
                names = self._held.of(namespace).newest(limit, now=now)
                found = [self._held.record(name, namespace=namespace) for name in names]
                return [record for record in found if record is not None]
        there = [*self.records(namespace, now=now)][::-1]  # of those told at one moment, the one made last first
        return sorted(there, key=lambda record: -record.updated_at)

    def heard(self, namespace: str) -> tuple[list[str], str, list[str]]:
        """The marks of the messages that were remembered last in a namespace, what tells the newest one from others,
        and the ids of the records that it left."""
        found = self.store.get(_STATE, _heard(namespace))
        data = {} if found is None else found.data
        marks, last = (_texts(data.get(name)) for name in ("marks", "last"))
        return marks, str(data.get("said", "")), last

    def note_heard(self, namespace: str, marks: Sequence[str], *, said: str, last: Sequence[str]) -> None:
        """Add marks of messages that were remembered, and note what the newest left; the oldest marks go."""
        with self._lock, self.store.transaction():
            known = dict.fromkeys([*self.heard(namespace)[0], *marks])
            newest = list[JsonValue]([*known][-_MOST_HEARD:])
            data: dict[str, JsonValue] = {"namespace": namespace, "marks": newest, "said": said, "last": [*last]}
            self.store.put([Record(_STATE, _heard(namespace), data)])

    def history(self, record_id: str, *, namespace: str) -> list[MemoryRecord]:
        """All versions, oldest first, the current one last; an earlier one says until when it was so."""
        current = self.get(record_id, namespace=namespace)
        known = map(readable_memory, self.store.history(namespace_in_store(namespace), record_id))
        versions = [each for each in (*known, current) if each is not None]
        ended = [each.model_copy(update={"valid_to": later.valid_from}) for each, later in pairwise(versions)]
        return [*ended, *versions[-1:]]

    def namespaces(self) -> list[str]:
        """The namespaces that hold records, sorted."""
        prefix = namespace_in_store("")
        return sorted(name.removeprefix(prefix) for name in self.store.namespaces(prefix=prefix))

    def count(self, namespace: str) -> int:
        """How many records a namespace holds."""
        return self.store.count(namespace_in_store(namespace))

    def current_id(self, record_id: str, *, namespace: str) -> str:
        """The id of the record that a text which had waited became part of; any other id as it is."""
        known = {record_id}
        while (found := self.store.get(_STATE, _successor(namespace, record_id))) is not None:
            following = str(found.data.get("id", record_id))
            if following in known:
                break
            known.add(record_id := following)
        return record_id

    # --- changing ----------------------------------------------------------------------------------------------------

    def carry_out(self, call: Call) -> Change:
        """Do what a call asks for; UnknownId for the update of a record that is not there."""
        within = call.namespace
        if call.kind == "delete":
            name = self.current_id(call.record_id, namespace=within)
            self.erase([name], namespace=within, at=call.at, why=call.why)
            return Change(WriteResult(id=name, status="updated"), removed=(name,))
        vector = self._parts.vector(call.content or "") if call.kind == "write" else None

        def decided() -> tuple[_State, Decision]:
            with self._lock:
                self._held.catch_up()
                state = self._state(within)
                known = self._looked_at(call, state[0], vector)
            return state, self._decided(call, known, vector)

        for _ in range(_ATTEMPTS):  # outside the lock, where the namespace does not change meanwhile; at last within
            state, decision = decided()
            with self._changed(within, at=call.at) as transaction:
                if self._state(within) == state:
                    return self._keep(transaction, decision, call)
        with self._changed(within, at=call.at) as transaction:
            return self._keep(transaction, decided()[1], call)

    def carry_out_all(self, calls: Sequence[Call]) -> list[Change]:
        """Do what several calls ask for, all of them or none: in one transaction, which is faster for many."""
        if len(calls) == 1:
            return [self.carry_out(calls[0])]
        with self._lock:
            try:
                with self.store.transaction():
                    return [self.carry_out(call) for call in calls]
            except BaseException:
                self._held.forget()  # the index followed what is undone
                raise

    def name_current(self, call: Call, current: str) -> None:
        """Let an id that was given out for a text lead to the record the text became part of."""
        if call.kind == "write" and call.record_id != current:
            self.store.put([Record(_STATE, _successor(call.namespace, call.record_id), {"id": current})])

    def erase(
        self, record_ids: Sequence[str], *, namespace: str, at: float, why: str, vacuum: bool = False
    ) -> DeleteResult:
        """Delete records, and take them out of caches and files."""
        gone = self.delete(record_ids, namespace=namespace, at=at, why=why)
        if not gone:
            return DeleteResult(deleted=0)
        unreachable: tuple[str, ...] = ()
        if (forget := getattr(self._parts.embedder, "forget", None)) is not None:
            forget()
        try:
            self._eraser.finish(ERASING, vacuum=vacuum)
        except StoreError as error:
            self._parts.metrics.count(failed_erasing=1)
            unreachable = (f"{error} What was deleted is erased from the files when the memory is opened next.",)
        return DeleteResult(deleted=len(gone), unreachable=unreachable)

    def delete(self, record_ids: Sequence[str], *, namespace: str, at: float, why: str) -> list[str]:
        """Delete records with their history; returns those that were there, also unreadable ones."""
        within = namespace_in_store(namespace)
        with self._changed(namespace, at=at) as transaction:
            there = [name for name in dict.fromkeys(record_ids) if self.store.delete(within, [name])]
            if there:
                self._eraser.begin(ERASING)
            transaction.removed, transaction.forgets = tuple(there), bool(there)
            transaction.acts = [Act("delete", namespace, name, "deleted", why) for name in there]
        return there

    def forget(self, gone: Forgotten, *, at: float) -> int:
        """Take what was forgotten out of the facts promoted from it; returns how many changed or were deleted."""
        affected = leftovers(self.store, gone)
        for namespace, found in affected.items():
            with self._changed(namespace, at=at) as transaction:
                self._eraser.begin(ERASING)
                take_out(self.store, namespace, found)
                transaction.records = tuple(each.record for each in found if each.record is not None)
                transaction.removed = tuple(each.id for each in found if each.record is None)
                transaction.forgets = True
                outcome = {each.id: "deleted" if each.record is None else "updated" for each in found}
                transaction.acts = [Act("forget", namespace, name, outcome[name]) for name in outcome]
        if affected:
            self._eraser.finish(ERASING, vacuum=False)
        return sum(map(len, affected.values()))

    def follow(self, change: Change, *, namespace: str, at: float) -> None:
        """Hold the same records as another collection does after a change."""
        with self._changed(namespace, at=at) as transaction:
            self.store.put([stored(record) for record in change.records], keep_history=True)
            self.store.delete(namespace_in_store(namespace), change.removed)
            transaction.records, transaction.removed = change.records, change.removed
            transaction.acts = [Act("follow", namespace, record.id, change.written.status) for record in change.records]
            transaction.acts += [Act("follow", namespace, name, "deleted") for name in change.removed]

    def close(self) -> bool:
        """Keep the indexes of large namespaces, and release the store if it was opened here; else False."""
        with self._lock, suppress(StoreError):
            self._held.keep()
        if self._owned:
            self.store.close()
        return self._owned

    def _state(self, namespace: str) -> _State:
        """What a namespace is as far as it was followed, equal while nobody changes it."""
        space = self._held.of(namespace)
        return space, space.version

    def _looked_at(self, call: Call, space: Namespace, vector: Vector | None) -> list[Candidate]:
        """The record that is named, or else those a new text is held against: the most alike, and its topic's."""
        within = call.namespace
        if call.key:
            self._check_serial()
        if call.kind == "update" or call.key or call.record_id in space:  # or a write that was carried over before
            likeness = {self.current_id(call.record_id, namespace=within): 1.0}
        else:
            new = call.record()
            found = space.near(new.content, k=self._settings.compared, now=call.at, vector=vector)
            likeness = {each.id: each.similarity for each in found}
            for name in space.of_topic(new.type.value, new.topic):
                likeness.setdefault(name, 1.0)
            if self._parts.judge is not None:  # it also sees what is told in other words: the newest are shown too
                latest = space.newest(MOST_JUDGED, now=call.at)
                for name in latest:
                    likeness.setdefault(name, 0.0)
        records = ((self._held.record(name, namespace=within), value) for name, value in likeness.items())
        return [Candidate(record, value) for record, value in records if record is not None]

    def _decided(self, call: Call, known: Sequence[Candidate], vector: Vector | None) -> Decision:
        """The record that a call comes to, with the vector of what it says then (that of the text is `vector`)."""
        parts = self._parts
        if call.kind == "update":
            if not known:
                raise UnknownId("memory", call.record_id)
            expires_at = parts.expiry(call.metadata or {}, call.at)
            changed = revised(known[0].record, call, expires_at=expires_at, summarize=parts.summarize)
            found = Decision("updated", changed)
        else:
            ask = None if parts.judge is None else parts.verdicts
            found = decide(call.record(), known, summarize=parts.summarize, ask=ask)
            if call.supersedes:
                found = Decision("updated", superseding(found.record, self._superseded(call, found.record.id)))
        status, record = found
        if not call.history:
            record = record.model_copy(update={"earlier": "", "wordings": ()})
        if status == "skipped" or record.embedding is not None:
            return Decision(status, record)
        is_as_written = call.kind == "write" and record.content == call.content
        return Decision(status, _embedded(record, vector if is_as_written else parts.vector(record.content)))

    def _keep(self, transaction: _Transaction, decision: Decision, call: Call) -> Change:
        """Store a record and take out what has expired or no longer fits (inside a transaction)."""
        status, record = decision
        space, within = self._held.of(record.namespace), record.namespace
        replaced = self._superseded(call, record.id) if call.supersedes else []
        names = [each.id for each in replaced]
        over = [name for name in space.expired(call.at) if name not in (record.id, *names)]
        evicted = self._evict(space, without={*over, *names, record.id}, now=call.at)
        self._take_in(replaced, record.id)
        self.store.put([stored(record)], keep_history=status != "skipped" and call.history)
        self.store.delete(namespace_in_store(within), [*over, *evicted])
        if call.provenance is not None and call.provenance.by_entry:
            note_promoted(self.store, within)
        transaction.records, transaction.removed = (record,), (*names, *over, *evicted)
        transaction.acts = [Act(call.kind, within, record.id, status, call.why)]
        transaction.acts += [Act("supersede", within, name, "deleted", f"now {record.id}") for name in names]
        transaction.acts += [Act("expire", within, name, "deleted") for name in over]
        transaction.acts += [Act("evict", within, name, "deleted") for name in evicted]
        return Change(
            WriteResult(id=record.id, status=status, evicted=len(evicted)), transaction.records, transaction.removed
        )

    def _superseded(self, call: Call, record_id: str) -> list[MemoryRecord]:
        """The records that a call names as replaced, oldest first; UnknownId for one that is not there."""
        within, found = call.namespace, dict[str, MemoryRecord]()
        for name in call.supersedes:
            current = self.current_id(name, namespace=within)
            if (record := self.get(current, namespace=within)) is None:
                raise UnknownId("memory", name)
            found[current] = record
        found.pop(record_id, None)
        return sorted(found.values(), key=lambda record: record.valid_from)

    def _take_in(self, replaced: Sequence[MemoryRecord], record_id: str) -> None:
        """Make versions of one record out of others with their history; their ids lead to it (in a transaction)."""
        for old in replaced:
            versions = self.history(old.id, namespace=old.namespace)
            for each in versions:
                moved = each.model_copy(update={"id": record_id, "valid_to": None})
                self.store.put([stored(moved)], keep_history=True)
            self.store.delete(namespace_in_store(old.namespace), [old.id])
            self.store.put([Record(_STATE, _successor(old.namespace, old.id), {"id": record_id})])

    def _check_serial(self) -> None:
        if not self.store.capabilities.serial:
            raise InvalidParameter(
                f"{type(self.store).__name__} lets several processes write at once and cannot keep a key unique: write "
                "without key=, or use a memory in SQLite, a folder or PostgreSQL."
            )

    @contextmanager
    def _changed(self, namespace: str, *, at: float) -> Iterator[_Transaction]:
        """One transaction that changes a namespace, with its lines of audit; the index follows when it is through."""
        transaction = _Transaction()
        with self._lock:
            with self.store.transaction():
                self._held.catch_up()
                yield transaction
                self.latest_time = max(self.latest_time, at)
                upto = self.audit.append(transaction.acts, at=at, actor=self._parts.actor)
            if transaction.records or transaction.removed:
                self._held.apply(
                    namespace, transaction.records, transaction.removed, upto=upto, deleted=transaction.forgets
                )

    def _evict(self, space: Namespace, *, without: set[str], now: float) -> list[str]:
        """The least valuable records beyond the capacity; the new one is among those `without`, and stays."""
        if self._settings.capacity is None:
            return []
        value = partial(worth, now=now, settings=self._settings)
        return space.beyond(self._settings.capacity - 1, without=without, worth=value)


def _texts(found: JsonValue) -> list[str]:
    return [str(each) for each in found] if isinstance(found, list) else []


def _heard(namespace: str) -> str:
    return f"heard:{namespace}"


def _successor(namespace: str, record_id: str) -> str:
    return f"successor:{namespace}:{record_id}"


def _embedded(record: MemoryRecord, vector: Vector | None) -> MemoryRecord:
    """The record with its vector; None for one without."""
    raw = None if vector is None else vector.astype("<f4").tobytes()
    return record.model_copy(update={"embedding": raw})
