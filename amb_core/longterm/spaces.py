"""The namespaces of one store that are in memory, and how they follow what others change in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from amb_core.longterm.audit import AuditLog
from amb_core.longterm.kept_record_index import KeptRecordIndex, checksums
from amb_core.longterm.loaded_namespace import LoadedNamespace
from amb_core.longterm.records import MemoryRecord
from amb_core.longterm.stored_memories import read_memories, read_memory, stored_namespace
from amb_core.memory.stored_rows import RowStore
from amb_core.protocols import Embedder, RecordQuery, RecordStore

__all__ = ["Spaces"]

_MOST_LOADED = 256
"""Namespaces that are kept in memory; the one not used for longest goes first."""
_KEPT_FROM = 1_000
"""Records from which on the index of a namespace is kept in a file."""
_MOST_FOLLOWED = 5_000
"""Changes of others that are followed one by one; after more of them everything is read anew."""


class Spaces:
    """Loads a namespace when it is first looked into. Not thread-safe: its owner holds a lock."""

    def __init__(self, store: RecordStore, audit: AuditLog, *, embedder: Embedder | None) -> None:
        self._store = store
        self._rows = store if isinstance(store, RowStore) else None
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
        for namespace, space in self._loaded.items():
            if len(space) >= _KEPT_FROM and space.has_changed and (file := self._file(namespace)) is not None:
                space.keep(file, self._sums(namespace))

    def _read(self, namespace: str) -> LoadedNamespace:
        """A namespace from what was kept of it, else from its records."""
        space = LoadedNamespace(embedder=self._embedder)
        large = self._rows is not None and self._store.count(stored_namespace(namespace)) >= _KEPT_FROM
        file = self._file(namespace) if large else None
        sums = {} if file is None else self._sums(namespace)
        kept = None if file is None else file.read(sums=sums)
        if kept is not None and space.take_up(kept, lambda name: read_memory(self._store, name, namespace=namespace)):
            return space
        for record in read_memories(self._store, RecordQuery(stored_namespace(namespace))):
            space.put(record)
        if file is not None:
            space.keep(file, sums)  # a process that is killed leaves it to the next one
        return space

    def _file(self, namespace: str) -> KeptRecordIndex | None:
        """Where the index of a namespace is kept, for a store in a file."""
        return None if self._rows is None else KeptRecordIndex.beside(self._rows.path, namespace=namespace)

    def _sums(self, namespace: str) -> dict[str, int]:
        within = stored_namespace(namespace)
        return checksums(() if self._rows is None else self._rows.rows(within), namespace=within)

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
        if deleted and (file := self._file(namespace)) is not None:
            file.drop()
        self._seen = upto

    def catch_up(self) -> None:
        """Follow what others have changed in the store since the last look."""
        last = self._audit.last
        if last == self._seen:
            return
        if not self._seen < last <= self._seen + _MOST_FOLLOWED:
            self._loaded.clear()  # what is needed is read again
        for entry in self._audit.since(self._seen, last=last) if self._loaded else ():
            space = self._loaded.get(entry.namespace)
            if space is None or not entry.record_id:
                continue
            record = read_memory(self._store, entry.record_id, namespace=entry.namespace)
            if record is None:
                space.remove([entry.record_id], words=entry.action == "delete")
            else:
                space.put(record)
        self._seen = last
