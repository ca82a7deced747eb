"""The namespaces in use: the index of each, what ranking needs of its records, and how they follow the store.

One that is too large for that stays in its store, where the store can say what is near.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from pydantic import JsonValue

from amb_core.memory.journal import RowStore
from amb_core.protocols import Embedder, NativeSearch, PagedStore, RecordQuery, RecordStore
from amb_core.retrieval import Packed
from amb_core.stores.store_log import AuditEntry, ChangeLog, Follower
from amb_core.text import index_tokens
from amb_longterm.change_links import ChangeLink, links_of
from amb_longterm.everyday_words import terms_of
from amb_longterm.kept_order import NewestFirst, ReadLately
from amb_longterm.memory_cues import tells_change
from amb_longterm.memory_records import (
    MemoryRecord,
    MemoryType,
    filters_of,
    memories_in,
    namespace_in_store,
    read_memory,
    readable_memory,
)
from amb_longterm.record_index import FloatArray, Found, RecordIndex
from amb_retrieval.kept_index import KeptIndex

__all__ = [
    "LoadedNamespace",
    "LoadedNamespaces",
    "Namespace",
    "StoreOfLarge",
    "StoredNamespace",
    "Traits",
    "index_file",
]

_log = logging.getLogger("amb.longterm")
_FILES = [Path(__file__).parent / f"{name}.py" for name in ("record_index", "loaded_namespaces", "memory_cues")]
"""The files of this package that have a part in what is kept."""
_TRAITS, _PROFILE = "record_traits", "user_profile"
_MOST_LOADED = 256
"""Namespaces that are kept in memory; the one not used for longest goes first."""
_MOST_RECORDS = 200_000
"""Records that all namespaces in memory have together, but for the one in use."""
_KEPT_FROM = 1_000
"""Records from which on the index of a namespace is kept in a file."""
_WIDER = 4
"""How many times the wanted number of records the store is asked for; they are ranked here."""
_MOST_OVER = 1_000
"""Records that are taken out at once because their time has passed."""
_MOST_CHANGES, _RARE = 64, 4
"""So many of the newest changes are looked at, and a word that so many records have is rare."""
_SPARE = 1_000
"""Records of least worth that are remembered, so that a full namespace is read through for one in so many writes."""


class Traits(NamedTuple):
    """What is kept of a record beside its index entry; times in seconds since the epoch."""

    type: str
    topic: str
    source: str
    group: str
    importance: float
    updated_at: float
    expires_at: float | None
    is_keyed: bool = False
    is_change: bool = False
    of_user: bool = False

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
            is_keyed=bool(record.key),
            is_change=tells_change(record.content),
            of_user=record.is_of_user,
        )

    def is_over(self, now: float) -> bool:
        """Whether its time has passed, the moment itself included."""
        return self.expires_at is not None and self.expires_at <= now


class LoadedNamespace(RecordIndex):
    """The records of one namespace as searches see them; `version` changes with every change. Not thread-safe."""

    def __init__(self, *, embedder: Embedder | None) -> None:
        super().__init__(embedder=embedder)
        self.traits: dict[str, Traits] = {}
        self._mortal: set[str] = set()
        self._keys: dict[str, tuple[float, int, str]] = {}
        self._order, self._changes = NewestFirst(), NewestFirst()
        self._groups: dict[str, NewestFirst] = {}
        self._links: dict[str, dict[str, ChangeLink]] = {}
        self._linked_terms: dict[str, frozenset[str]] = {}
        self.version = 0

    def packed(self) -> dict[str, Packed]:
        """Everything as arrays and JSON values by part, without a trace of removed records."""
        return super().packed() | {_TRAITS: {"rows": [[*each] for each in self.traits.values()]}}

    def restore(self, packed: Mapping[str, Packed]) -> None:
        """Become what `packed` was made of; ValueError, KeyError or TypeError when it is none."""
        super().restore(packed)
        for name, row in zip(self, packed[_TRAITS]["rows"], strict=True):
            self._note(name, Traits(*row))

    def hold(self, record: MemoryRecord) -> None:
        """Insert or replace a record."""
        vector = None if record.embedding is None else np.frombuffer(record.embedding, dtype="<f4")
        text, at = record.content, record.updated_at
        self._unnote(record.id)
        self.put(record.id, text=text, timestamp=at, vector=vector, earlier=record.otherwise)
        self._note(record.id, Traits.of(record))
        self._unlink(text)
        self.version += 1

    def drop(self, record_ids: Iterable[str], *, words: bool = False) -> None:
        """Forget records; unknown ones are no error. `words` clears at once what only they said, which takes longer."""
        for name in {*record_ids} & self.traits.keys():
            self._unnote(name)
            self.remove(name)
            self.version += 1
        if words:
            self.forget_removed()

    def expired(self, now: float) -> list[str]:
        """Records whose time has passed."""
        return sorted(name for name in self._mortal if self.traits[name].is_over(now))

    def near(self, text: str, *, k: int, now: float, vector: FloatArray | None) -> list[Found]:
        """At most `k` records that are most likely to speak of the same and are not over, the most alike first."""
        return self.alike(text, k=k, vector=vector, exclude=self.expired(now))

    def of_topic(self, type: str, topic: str) -> list[str]:
        """Records of one type and (not blank) topic, the caller's own name for what they are about."""
        there = self.traits.items() if topic else ()
        return [name for name, each in there if (each.type, each.topic) == (type, topic)]

    def group_of(self, name: str) -> NewestFirst:
        """The records of one record's group, itself included."""
        return self._groups[self.traits[name].group]

    def about(self, topics: Collection[str]) -> set[str]:
        """The records with a word of some everyday topics."""
        terms = {term for topic in topics for term in terms_of(topic)}
        return {name for term in terms for name in self.holders(term, most=len(self))}

    def in_order(self) -> NewestFirst:
        """All records."""
        return self._order

    def changes(self) -> NewestFirst:
        """The records that tell of a change."""
        return self._changes

    def change_links(self, content_of: Callable[[str], str]) -> dict[str, dict[str, ChangeLink]]:
        """The newest changes that a user told, each with the earlier records it goes with; `content_of` reads one."""
        told = (name for name in self._changes if self.traits[name].type == MemoryType.USER_PROFILE)
        newest = [*islice(told, _MOST_CHANGES)]  # facts of many subjects share words by chance
        for name in self._links.keys() - {*newest}:
            self._forget_link(name)
        for name in newest:
            if name not in self._links:
                text = content_of(name)
                self._links[name], self._linked_terms[name] = self._linked(name, text), frozenset(index_tokens(text))
        return {name: self._links[name] for name in newest}

    def _linked(self, name: str, text: str) -> dict[str, ChangeLink]:
        own = self.traits[name]

        def is_earlier(other: str) -> bool:
            theirs = self.traits[other]
            if other == name or theirs.type != own.type or theirs.is_keyed:
                return False
            return self.is_newer(name, other)

        return links_of(text, holders=partial(self.holders, most=_RARE), is_earlier=is_earlier)

    def _unlink(self, text: str) -> None:
        """Forget the links of changes that share a rare word with a text that came: who has the word is otherwise."""
        if self._links:
            rare = {term for term in index_tokens(text) if self.holders(term, most=_RARE + 1)}
            for name in [name for name, terms in self._linked_terms.items() if not rare.isdisjoint(terms)]:
                self._forget_link(name)

    def _forget_link(self, name: str) -> None:
        self._links.pop(name, None)
        self._linked_terms.pop(name, None)

    def is_newer(self, one: str, other: str) -> bool:
        """Whether one record was told after another."""
        return self._keys[one] < self._keys[other]

    def newest_first(self, names: Iterable[str]) -> list[str]:
        """Some records by when they were told last; of those told at one moment the one made last comes first."""
        return sorted(names, key=self._keys.__getitem__)

    def newest(self, k: int, *, now: float) -> list[str]:
        """At most `k` records that are not over, the newest first."""
        return [*islice((name for name in self._order if not self.traits[name].is_over(now)), k)]

    def beyond(self, most: int, *, without: Collection[str], worth: Callable[[Traits], float]) -> list[str]:
        """The records of least worth, as many as there are more than `most`; those `without` do not count."""
        there = [name for name in self if name not in without]
        return sorted(there, key=lambda name: worth(self.traits[name]))[: max(0, len(there) - most)]

    def _note(self, name: str, traits: Traits) -> None:
        self.traits[name] = traits
        key = self._keys[name] = (-traits.updated_at, -self.place_of(name), name)
        self._order.add(key)
        self._groups.setdefault(traits.group, NewestFirst()).add(key)
        if traits.is_change:
            self._changes.add(key)
        if traits.expires_at is not None:
            self._mortal.add(name)

    def _unnote(self, name: str) -> None:
        """Forget what is noted of a record that goes, or is put again; an unknown one is no error."""
        if name not in self.traits:
            return
        key, group = self._keys.pop(name), self._groups[self.traits[name].group]
        for order in (self._order, self._changes, group):
            order.discard(key)
        if not group:
            del self._groups[self.traits[name].group]
        del self.traits[name]
        self._mortal.discard(name)
        self._links, self._linked_terms = {}, {}


