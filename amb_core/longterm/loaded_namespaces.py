"""The namespaces in memory: the index of each, what ranking needs of its records, and how they follow the store."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from amb_core.longterm.audit import AuditLog
from amb_core.longterm.kept_record_index import KeptRecordIndex, KeptRecords, checksums
from amb_core.longterm.memory_codec import read_memories, read_memory, stored_namespace
from amb_core.longterm.memory_records import MemoryRecord
from amb_core.longterm.record_index import Found, RecordIndex
from amb_core.longterm.replacement import tells_of_change
from amb_core.memory.row_store import RowStore
from amb_core.protocols import Embedder, RecordQuery, RecordStore

__all__ = ["LoadedNamespace", "LoadedNamespaces", "Traits"]

_log = logging.getLogger("amb.longterm")
_FloatVector = NDArray[np.float32]
_Key = TypeVar("_Key")
_TRAITS = "record_traits"
_MOST_NEAR = 32
_MOST_LOADED = 256
"""Namespaces that are kept in memory; the one not used for longest goes first."""
_KEPT_FROM = 1_000
"""Records from which on the index of a namespace is kept in a file."""
_MOST_FOLLOWED = 5_000
"""Changes of others that are followed one by one; after more of them everything is read anew."""


class Traits(NamedTuple):
    """What is kept of a record beside its index entry; times in seconds since the epoch."""

    type: str
    topic: str
    source: str
    group: str
    importance: float
    updated_at: float
    expires_at: float | None
    changes: bool

    @classmethod
    def of(cls, record: MemoryRecord) -> Traits:
        """Those of a record."""
        return cls(
            type=record.type.value,
            topic=record.topic,
            source=record.source,
            group=record.group or record.id,
            importance=record.importance,
            updated_at=record.updated_at,
            expires_at=record.expires_at,
            changes=tells_of_change(record.content),
        )

    def is_over(self, now: float) -> bool:
        """Whether its time has passed, the moment itself included."""
        return self.expires_at is not None and self.expires_at <= now


class LoadedNamespace:
    """The records of one namespace as searches see them; `version` changes with every change. Not thread-safe."""

    def __init__(self, *, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._index = RecordIndex(embedder=embedder)
        self._traits: dict[str, Traits] = {}
        self._mortal: set[str] = set()
        self._topics: dict[tuple[str, str], dict[str, None]] = {}
        self._groups: dict[str, dict[str, None]] = {}
        self.version = 0
        self._kept_version = 0

    @property
    def has_changed(self) -> bool:
        """Whether it differs from what was kept last."""
        return self.version != self._kept_version

    def keep(self, file: KeptRecordIndex, sums: Mapping[str, int]) -> None:
        """Keep everything in a file, for exactly the records these are the checksums of."""
        if file.write(self._index, sums=sums, also={_TRAITS: {"rows": [list(each) for each in self._traits.values()]}}):
            self._kept_version = self.version

    def take_up(self, kept: KeptRecords, record: Callable[[str], MemoryRecord | None]) -> bool:
        """Become what a file holds, with the records that have changed since; False when that is of no use."""
        index = RecordIndex(embedder=self._embedder)
        try:
            index.restore(kept.parts)
            traits = dict(zip(kept.ids, map(Traits._make, kept.parts[_TRAITS]["rows"]), strict=True))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            _log.warning("a kept index is of no use (%s); it is made anew", type(error).__name__)
            return False
        self._index = index
        for name in kept.gone:
            index.remove(name)
            del traits[name]
        for name in traits:
            self._note(name, traits[name])
        for name in kept.changed:
            if (changed := record(name)) is None:
                self.remove([name])
            else:
                self.put(changed)
        return True

    def __len__(self) -> int:
        return len(self._traits)

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._traits

    def __iter__(self) -> Iterator[str]:
        return iter(self._traits)

    def put(self, record: MemoryRecord) -> None:
        """Insert or replace a record."""
        vector = None if record.embedding is None else np.frombuffer(record.embedding, dtype="<f4")
        text, at = record.content, record.updated_at
        self._index.put(record.id, text=text, timestamp=at, vector=vector, earlier=record.earlier)
        self._forget(record.id)
        self._note(record.id, Traits.of(record))
        self.version += 1

    def _note(self, name: str, traits: Traits) -> None:
        self._traits[name] = traits
        if traits.expires_at is not None:
            self._mortal.add(name)
        if traits.topic:
            self._topics.setdefault((traits.type, traits.topic), {})[name] = None
        self._groups.setdefault(traits.group, {})[name] = None

    def _forget(self, name: str) -> bool:
        """Take a record's traits out, its place among the others kept; False for an unknown one."""
        traits = self._traits.get(name)
        if traits is None:
            return False
        self._mortal.discard(name)
        _drop(self._topics, (traits.type, traits.topic), name)
        _drop(self._groups, traits.group, name)
        return True

    def remove(self, record_ids: Iterable[str], *, words: bool = False) -> None:
        """Forget records; unknown ones are no error. `words` clears at once what only they said, which takes longer."""
        gone = [name for name in dict.fromkeys(record_ids) if self._forget(name)]
        for name in gone:
            del self._traits[name]
            self._index.remove(name)
        if gone:
            self.version += 1
        if gone and words:
            self._index.forget_removed()

    def traits(self, record_id: str) -> Traits:
        """What is kept of a record that is here."""
        return self._traits[record_id]

    def expired(self, now: float) -> list[str]:
        """Records whose time has passed."""
        return sorted(name for name in self._mortal if self._traits[name].is_over(now))

    def of_topic(self, type: str, topic: str) -> list[str]:
        """Records of one type and (not blank) topic, the caller's own name for what they are about."""
        return [*self._topics.get((type, topic), ())]

    def tells_of_change(self, record_id: str) -> bool:
        """Whether a record says that something is otherwise than before."""
        return self._traits[record_id].changes

    def near(self, record_id: str) -> list[str]:
        """The latest records of one group with it, itself among them, the newest first."""
        group = self._groups[self._traits[record_id].group]
        return sorted(
            {*islice(reversed(group), _MOST_NEAR), record_id}, key=lambda name: (-self._traits[name].updated_at, name)
        )

    def find(
        self, query: str, *, k: int, vector: _FloatVector | None, now: float, allowed: Collection[str] | None = None
    ) -> list[Found]:
        """The records most like a query, best first, without the expired."""
        return self._index.find(query, k=k, vector=vector, exclude=self.expired(now), allowed=allowed)

    def alike(self, text: str, *, k: int, vector: _FloatVector | None, now: float) -> list[Found]:
        """The records that may say the same as a text, without the expired."""
        over = set(self.expired(now))
        return [found for found in self._index.alike(text, k=k + len(over), vector=vector) if found.id not in over][:k]


class LoadedNamespaces:
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


def _drop(places: dict[_Key, dict[str, None]], key: _Key, name: str) -> None:
    names = places.get(key, {})
    names.pop(name, None)
    if not names:
        places.pop(key, None)
