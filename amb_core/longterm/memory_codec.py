"""Memory records as a store keeps them, and back.

The metadata stand field by field, so that any store can filter by them; `content` and `embedding` stand where an
engine with a search of its own looks for them.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterator, Mapping

from pydantic import JsonValue, ValidationError

from amb_core.errors import StoreCorrupt
from amb_core.longterm.memory_records import MemoryRecord
from amb_core.protocols import PagedStore, Record, RecordQuery, RecordStore

__all__ = [
    "filters_of",
    "memory_of",
    "namespace_in_store",
    "pages_of",
    "read_memories",
    "read_memory",
    "readable_memory",
    "record_pages",
    "stored",
]

_log = logging.getLogger("amb.longterm")

_PREFIX = "memories:"
_FIELD = "m_"
_OWN = ("provenance", "revision", "disagreements", "group", "earlier", "valid_from")


def namespace_in_store(namespace: str) -> str:
    """The store's name for a namespace of long-term memory; `namespace_in_store("")` is what they begin with."""
    return f"{_PREFIX}{namespace}"


def filters_of(metadata: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Filters on metadata as a store's `where`."""
    return {f"{_FIELD}{key}": value for key, value in metadata.items()}


def stored(record: MemoryRecord) -> Record:
    """The record as a store takes it."""
    data: dict[str, JsonValue] = {"content": record.content}
    if record.embedding is not None:
        data["embedding"] = base64.b64encode(record.embedding).decode("ascii")
    data |= record.model_dump(mode="json", include=set(_OWN)) | filters_of(record.metadata)
    namespace = namespace_in_store(record.namespace)
    return Record(namespace, record.id, data, record.created_at, record.updated_at, record.expires_at)


def memory_of(record: Record) -> MemoryRecord:
    """The memory in a stored record; StoreCorrupt when it is none."""
    data = dict(record.data)
    embedding = data.pop("embedding", None)
    try:
        return MemoryRecord(
            id=record.id,
            namespace=record.namespace.removeprefix(_PREFIX),
            content=data.pop("content"),  # type: ignore[arg-type]
            metadata={key.removeprefix(_FIELD): data[key] for key in data if key.startswith(_FIELD)},
            created_at=record.created_at,
            updated_at=record.updated_at,
            expires_at=record.expires_at,
            embedding=None if embedding is None else base64.b64decode(str(embedding)),
            **{key: data[key] for key in _OWN if key in data},  # type: ignore[arg-type]
        )
    except (KeyError, ValueError, ValidationError) as error:
        raise StoreCorrupt(
            f"record {record.id!r} is no long-term memory ({type(error).__name__}); delete it or restore a backup."
        ) from None


def read_memory(store: RecordStore, id: str, *, namespace: str) -> MemoryRecord | None:
    """The memory of that id, or None; one that cannot be read back is logged and left out."""
    found = store.get(namespace_in_store(namespace), id)
    return None if found is None else readable_memory(found)


def read_memories(store: RecordStore, query: RecordQuery) -> list[MemoryRecord]:
    """The memories of a query that can be read back; the others are logged."""
    return [memory for page in pages_of(store, query) for memory in page]


def pages_of(store: RecordStore, query: RecordQuery) -> Iterator[list[MemoryRecord]]:
    """The same a page at a time."""
    pages = record_pages(store, query)
    return ([memory for found in page if (memory := readable_memory(found)) is not None] for page in pages)


def record_pages(store: RecordStore, query: RecordQuery) -> Iterator[list[Record]]:
    """The records of a query, a page at a time where the store can read so; else all of them at once."""
    return store.pages(query) if isinstance(store, PagedStore) else iter([store.search(query)])


def readable_memory(record: Record) -> MemoryRecord | None:
    """The memory in a stored record; None for one that cannot be read back, which is logged."""
    try:
        return memory_of(record)
    except StoreCorrupt as error:
        _log.warning("%s", error)
        return None