@runtime_checkable
class StoreOfLarge(RecordStore, NativeSearch, PagedStore, Protocol):
    """A store whose namespaces need not be loaded."""


class StoredNamespace:
    """One namespace as a write sees it; `version` changes with every change. Not thread-safe."""

    def __init__(self, store: StoreOfLarge, namespace: str, *, embedder: Embedder | None) -> None:
        self.store = store
        self._namespace, self._within = namespace, namespace_in_store(namespace)
        self._embedder = embedder
        self._least: list[tuple[str, float]] = []
        self.version = 0

    def __contains__(self, id: str) -> bool:
        return read_memory(self.store, id, namespace=self._namespace) is not None

    def near(self, text: str, *, k: int, now: float, vector: FloatArray | None) -> list[Found]:
        """At most `k` records that are most likely to speak of the same and are not over, the most alike first."""
        chosen = LoadedNamespace(embedder=self._embedder)
        wanted = RecordQuery(self._within, limit=_WIDER * k, now=now)
        for found, _ in self.store.search_natively(wanted, text=text, vector=vector):
            if (record := readable_memory(found)) is not None:
                chosen.hold(record)
        return chosen.near(text, k=k, now=now, vector=vector)

    def of_topic(self, type: str, topic: str) -> list[str]:
        """Records of one type and (not blank) topic, the caller's own name for what they are about."""
        wanted = RecordQuery(self._within, where=filters_of({"topic": topic}))
        return [each.id for each in memories_in(self.store, wanted) if each.type.value == type] if topic else []

    def newest(self, k: int, *, now: float) -> list[str]:
        """At most `k` records that are not over, the newest first."""
        return [found.id for found in self.store.search(RecordQuery(self._within, limit=k, newest_first=True, now=now))]

    def expired(self, now: float) -> list[str]:
        """Records whose time has passed, at most 1,000."""
        return self.store.expired(self._within, now=now, limit=_MOST_OVER)

    def beyond(self, most: int, *, without: Collection[str], worth: Callable[[MemoryRecord], float]) -> list[str]:
        """The records of least worth, as many as there are more than `most`; those `without` do not count.

        All are read, a page at a time, for the least of one moment, and again when these are gone.
        """
        many = self.store.count(self._within) - sum(name in self for name in without) - most
        if many <= 0:
            return []
        if len(chosen := self._still_least(many, without=without)) < many:
            records = memories_in(self.store, RecordQuery(self._within))
            self._least = [(each.id, each.updated_at) for each in nsmallest(many + _SPARE, records, key=worth)]
            chosen = self._still_least(many, without=without)
        return chosen

    def _still_least(self, many: int, *, without: Collection[str]) -> list[str]:
        """The first ones remembered that are there as they were."""
        there = ((read_memory(self.store, name, namespace=self._namespace), at) for name, at in self._least)
        same = (each.id for each, at in there if each is not None and each.updated_at == at and each.id not in without)
        return [*islice(same, many)]


