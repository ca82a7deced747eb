"""The namespaces of one store that are in memory, and how they follow what others change in it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable

from amb_core.errors import StoreCorrupt
from amb_core.longterm.audit import AuditLog
from amb_core.longterm.kept_record_index import KeptRecordIndex, checksums
from amb_core.longterm.loaded_namespace import LoadedNamespace
from amb_core.longterm.records import MemoryRecord
from amb_core.longterm.stored_memories import memory_of, stored_namespace
from amb_core.memory.stored_rows import RowStore
from amb_core.protocols import Embedder, RecordQuery, RecordStore

__all__ = ["Spaces", "readable", "record_in"]

_log = logging.getLogger("amb.longterm")
_MOST_LOADED = 256
"""Namespaces that are kept in memory; the one not used for longest goes first."""
_KEPT_FROM = 1_000
"""Records from which on the index of a namespace is kept in a file."""
_MOST_FOLLOWED = 5_000
"""Changes of others that are followed one by one; after more of them everything is read anew."""


def record_in(store: RecordStore, record_id: str, *, namespace: str) -> MemoryRecord | None:
    """The record, or None; one that cannot be read back is logged and left out."""
    try:
        found = store.get(stored_namespace(namespace), record_id)
        return None if found is None else memory_of(found)
    except StoreCorrupt as error:
        _log.warning("%s", error)
        return None


def readable(store: RecordStore, query: RecordQuery) -> list[MemoryRecord]:
    """The records of a query that can be read back; the others are logged."""
    records: list[MemoryRecord] = []
    for found in store.search(query):
        try:
            records.append(memory_of(found))
        except StoreCorrupt as error:
            _log.warning("%s", error)
    return records


class Spaces:
    """Loads a namespace when it is first looked into. Not thread-safe: its owner holds a lock."""

    def __init__(self, store: RecordStore, audit: AuditLog, *, embedder: Embedder | None) -> None:
        self._store = store
        self._audit = audit
        self._embedder = embedder
        self._loaded: OrderedDict[str, LoadedNamespace] = OrderedDict()
        self._seen = audit.last

    def of(self, namespace: str) -> LoadedNamespace:
        """One namespace, read from the store when it is not here."""
        space = self._loaded.get(namespace)
        if space is None:
            space = self._loaded[namespace] = self._read(namespace)
            while len(self._loaded) > _MOST_LOADED:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(namespace)
        return space

    def keep(self) -> None:
        """Keep the index of each large namespace beside the store, so that it is opened quickly the next time."""
        if not isinstance(self._store, RowStore):
            return
        for namespace, space in self._loaded.items():
            if len(space) >= _KEPT_FROM and space.has_changed:
                sums = self._sums(self._store, namespace)
                space.keep(self._kept(self._store, namespace), sums)

    def _drop_kept(self, namespace: str) -> None:
        if isinstance(self._store, RowStore):
            self._kept(self._store, namespace).drop()

    def _read(self, namespace: str) -> LoadedNamespace:
        """A namespace from what was kept of it, else from its records."""
        space = LoadedNamespace(embedder=self._embedder)
        if not isinstance(self._store, RowStore) or self._store.count(stored_namespace(namespace)) < _KEPT_FROM:
            return self._filled(space, namespace)
        file, sums = self._kept(self._store, namespace), self._sums(self._store, namespace)
        kept = file.read(sums=sums)
        if kept is not None and space.take_up(kept, lambda name: record_in(self._store, name, namespace=namespace)):
            return space
        self._filled(space, namespace)
        space.keep(file, sums)  # a process that is killed leaves it to the next one
        return space

    def _filled(self, space: LoadedNamespace, namespace: str) -> LoadedNamespace:
        for record in readable(self._store, RecordQuery(stored_namespace(namespace))):
            space.put(record)
        return space

    @staticmethod
    def _kept(store: RowStore, namespace: str) -> KeptRecordIndex:
        return KeptRecordIndex.beside(store.path, namespace=namespace)

    @staticmethod
    def _sums(store: RowStore, namespace: str) -> dict[str, int]:
        within = stored_namespace(namespace)
        return checksums(store.rows(within), namespace=within)

    def apply(
        self,
        namespace: str,
        records: Iterable[MemoryRecord],
        removed: Iterable[str],
        *,
        upto: int,
        deleted: bool = False,
    ) -> None:
        """Follow a change of our own, once it is committed; `upto` is its last line of audit.

        What somebody `deleted` leaves no word in memory, nor in what is kept beside the store.
        """
        space = self.of(namespace)
        for record in records:
            space.put(record)
        space.remove(removed, words=deleted)
        if deleted:
            self._drop_kept(namespace)
        self._seen = upto

    def catch_up(self) -> None:
        """Follow what others have changed in the store since the last look."""
        last = self._audit.last
        if last == self._seen:
            return
        if not self._seen < last <= self._seen + _MOST_FOLLOWED:
            self.drop()
        for entry in self._audit.since(self._seen, last=last) if self._loaded else ():
            space = self._loaded.get(entry.namespace)
            if space is None or not entry.record_id:
                continue
            record = record_in(self._store, entry.record_id, namespace=entry.namespace)
            if record is None:
                space.remove([entry.record_id], words=entry.action == "delete")
            else:
                space.put(record)
        self._seen = last

    def drop(self) -> None:
        """Forget everything in memory; it is read again when it is needed."""
        self._loaded.clear()
        self._seen = self._audit.last
