"""A record store whose records are points of a search engine, with transactions over an engine that has none."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import StoreCorrupt, StoreError
from amb_core.protocols import Capabilities, Record, RecordQuery
from amb_core.stores.record_codec import checked_query, checked_record, matches
from amb_vector_stores.point_changes import Changes
from amb_vector_stores.point_engine import PointEngine, Wanted
from amb_vector_stores.points import (
    Payload,
    about_payload,
    frame_of,
    point_id,
    record_of,
    record_payload,
    terms_of_query,
    text_of,
)

__all__ = ["PointStore"]

_ALL = 10_000
"""How many records a native search ranks when it is not told."""


class PointStore:
    """Records as points of an engine, changed in transactions whether or not the engine has them.

    Subclasses open an engine and say what its places are. Thread-safe.
    """

    def __init__(self, engine: PointEngine) -> None:
        self._lock = threading.RLock()
        self._depth, self._last = 0, 0
        self._engine: PointEngine | None = engine
        self._changes = Changes(engine)
        try:
            self._changes.recover()
            self._last = engine.last_place()
        except BaseException:
            self.close()
            raise

    @property
    def capabilities(self) -> Capabilities:
        """Durable; threads may share one store; the engine can rank; on a server others write meanwhile."""
        serial = self._engine is None or not self._engine.is_server
        return Capabilities(durable=True, concurrent=False, native_search=True, serial=serial)

    # --- records -----------------------------------------------------------------------------------------------------

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; InvalidParameter when one is not JSON."""
        private = [(record, checked_record(record)) for record in records]
        with self.transaction():
            frames = {(it.namespace, it.id): frame_of("record", it.namespace, it.id) for it in records}
            before = self._changes.payloads(point_id(frame) for frame in frames.values())
            for record, data in private:
                frame = frames[record.namespace, record.id]
                key = point_id(frame)
                old = before.get(key)
                if old is not None and keep_history and (version := record_of(old)) is not None:
                    self._keep(version)
                place = self._next_place() if old is None else old["place"]
                before[key] = record_payload("record", record, data, place=place, frame=frame)
                self._changes[key] = before[key]

    def get(self, namespace: str, id: str) -> Record | None:
        """The record, or None; StoreCorrupt when it is there but cannot be read back."""
        with self._open():
            [payload] = self._payloads("record", namespace, [id])
        if payload is None:
            return None
        record = record_of(payload)
        if record is None:
            raise StoreCorrupt(f"record {id!r} in {namespace!r} cannot be read back; put it again or delete it.")
        return record

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many records there were."""
        wanted = list(dict.fromkeys(ids))
        with self.transaction():
            records = self._payloads("record", namespace, wanted)
            abouts = self._payloads("about", namespace, wanted)
            for gone, record, about in zip(wanted, records, abouts, strict=True):
                if record is not None:
                    self._changes[point_id(frame_of("record", namespace, gone))] = None
                if about is not None:
                    self._drop_about(namespace, gone, about)
        return len(wanted) - records.count(None)

    def search(self, query: RecordQuery) -> list[Record]:
        """The matching readable records in insertion order, or newest first."""
        checked_query(query)
        with self._open() as engine:
            if query.limit == 0:
                return []
            wanted = Wanted("record", query.namespace, terms_of_query(query), query.now)
            stored = engine.ordered(wanted, newest_first=query.newest_first, limit=query.limit)
            payloads = self._with_changes(stored, wanted, newest_first=query.newest_first)
            readable = (record for payload in payloads if (record := record_of(payload)) is not None)
            return list(islice((record for record in readable if matches(record.data, query)), query.limit))

    def history(self, namespace: str, id: str) -> list[Record]:
        """The replaced versions that were kept and can be read, oldest first."""
        with self._open():
            [about] = self._payloads("about", namespace, [id])
            versions = _versions(namespace, id, about)
            found = self._changes.payloads(versions)
        kept = (found.get(version) for version in versions)
        return [record for payload in kept if payload is not None and (record := record_of(payload)) is not None]

    def damaged(self, namespace: str) -> list[str]:
        """Ids of records that are there but cannot be read back, in insertion order."""
        with self._open() as engine:
            wanted = Wanted("record", namespace)
            payloads = self._with_changes(engine.ordered(wanted), wanted, newest_first=False)
            return [text_of(payload["id"]) for payload in payloads if record_of(payload) is None]

    def namespaces(self, prefix: str = "") -> list[str]:
        """The namespaces that hold records and begin with `prefix`."""
        with self._open() as engine:
            found = engine.namespaces(Wanted("record", besides=self._changes.ids()))
            found |= {text_of(payload["namespace"]) for payload in self._changes.put(Wanted("record"))}
        return sorted(name for name in found if name.startswith(prefix))

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """How many records there are, damaged ones included; `now` leaves out the expired."""
        with self._open() as engine:
            stored = engine.count(Wanted("record", namespace, now=now, besides=self._changes.ids()))
            return stored + sum(1 for _ in self._changes.put(Wanted("record", namespace, now=now)))

    def search_natively(
        self, query: RecordQuery, *, text: str, vector: NDArray[np.float32] | None = None
    ) -> list[tuple[Record, float]]:
        """The best of the records that `query` allows, ranked by the engine: the words of `text` and `vector`, fused.

        Without `query.limit` the best 10,000. What the transaction under way has changed is not ranked yet.
        """
        checked_query(query)
        with self._open() as engine:
            if query.limit == 0:
                return []
            limit = min(query.limit or _ALL, _ALL)
            wanted = Wanted("record", query.namespace, terms_of_query(query), query.now, self._changes.ids())
            found = engine.ranked(wanted, text=text, vector=vector, limit=limit)
        # The engine adds up in any order: equally good ones differ in the last digits only, and the older goes first.
        ranked = sorted(found, key=lambda it: (-round(it[1], 6), it[0]["place"]))
        readable = ((record_of(payload), round(score, 6)) for payload, score in ranked)
        return [(record, score) for record, score in readable if record is not None and matches(record.data, query)]

    # --- the whole store ---------------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes of the block or, when it raises, none; an inner block commits with the outermost one."""
        with self._open() as engine:
            if not self._depth and engine.is_server:
                self._last = max(self._last, engine.last_place())  # others may have written
            kept = self._changes.kept()
            self._depth += 1
            try:
                yield
                self._check_open()
                if self._depth == 1:
                    self._changes.commit()
            except BaseException:
                self._changes.restore(kept)
                raise
            finally:
                self._depth -= 1

    def close(self) -> None:
        """Let the folder or the connections go; an open transaction is dropped; calling twice is no error."""
        with self._lock:
            if self._engine is not None:
                engine, self._engine = self._engine, None
                engine.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _check_open(self) -> PointEngine:
        if self._engine is None:
            raise StoreError("this store was closed; open it again.")
        return self._engine

    @contextmanager
    def _open(self) -> Iterator[PointEngine]:
        with self._lock:
            engine = self._check_open()
            if not self._depth:
                self._changes.settle()
            yield engine

    def _next_place(self) -> int:
        self._last += 1
        return self._last

    def _payloads(self, kind: str, namespace: str, ids: Sequence[str]) -> list[Payload | None]:
        wanted = [point_id(frame_of(kind, namespace, each)) for each in ids]
        found = self._changes.payloads(wanted)
        return [found.get(each) for each in wanted]

    def _with_changes(self, stored: Iterator[Payload], wanted: Wanted, *, newest_first: bool) -> Iterator[Payload]:
        """The engine's points with those of the transaction in their places."""
        here = sorted((payload for payload in self._changes.put(wanted)), key=_place, reverse=newest_first)
        there = (payload for payload in stored if not self._changes.replaces(payload))
        return merge(there, here, key=_place, reverse=newest_first)

    def _keep(self, version: Record) -> None:
        """Make a replaced record the latest version of its history."""
        names = (version.namespace, version.id)
        [about] = self._payloads("about", version.namespace, [version.id])
        number = (about["versions"] if about else 0) + 1
        frame = frame_of("version", *names, number=number)
        self._changes[point_id(frame)] = record_payload("version", version, version.data, place=0, frame=frame)
        self._changes[point_id(frame_of("about", *names))] = about_payload(*names, versions=number)

    def _drop_about(self, namespace: str, id: str, about: Payload) -> None:
        """Delete the history of an id."""
        for version in _versions(namespace, id, about):
            self._changes[version] = None
        self._changes[point_id(frame_of("about", namespace, id))] = None


def _place(payload: Payload) -> tuple[int, str]:
    return payload["place"], point_id(payload["frame"])


def _versions(namespace: str, id: str, about: Payload | None) -> list[str]:
    """The ids of the points that hold the versions of a record."""
    count = about["versions"] if about else 0
    return [point_id(frame_of("version", namespace, id, number=number)) for number in range(1, count + 1)]
