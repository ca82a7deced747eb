"""The long-term records of one store: read, changed in transactions with their audit lines, and kept in an index."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from amb_core.errors import StoreError
from amb_core.longterm.audit import Act, AuditLog
from amb_core.longterm.deciding import Candidate, Decision, Draft, decide
from amb_core.longterm.erasing import mark_erasing
from amb_core.longterm.loaded_namespace import LoadedNamespace
from amb_core.longterm.records import MemoryHit, MemoryRecord, Written
from amb_core.longterm.scoring import Scored, ranked, together, worth
from amb_core.longterm.settings import LongTermSettings
from amb_core.longterm.spaces import Spaces, readable, record_in
from amb_core.longterm.stored_memories import filters_of, memory_of, stored, stored_namespace
from amb_core.protocols import Embedder, NativeSearch, Record, RecordQuery, RecordStore
from amb_core.stores import InMemoryStore

__all__ = ["Change", "Collection", "Search", "Vector"]

Vector: TypeAlias = NDArray[np.float32]

_ATTEMPTS = 4
"""How often a text is held against records that change meanwhile, before everybody else has to wait for it."""
_STATE = "memory-state"
_WIDER = 4
"""How many times the wanted number of hits is ranked by S."""


@dataclass(frozen=True, slots=True)
class Search:
    """One search of one namespace, at a time; `vector` is the query's, or None for a search by words alone."""

    query: str
    namespace: str
    now: float
    top_k: int
    min_score: float
    vector: Vector | None = None
    filters: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a write did: its result, the records as they are now, and the ids that are gone."""

    written: Written
    records: tuple[MemoryRecord, ...] = ()
    removed: tuple[str, ...] = ()


class Collection:
    """All namespaces of one store. Thread-safe; other processes may work on the same store.

    A text is compared, summarised and embedded outside the lock, against the records of that moment, and once more when
    one of its namespace changed meanwhile: two who write the same at once still meet.
    """

    def __init__(
        self,
        store: RecordStore,
        *,
        embedder: Embedder | None,
        settings: LongTermSettings,
        actor: str,
        owned: bool = False,
    ) -> None:
        self.store = store
        self._owned = owned
        self.audit = AuditLog(store)
        self.latest_time = self.audit.latest_time()
        self._embedder = embedder
        self._settings = settings
        self._actor = actor
        self._spaces = Spaces(store, self.audit, embedder=embedder)
        self._lock = threading.RLock()

    @property
    def forgets(self) -> bool:
        """Whether what it holds is gone when it is closed."""
        return self._owned and isinstance(self.store, InMemoryStore)

    # --- reading -----------------------------------------------------------------------------------------------------

    def search(self, search: Search) -> list[MemoryHit]:
        """The hits, best S first; those much weaker than the best are left out."""
        if self._settings.search_in == "engine" and isinstance(self.store, NativeSearch):
            return self._found_natively(search, self.store)
        with self._lock:
            self._spaces.catch_up()
            space = self._spaces.of(search.namespace)
            allowed = self._matching(search) if search.filters else None
            scored = together(
                self._scored(search, space, allowed), space, now=search.now, top_k=search.top_k, allowed=allowed
            )
            records = ((each, self.get(each.id, namespace=search.namespace)) for each in scored)
            return [_hit(each, record) for each, record in records if record is not None]

    def _scored(self, search: Search, space: LoadedNamespace, allowed: set[str] | None) -> list[Scored]:
        found = space.find(search.query, k=_WIDER * search.top_k, vector=search.vector, now=search.now, allowed=allowed)
        return ranked(
            {each.id: each.similarity for each in found},
            rated=space.traits,
            now=search.now,
            top_k=search.top_k,
            min_score=search.min_score,
            settings=self._settings,
        )

    def _matching(self, search: Search) -> set[str]:
        within = stored_namespace(search.namespace)
        return {found.id for found in self.store.search(RecordQuery(within, where=filters_of(search.filters or {})))}

    def _found_natively(self, search: Search, store: NativeSearch) -> list[MemoryHit]:
        """The engine chooses; AMB's own similarity and S rank what it chose."""
        wanted = RecordQuery(
            stored_namespace(search.namespace),
            where=filters_of(search.filters or {}),
            limit=_WIDER * search.top_k,
            now=search.now,
        )
        chosen = [
            memory_of(record) for record, _ in store.search_natively(wanted, text=search.query, vector=search.vector)
        ]
        space = LoadedNamespace(embedder=self._embedder)
        for record in chosen:
            space.put(record)
        by_id = {record.id: record for record in chosen}
        scored = together(self._scored(search, space, None), space, now=search.now, top_k=search.top_k)
        return [_hit(each, by_id[each.id]) for each in scored]

    def get(self, record_id: str, *, namespace: str) -> MemoryRecord | None:
        """The record, or None; one that cannot be read back is logged and left out."""
        return record_in(self.store, record_id, namespace=namespace)

    def records(
        self, namespace: str, *, now: float, filters: Mapping[str, JsonValue] | None = None, limit: int | None = None
    ) -> list[MemoryRecord]:
        """Records of a namespace in the order they were made, without the expired and the unreadable."""
        within = stored_namespace(namespace)
        return readable(self.store, RecordQuery(within, where=filters_of(filters or {}), limit=limit, now=now))

    def history(self, record_id: str, *, namespace: str) -> list[MemoryRecord]:
        """All versions, oldest first, the current one last."""
        current = self.get(record_id, namespace=namespace)
        earlier = [memory_of(record) for record in self.store.history(stored_namespace(namespace), record_id)]
        return earlier if current is None else [*earlier, current]

    def namespaces(self) -> list[str]:
        """The namespaces that hold records, sorted."""
        prefix = stored_namespace("")
        return sorted(name.removeprefix(prefix) for name in self.store.namespaces(prefix=prefix))

    def count(self, namespace: str) -> int:
        """How many records a namespace holds."""
        return self.store.count(stored_namespace(namespace))

    def current_id(self, record_id: str, *, namespace: str) -> str:
        """The id of the record that a text which had waited became part of; any other id as it is."""
        found = self.store.get(_STATE, _successor(namespace, record_id))
        return record_id if found is None else str(found.data.get("id", record_id))

    # --- changing ----------------------------------------------------------------------------------------------------

    def write(
        self,
        draft: Draft,
        *,
        vector: Vector | None,
        embed: Callable[[str], Vector | None],
        summarize: Callable[[str, str], str] | None,
    ) -> Change:
        """Take in a draft: insert it, skip it, or join it to a record that speaks of the same."""

        def decided(candidates: Sequence[Candidate]) -> Decision:
            return _embedded(decide(draft, candidates, summarize=summarize), draft, vector, embed)

        for _ in range(_ATTEMPTS):
            with self._lock:
                version, candidates = self._looked_at(draft, vector)
            decision = decided(candidates)
            with self._lock:
                done = None
                with self.store.transaction():
                    self._spaces.catch_up()
                    if self._spaces.of(draft.namespace).version == version:
                        done = self._keep(decision, draft)
                if done is not None:
                    return self._applied(done, draft.namespace)
        with self._lock:
            with self.store.transaction():
                done = self._keep(decided(self._looked_at(draft, vector)[1]), draft)
            return self._applied(done, draft.namespace)

    def replace(self, record: MemoryRecord, *, at: float, why: str) -> Change:
        """Store a changed record; the earlier version stays in its history."""
        with self._lock:
            with self.store.transaction():
                self._spaces.catch_up()
                done = self._put(record, Written(id=record.id, status="updated"), at=at, why=why)
            return self._applied(done, record.namespace)

    def delete(self, record_ids: Sequence[str], *, namespace: str, at: float, why: str) -> list[str]:
        """Delete records with their history; returns those that were there, also unreadable ones."""
        within = stored_namespace(namespace)
        with self._lock:
            with self.store.transaction():
                self._spaces.catch_up()
                there = [name for name in dict.fromkeys(record_ids) if self.store.delete(within, [name])]
                if there:
                    mark_erasing(self.store)
                acts = [Act("delete", namespace, name, "deleted", why) for name in there]
                upto = self._noted(acts, at=at)
            if there:
                self._spaces.apply(namespace, (), there, upto=upto, deleted=True)
        return there

    def follow(self, change: Change, *, namespace: str, at: float) -> None:
        """Hold the same records as another collection does after a change."""
        with self._lock:
            with self.store.transaction():
                self._spaces.catch_up()
                self.store.put([stored(record) for record in change.records], keep_history=True)
                self.store.delete(stored_namespace(namespace), change.removed)
                acts = [Act("follow", namespace, record.id, change.written.status) for record in change.records]
                acts += [Act("follow", namespace, name, "deleted") for name in change.removed]
                upto = self._noted(acts, at=at)
            self._spaces.apply(namespace, change.records, change.removed, upto=upto)

    def adopt(self, versions: Sequence[MemoryRecord], *, at: float) -> bool:
        """Take in a record with its history as it was elsewhere; False when it is here."""
        record = versions[-1]
        with self._lock:
            if self.get(record.id, namespace=record.namespace) is not None:
                return False
            with self.store.transaction():
                self._spaces.catch_up()
                for version in versions:
                    self.store.put([stored(version)], keep_history=True)
                upto = self._noted([Act("load", record.namespace, record.id, "inserted")], at=at)
            self._spaces.apply(record.namespace, [record], (), upto=upto)
        return True

    def name_current(self, record_id: str, current: str, *, namespace: str) -> None:
        """Let an id that was given out for a text lead to the record the text became part of."""
        if record_id != current:
            self.store.put([Record(_STATE, _successor(namespace, record_id), {"id": current})])

    def close(self) -> bool:
        """Keep the indexes of large namespaces, and release the store if it was opened here; else False."""
        with self._lock, suppress(StoreError):
            self._spaces.keep()
        if self._owned:
            self.store.close()
        return self._owned

    def _looked_at(self, draft: Draft, vector: Vector | None) -> tuple[int, list[Candidate]]:
        """The state of a draft's namespace, and the records it is held against: the most alike, and its topic's."""
        self._spaces.catch_up()
        space = self._spaces.of(draft.namespace)
        known = self.get(draft.id, namespace=draft.namespace) if draft.id in space else None
        if known is not None:  # a write that was carried over before
            return space.version, [Candidate(known, 1.0)]
        found = space.alike(draft.content, k=self._settings.compared, vector=vector, now=draft.at)
        likeness = {each.id: each.similarity for each in found}
        new = draft.record()
        for name in space.of_topic(new.type.value, new.topic):
            likeness.setdefault(name, 1.0)
        records = ((self.get(name, namespace=draft.namespace), value) for name, value in likeness.items())
        return space.version, [Candidate(record, value) for record, value in records if record is not None]

    def _keep(self, decision: Decision, draft: Draft) -> tuple[Change, int]:
        written = Written(id=decision.record.id, status=decision.status)
        told = decision.status != "skipped"
        return self._put(decision.record, written, at=draft.at, why=draft.why, keep_history=told)

    def _put(
        self, record: MemoryRecord, written: Written, *, at: float, why: str, keep_history: bool = True
    ) -> tuple[Change, int]:
        """Store a record and take out what has expired or no longer fits (inside a transaction)."""
        space, within = self._spaces.of(record.namespace), record.namespace
        over = [name for name in space.expired(at) if name != record.id]
        evicted = self._evicted(space, record, gone=set(over), now=at)
        self.store.put([stored(record)], keep_history=keep_history)
        self.store.delete(stored_namespace(within), [*over, *evicted])
        acts = [Act("write", within, record.id, written.status, why)]
        acts += [Act("expire", within, name, "deleted") for name in over]
        acts += [Act("evict", within, name, "deleted") for name in evicted]
        change = Change(written.model_copy(update={"evicted": len(evicted)}), (record,), (*over, *evicted))
        return change, self._noted(acts, at=at)

    def _applied(self, done: tuple[Change, int], namespace: str) -> Change:
        change, upto = done
        self._spaces.apply(namespace, change.records, change.removed, upto=upto)
        return change

    def _noted(self, acts: Sequence[Act], *, at: float) -> int:
        self.latest_time = max(self.latest_time, at)
        return self.audit.append(acts, at=at, actor=self._actor) if acts else self.audit.last

    def _evicted(self, space: LoadedNamespace, record: MemoryRecord, *, gone: set[str], now: float) -> list[str]:
        """The least valuable records beyond the capacity; the new one stays."""
        capacity = self._settings.capacity
        if capacity is None:
            return []
        there = [name for name in space if name not in gone and name != record.id]
        if len(there) < capacity:
            return []

        def value(name: str) -> float:
            return worth(space.traits(name), now=now, settings=self._settings)

        return sorted(there, key=value)[: len(there) - capacity + 1]


def _successor(namespace: str, record_id: str) -> str:
    return f"successor:{namespace}:{record_id}"


def _hit(scored: Scored, record: MemoryRecord) -> MemoryHit:
    return MemoryHit(
        id=record.id,
        content=record.content,
        metadata=record.metadata,
        score=scored.score,
        similarity=scored.similarity,
        namespace=record.namespace,
        updated_at=record.updated_at,
        disagreements=record.disagreements,
        group=record.group or record.id,
        earlier=record.earlier,
    )


def _embedded(
    decision: Decision, draft: Draft, vector: Vector | None, embed: Callable[[str], Vector | None]
) -> Decision:
    """The decision with the vector of what its record says now."""
    if decision.status == "skipped":
        return decision
    found = vector if decision.record.content == draft.content else embed(decision.record.content)
    raw = None if found is None else found.astype("<f4").tobytes()
    return Decision(decision.status, decision.record.model_copy(update={"embedding": raw}))