Namespace: TypeAlias = LoadedNamespace | StoredNamespace


class LoadedNamespaces:
    """Loads a namespace when it is first looked into. Not thread-safe: its owner holds a lock.

    One of more than `most` records (None for any number) is not loaded where its store is a `StoreOfLarge`.

    The index of a large namespace of a store in a file is kept in a file beside it. That one says to which line of the
    audit log it goes, and what is written behind is followed, as the changes of other processes are. A file that is
    torn, of another version of the text processing, or of another log is not used.
    """

    def __init__(self, store: RecordStore, log: ChangeLog, *, embedder: Embedder | None, most: int | None) -> None:
        self._store = store
        self._log = log
        self._embedder = embedder
        self._most = most
        self._loaded: OrderedDict[str, Namespace] = OrderedDict()
        self._kept: dict[str, int] = {}
        self._follower = Follower(log)
        self._read_lately = ReadLately()

    def record(self, id: str, *, namespace: str) -> MemoryRecord | None:
        """One record as it was at the last look; one that cannot be read back is logged and left out."""
        return self._read_lately.get(namespace, id, lambda: read_memory(self._store, id, namespace=namespace))

    def is_loaded(self, namespace: str) -> bool:
        """Whether a namespace is held in memory."""
        return isinstance(self._loaded.get(namespace), LoadedNamespace)

    def of(self, namespace: str) -> Namespace:
        """One namespace, read from the store when it is not here and not too large."""
        space = self._loaded.get(namespace)
        if not isinstance(space, StoredNamespace) and isinstance(self._store, StoreOfLarge):
            size = self._store.count(namespace_in_store(namespace)) if space is None else len(space)
            if self._most is not None and size > self._most:
                space = self._loaded[namespace] = StoredNamespace(self._store, namespace, embedder=self._embedder)
        if space is None:
            space = self._loaded[namespace] = self._restore(namespace) or self._read(namespace)
            self._make_room(namespace)
        self._loaded.move_to_end(namespace)
        return space

    def _make_room(self, namespace: str) -> None:
        """Let go of the namespaces that were not used for longest, but for one."""
        sizes = {name: len(space) for name, space in self._loaded.items() if isinstance(space, LoadedNamespace)}
        held = sum(sizes.values())
        for name in [*self._loaded]:
            if len(self._loaded) <= _MOST_LOADED and held <= _MOST_RECORDS:
                break
            if name != namespace:
                del self._loaded[name]
                held -= sizes.get(name, 0)

    def forget(self) -> None:
        """Read everything anew at the next look."""
        self._clear()
        self._follower.seen = -1

    def _clear(self) -> None:
        self._loaded.clear()
        self._read_lately.clear()

    def keep(self) -> None:
        """Keep the index of each large namespace beside the store, so that it is opened quickly the next time."""
        self.catch_up()  # what others have deleted is not kept
        for namespace, space in self._loaded.items():
            if isinstance(space, LoadedNamespace):
                self._keep(namespace, space)

    def apply(
        self, namespace: str, records: Iterable[MemoryRecord], removed: Iterable[str], *, upto: int, deleted: bool
    ) -> None:
        """Follow a change of our own, once it is committed; `upto` is its last line of audit.

        What somebody `deleted` leaves no word in memory, nor in what is kept beside the store.
        """
        space, kept = self.of(namespace), [*records]
        gone = [*removed]
        for name in (*(record.id for record in kept), *gone):
            self._read_lately.drop(namespace, name)
        if isinstance(space, StoredNamespace):
            space.version += 1
        else:
            for record in kept:
                space.hold(record)
            space.drop(gone, words=deleted)
        if deleted and (file := index_file(self._store, namespace)) is not None:
            file.drop()
            self._kept.pop(namespace, None)
        self._follower.seen = upto

    def catch_up(self) -> None:
        """Follow what others have changed in the store since the last look."""
        self._follower.follow(self._apply, anew=self._clear)

    def _apply(self, line: AuditEntry) -> None:
        space = self._loaded.get(line.namespace)
        self._read_lately.drop(line.namespace, line.record_id)
        if not line.namespace:
            self._clear()
        elif isinstance(space, StoredNamespace):
            space.version += 1
        elif space is not None and not self._follow(line, space):
            del self._loaded[line.namespace]

    def _follow(self, line: AuditEntry, space: LoadedNamespace) -> bool:
        """Bring one record to what it is now; False when the line is of a whole namespace."""
        if line.record_id:
            record = read_memory(self._store, line.record_id, namespace=line.namespace)
            if record is not None:
                space.hold(record)
            else:
                space.drop([line.record_id], words=line.action == "delete")
        return bool(line.record_id)

    def _read(self, namespace: str) -> LoadedNamespace:
        """A namespace from its records."""
        space = LoadedNamespace(embedder=self._embedder)
        for record in memories_in(self._store, RecordQuery(namespace_in_store(namespace))):
            space.hold(record)
        self._keep(namespace, space)  # a process that is killed leaves it to the next one
        return space

    def _restore(self, namespace: str) -> LoadedNamespace | None:
        """A namespace from what was kept of it, and what the log says has changed since."""
        file = index_file(self._store, namespace)
        kept = None if file is None else file.read()
        number = None if kept is None else kept.header.get("number")
        if kept is None or not isinstance(number, int) or kept.header != self._header(number):
            return None
        since = self._log.between(number, self._follower.seen)
        space = LoadedNamespace(embedder=self._embedder)
        try:
            space.restore(kept.parts)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            _log.warning("a kept index is of no use (%s); it is made anew", type(error).__name__)
            return None
        self._kept[namespace] = space.version
        own = [line for line in since or () if line.namespace in ("", namespace)]
        is_whole = since is not None and all(self._follow(line, space) for line in own)
        return space if is_whole and len(space) == self._store.count(namespace_in_store(namespace)) else None

    def _keep(self, namespace: str, space: LoadedNamespace) -> None:
        file = index_file(self._store, namespace)
        if file is None or len(space) < _KEPT_FROM or self._kept.get(namespace) == space.version:
            return
        if file.write(self._header(self._follower.seen), space.packed):
            self._kept[namespace] = space.version

    def _header(self, number: int) -> dict[str, JsonValue]:
        """To which line of which log a file goes."""
        return {"number": number, "line": self._log.mark(number)}


def index_file(store: RecordStore, namespace: str) -> KeptIndex | None:
    """Where the index of a namespace is kept, for a store in a file; two namespaces never share one."""
    if not isinstance(store, RowStore):
        return None
    digest = sha256(namespace.encode("utf-8", "surrogatepass")).hexdigest()
    return KeptIndex(store.path.with_name(f"{store.path.name}.{digest[:24]}.index"), *_FILES)
