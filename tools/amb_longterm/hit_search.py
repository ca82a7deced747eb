"""One search of a namespace: the wanted piece of its order, of what is loaded or what a store's engine finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice
from typing import TypeAlias

from pydantic import JsonValue

from amb_core.protocols import Embedder, NativeSearch, RecordQuery, RecordStore
from amb_longterm.collection_parts import Vector
from amb_longterm.hit_groups import HitGroup, HitOrder
from amb_longterm.loaded_namespaces import LoadedNamespace
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import (
    MemoryHit,
    MemoryRecord,
    filters_of,
    memories_in,
    namespace_in_store,
    readable_memory,
)
from amb_longterm.record_index import FIRST, likelihood
from amb_longterm.sureness import Asked, is_sure

__all__ = ["HitSearch", "Search"]

_MOST_OLDER = 16
"""So many near-equal older records a hit lists."""
_BEHIND = 1_000
"""So many records a store's engine ranks where its best ones are not enough."""
_Read: TypeAlias = Callable[[str], MemoryRecord | None]


@dataclass(frozen=True, slots=True)
class Search:
    """One search of one namespace, at a time; `vector` is the query's, or None for a search by words alone.

    `as_of` asks what was so at another time, in seconds since the epoch. The first `offset` hits are left out.
    """

    query: str
    namespace: str
    now: float
    top_k: int
    min_score: float
    offset: int = 0
    vector: Vector | None = None
    filters: Mapping[str, JsonValue] = field(default_factory=dict)
    as_of: float | None = None


class HitSearch:
    """Searches of the namespaces of one store; whoever holds these in memory holds a lock."""

    def __init__(self, store: RecordStore, *, embedder: Embedder | None, settings: LongTermSettings) -> None:
        self._store, self._embedder, self._settings = store, embedder, settings

    def of_loaded(self, search: Search, space: LoadedNamespace, read: _Read) -> list[MemoryHit]:
        """The hits of a loaded namespace, whose records are `read` by id."""
        return self._cut(search, space, read, allowed=self._matching(search) if search.filters else None)

    def _cut(
        self, search: Search, space: LoadedNamespace, read: _Read, *, allowed: set[str] | None = None
    ) -> list[MemoryHit]:
        """The wanted piece of the hits of a loaded namespace, whose records are `read` by id."""
        read = cache(read)
        order = HitOrder(
            space,
            search.query,
            vector=search.vector,
            now=search.now,
            allowed=allowed,
            settings=self._settings,
            content_of=lambda name: "" if (record := read(name)) is None else record.content,
        )
        groups = order.groups(min_score=search.min_score)
        asked = Asked.of(search.query)
        readable = (hit for each in groups if (hit := _hit(each, read, query=search.query, asked=asked)) is not None)
        return [*islice(readable, search.offset, search.offset + search.top_k)]

    def _matching(self, search: Search) -> set[str]:
        within = namespace_in_store(search.namespace)
        return {found.id for found in self._store.search(RecordQuery(within, where=filters_of(search.filters)))}

    def of_engine(self, search: Search, store: NativeSearch) -> list[MemoryHit]:
        """The hits among what the engine chooses: its best ones ranked by AMB, then the others as it has them."""
        first = self.chosen(search, store, limit=FIRST)
        return self.of_records(search, first, behind=self._behind(search, store, {record.id for record in first}))

    def _behind(self, search: Search, store: NativeSearch, known: set[str]) -> Iterator[MemoryRecord]:
        """What the engine finds behind the `known` records, then what it does not find, the newest first."""
        for record in self.chosen(search, store, limit=_BEHIND):
            if record.id not in known:
                known.add(record.id)
                yield record
        most = len(known) + search.offset + search.top_k
        where, within = filters_of(search.filters), namespace_in_store(search.namespace)
        rest = RecordQuery(within, where=where, limit=most, newest_first=True, now=search.now)
        yield from (record for record in memories_in(self._store, rest) if record.id not in known)

    def chosen(self, search: Search, store: NativeSearch, *, limit: int) -> list[MemoryRecord]:
        """The best records that a store's engine finds, at most `limit`."""
        where = filters_of(search.filters)
        wanted = RecordQuery(namespace_in_store(search.namespace), where=where, limit=limit, now=search.now)
        chosen = store.search_natively(wanted, text=search.query, vector=search.vector)
        return [memory for record, _ in chosen if (memory := readable_memory(record)) is not None]

    def of_records(
        self, search: Search, records: Sequence[MemoryRecord], *, behind: Iterable[MemoryRecord] = ()
    ) -> list[MemoryHit]:
        """The hits among some records alone, then among those `behind` one by one."""
        every = replace(search, offset=0, top_k=max(len(records), 1))

        def found() -> Iterator[MemoryHit]:
            for some in chain([records], ([record] for record in behind)):
                space = LoadedNamespace(embedder=self._embedder)
                for record in some:
                    space.hold(record)
                yield from self._cut(every, space, {record.id: record for record in some}.get)

        return [*islice(found(), search.offset, search.offset + search.top_k)]


def _hit(group: HitGroup, read: _Read, *, query: str, asked: Asked) -> MemoryHit | None:
    """The newest record of a group, with those it stands for."""
    listed = group.ids[: _MOST_OLDER + 1]
    there = [record for name in listed if (record := read(name)) is not None]
    if not there:
        return None
    return MemoryHit.of(
        there[0],
        score=likelihood(query, group.similarity),
        similarity=group.similarity,
        older=[MemoryHit.of(record) for record in there[1:]],
        unlisted=len(group.ids) - len(listed),
        sure=is_sure(asked, there[0].content, held=group.similarity),
    )
