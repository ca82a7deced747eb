"""From a URL or a store to a collection of records whose vectors fit the embedder."""

from __future__ import annotations

from itertools import islice

import numpy as np
from pydantic import JsonValue

from amb_chat.user_environment import configured
from amb_core.errors import EmbedderMismatch, InvalidParameter, StoreError, StoreUnreachable
from amb_core.protocols import Embedder, Record, RecordQuery, RecordStore
from amb_core.stores import open_store
from amb_core.stores.eraser import Eraser
from amb_core.stores.store_log import Act, ChangeLog
from amb_longterm.collection import ERASING, Collection
from amb_longterm.collection_parts import CollectionParts
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import memories_in, namespace_in_store, stored

__all__ = ["open_collection", "store_url"]

_STATE, _EMBEDDER = "memory-state", "embedder"
_BATCH = 256
_PLACES = {
    "in_memory": "memory://",
    "json": "json:///memory",
    "sqlite": "sqlite:///memory.db",
    "qdrant": "qdrant:///memory-qdrant",
    "chroma": "chroma:///memory-chroma",
}


def store_url(settings: LongTermSettings) -> str:
    """The URL a backend's short name stands for; for `qdrant` the server in QDRANT_URL, if there is one."""
    server = configured("QDRANT_URL")
    if settings.backend == "qdrant" and server:
        return f"qdrant+{server}"
    return _PLACES.get(settings.backend, settings.backend)


def open_collection(place: str | RecordStore, parts: CollectionParts, *, reembed: bool) -> Collection:
    """The collection in a store; an erasure that a killed process left is finished.

    Raises StoreUnreachable when waiting may help, other children of StoreError for a place that cannot be used,
    EmbedderMismatch when its vectors are of another embedder, unless `reembed`.
    """
    if not isinstance(place, str) and not hasattr(place, "transaction"):
        raise InvalidParameter(f"a store is a URL or a RecordStore, not {type(place).__name__}.")
    store = open_store(place) if isinstance(place, str) else place
    try:
        if parts.embedder is not None:
            _fit(store, parts.embedder, reembed=reembed, actor=parts.actor)
        if store.get(_STATE, ERASING) is not None:  # an earlier process died between deleting and erasing
            Eraser(store, _STATE).finish_if_possible(ERASING)
        return Collection(store, parts, owned=isinstance(place, str))
    except BaseException as error:
        if isinstance(place, str):
            store.close()
        elif type(error) is StoreError:  # of a store of the caller's nobody here knows whether waiting helps
            raise StoreUnreachable(str(error)) from error
        raise


def _fit(store: RecordStore, embedder: Embedder, *, reembed: bool, actor: str) -> None:
    """Hold the embedder against the one the records were written with, and give vectors to records without."""
    mine: dict[str, JsonValue] = {"model_id": embedder.model_id, "dimension": embedder.dimension}
    found = store.get(_STATE, _EMBEDDER)
    is_other = found is not None and dict(found.data) != mine
    if found is not None and not is_other and not reembed:
        return
    if found is not None and is_other and not reembed:
        raise EmbedderMismatch(
            f"these memories were written with the embedder {found.data.get('model_id')!r} "
            f"({found.data.get('dimension')} dimensions), not with {embedder.model_id!r} ({embedder.dimension}): "
            "name that one, or open the memory once with reembed=True."
        )
    audit, prefix = ChangeLog(store, "memory"), namespace_in_store("")
    with store.transaction():
        names = store.namespaces(prefix=prefix)
        for namespace in names:
            _embed_all(store, namespace, embedder, anew=found is None or is_other)
        audit.append([Act("embed", name.removeprefix(prefix)) for name in names], at=audit.latest_time(), actor=actor)
        store.put([Record(_STATE, _EMBEDDER, mine)])


def _embed_all(store: RecordStore, namespace: str, embedder: Embedder, *, anew: bool) -> None:
    records = memories_in(store, RecordQuery(namespace))
    wanting = (record for record in records if anew or record.embedding is None)
    while batch := [*islice(wanting, _BATCH)]:
        vectors = np.asarray(embedder.embed([record.content for record in batch]), dtype="<f4")
        pairs = zip(batch, vectors, strict=True)
        store.put([stored(record.model_copy(update={"embedding": vector.tobytes()})) for record, vector in pairs])
