"""Facts that were promoted from a task, and what is left of them when something they stand on is forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from amb_core.memory.forgetting import Forgotten
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_longterm.memory_records import (
    MemoryRecord,
    Provenance,
    memories_in,
    namespace_in_store,
    readable_memory,
    stored,
)

__all__ = ["PROMOTED", "Leftover", "leftovers", "note_promoted", "take_out"]

PROMOTED = "memory-promoted"
"""The namespace that lists the namespaces with promoted facts."""


class Leftover(NamedTuple):
    """A record that stands on something forgotten, and what is to be there in its stead: None for nothing."""

    id: str
    record: MemoryRecord | None


def note_promoted(store: RecordStore, namespace: str) -> None:
    """Remember that a namespace has promoted facts, so that a deletion need not read all others."""
    if store.get(PROMOTED, namespace) is None:
        store.put([Record(PROMOTED, namespace, {})])


def leftovers(store: RecordStore, gone: Forgotten) -> dict[str, list[Leftover]]:
    """By namespace, the promoted facts that stand on something forgotten."""
    namespaces = [each.id for each in store.search(RecordQuery(PROMOTED))]
    found = {namespace: [*_affected(store, namespace, gone)] for namespace in namespaces}
    return {namespace: each for namespace, each in found.items() if each}


def take_out(store: RecordStore, namespace: str, found: Sequence[Leftover]) -> None:
    """Delete the records with their history, and put what is left of them (in a transaction of the caller's)."""
    store.delete(namespace_in_store(namespace), [each.id for each in found])
    store.put([stored(each.record) for each in found if each.record is not None])


def _affected(store: RecordStore, namespace: str, gone: Forgotten) -> Iterable[Leftover]:
    within = namespace_in_store(namespace)
    for record in memories_in(store, RecordQuery(within)):
        if any(_left_of(origin, gone) != origin for origin in record.provenance):
            before = [each for each in map(readable_memory, store.history(within, record.id)) if each is not None]
            yield Leftover(record.id, _without(before, record, gone))


def _without(before: Sequence[MemoryRecord], record: MemoryRecord, gone: Forgotten) -> MemoryRecord | None:
    """The record without what was forgotten, in the words of a source that is left; None where none is.

    Its history and earlier wordings go as well: they may be what the forgotten source said.
    """
    origins = tuple(left for origin in record.provenance if (left := _left_of(origin, gone)) is not None)
    if not origins:
        return None
    told = next((each for each in reversed(before) if each.content != record.content), None)
    if told is not None:
        since = [origin for origin in record.provenance if origin not in told.provenance]
        if since and all(_left_of(origin, gone) is None for origin in since):
            kept = {"content": told.content, "embedding": told.embedding, "valid_from": told.valid_from}
            record = record.model_copy(update=kept)
    return record.model_copy(update={"provenance": origins, "earlier": "", "wordings": (), "disagreements": ()})


def _left_of(origin: Provenance, gone: Forgotten) -> Provenance | None:
    """What is left of where a record came from; None for nothing."""
    if not gone.run:
        is_theirs = gone.user == (origin.user or None) and gone.thread in (None, origin.thread or None)
        return None if is_theirs and bool(origin.user or origin.thread) else origin
    if origin.run != gone.run or gone.entries.isdisjoint((*origin.entries, *origin.by_entry)):
        return origin
    entries = tuple(each for each in origin.entries if each not in gone.entries)
    by_entry = {entry: names for entry, names in origin.by_entry.items() if entry not in gone.entries}
    documents = tuple(sorted({name for names in by_entry.values() for name in names}))
    left = {"entries": entries, "by_entry": by_entry, "documents": documents}
    return origin.model_copy(update=left) if entries else None
