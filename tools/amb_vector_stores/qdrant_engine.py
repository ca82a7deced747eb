"""What a record store asks of Qdrant, embedded or on a server: points by id, in order, counted, written and ranked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import StoreError
from amb_core.stores.store_folder import FolderLock
from amb_vector_stores.point_engine import Wanted
from amb_vector_stores.points import Payload, name_of, sparse_of, text_of, vectors_of
from amb_vector_stores.qdrant_collection import (
    connect,
    create_collection,
    make_qdrant_folder,
    open_folder,
    qdrant_errors,
    vacuum_folder,
)

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

__all__ = ["QdrantEngine"]

_log = logging.getLogger("amb.stores")
_T = TypeVar("_T")
_PAGE, _SENT_CHARS = 256, 4_000_000
"""Points in one answer or request of a server, and characters of data in one request."""
_ALL = 1_000_000


class QdrantEngine:
    """One collection, in a folder that is locked against other openings, or on a server.

    `page_size` is how many points one answer or request carries: 256 with a server, any number in a folder.
    Every error is a StoreError with what to do. Not thread-safe: its owner holds a lock.
    """

    def __init__(
        self,
        *,
        folder: Path | None = None,
        address: str = "",
        collection: str,
        key: str | None = None,
        timeout: float,
        synchronous: Literal["NORMAL", "FULL"],
        page_size: int | None = None,
    ) -> None:
        self.place = address or str(folder)
        self._folder, self._collection = folder, collection
        self._synchronous: Literal["NORMAL", "FULL"] = synchronous
        self._timeout = timeout
        self._page = page_size or (_PAGE if folder is None else _ALL)
        self._lock: FolderLock | None = None
        self._dimensions: dict[int, bool] = {}
        """Of which dimensions there are vectors, and whether the engine takes them."""
        if folder is None:
            self._client = connect(address, key=key, timeout=timeout)
        else:
            make_qdrant_folder(folder)
            self._lock = FolderLock(folder)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    @property
    def is_server(self) -> bool:
        """Whether the engine is another process, which others may use, too."""
        return self._folder is None

    # --- reading -----------------------------------------------------------------------------------------------------

    def payloads(self, ids: Iterable[str]) -> dict[str, Payload]:
        """The payloads of those points that are there."""
        found: dict[str, Payload] = {}
        wanted = list(dict.fromkeys(ids))
        for chunk in _chunks(wanted, self._page):
            with self._errors():
                points = self._client.retrieve(self._collection, chunk, with_payload=True)
            found.update((str(point.id), point.payload or {}) for point in points)
        return found

    def ordered(self, wanted: Wanted, *, newest_first: bool = False, limit: int | None = None) -> Iterator[Payload]:
        """The payloads of the wanted points by their place; those of one place in the order of their ids.

        `limit` is how many will do: a hint that keeps the first answer small.
        """
        from qdrant_client import models

        direction = models.Direction.DESC if newest_first else models.Direction.ASC
        size, start, seen = min(limit or _ALL, self._page), None, set[str]()
        while True:
            order = models.OrderBy(key="place", direction=direction, start_from=start)
            with self._errors():
                points, _ = self._client.scroll(
                    self._collection, scroll_filter=_filter(wanted), limit=size, order_by=order, with_payload=True
                )
            fresh = [(str(point.id), point.payload or {}) for point in points if str(point.id) not in seen]
            yield from (
                payload for _, payload in sorted(fresh, key=lambda it: (it[1]["place"], it[0]), reverse=newest_first)
            )
            if len(points) < size or not fresh:
                return
            start = fresh[-1][1]["place"]
            seen = {key for key, payload in fresh if payload["place"] == start}
            size = self._page

    def count(self, wanted: Wanted) -> int:
        """How many points are wanted."""
        with self._errors():
            return self._client.count(self._collection, count_filter=_filter(wanted), exact=True).count

    def namespaces(self, wanted: Wanted) -> set[str]:
        """The namespaces of the wanted points."""
        with self._errors():
            found = self._client.facet(
                self._collection, "namespace", facet_filter=_filter(wanted), limit=_ALL, exact=True
            )
        return {text_of(str(hit.value)) for hit in found.hits}

    def last_place(self) -> int:
        """The highest place of a record or version, 0 where there is none."""
        from qdrant_client import models

        order = models.OrderBy(key="place", direction=models.Direction.DESC)
        with self._errors():
            points, _ = self._client.scroll(self._collection, limit=1, order_by=order, with_payload=["place"])
        return int((points[0].payload or {}).get("place", 0)) if points else 0

    def ranked(
        self, wanted: Wanted, *, text: str, vector: NDArray[np.float32] | None, limit: int
    ) -> list[tuple[Payload, float]]:
        """The wanted points that a text or a vector finds, best first; the scores of both are fused."""
        from qdrant_client import models

        asked: list[tuple[str, Any]] = []
        if (words := sparse_of(text)) is not None:
            asked.append(("words", models.SparseVector(indices=words.indices, values=words.values)))
        if vector is not None and self._dimensions.get(len(vector)) and float(np.abs(vector).max()) > 0:
            asked.append((_vector_name(len(vector)), [float(value) for value in vector]))
        options: dict[str, Any]
        if len(asked) > 1:
            deep = max(100, 4 * limit)
            ways = [models.Prefetch(query=q, using=name, limit=deep, filter=_filter(wanted)) for name, q in asked]
            # By scores, not by ranks: what is equally good stays equal, whatever the engine lists first.
            options = {"prefetch": ways, "query": models.FusionQuery(fusion=models.Fusion.DBSF)}
        elif asked:
            options = {"using": asked[0][0], "query": asked[0][1], "query_filter": _filter(wanted)}
        else:
            return []
        with self._errors():
            found = self._client.query_points(self._collection, limit=limit, with_payload=True, **options).points
        return [(point.payload or {}, point.score) for point in found]

    # --- writing -----------------------------------------------------------------------------------------------------

    def writes_whole(self, changes: Mapping[str, Payload | None]) -> bool:
        """Whether these changes are made all or not at all: a point by itself is."""
        return len(changes) < 2

    def write(self, changes: Mapping[str, Payload | None]) -> None:
        """Put or, for None, delete points; one point is written whole or not at all, several one after the other."""
        from qdrant_client import models

        points = [self._point(key, payload) for key, payload in changes.items() if payload is not None]
        gone: list[Any] = [key for key, payload in changes.items() if payload is None]
        if not self.is_server:
            # The embedded engine only marks what it deletes, and would keep it in memory.
            points += [models.PointStruct(id=key, payload={}, vector={}) for key in gone]
        with self._errors():
            for chunk in _requests(points, self._page):
                self._client.upsert(self._collection, chunk, wait=True)
            for ids in _chunks(gone, self._page):
                self._client.delete(self._collection, models.PointIdsList(points=ids), wait=True)

    def scrub(self, *, anew: bool) -> None:
        """Rewrite the files of a folder, and with `anew` read them again; a server does as it thinks fit."""
        if self._folder is None:
            return
        if not anew:
            vacuum_folder(self._folder)
            return
        with self._errors():
            self._client.close()
        try:
            vacuum_folder(self._folder)
        finally:
            self._open()

    def close(self) -> None:
        """Let the folder or the connections go; calling twice is no error."""
        client: QdrantClient | None = getattr(self, "_client", None)
        if client is not None:
            with suppress(StoreError), self._errors():
                client.close()
        if self._lock is not None:
            self._lock.release()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self._folder is not None:
            self._client = open_folder(
                self._folder, self._collection, synchronous=self._synchronous, timeout=self._timeout
            )
        with self._errors():
            if not self._client.collection_exists(self._collection):
                create_collection(self._client, self._collection)
            if self.is_server:
                self._index_payloads()
            vectors = self._client.get_collection(self._collection).config.params.vectors
        known = vectors if isinstance(vectors, dict) else {}
        self._dimensions = {params.size: True for name, params in known.items() if name == _vector_name(params.size)}

    def _index_payloads(self) -> None:
        from qdrant_client import models

        keyword, integer, number = (getattr(models.PayloadSchemaType, name) for name in ("KEYWORD", "INTEGER", "FLOAT"))
        fields = {"kind": keyword, "namespace": keyword, "terms": keyword, "place": integer, "expires_at": number}
        for field, schema in fields.items():
            self._client.create_payload_index(self._collection, field, schema)

    def _point(self, id: str, payload: Payload) -> models.PointStruct:
        from qdrant_client import models

        sparse, dense = vectors_of(payload)
        vectors: dict[str, Any] = {}
        if sparse is not None:
            vectors["words"] = models.SparseVector(indices=sparse.indices, values=sparse.values)
        if dense is not None and self._takes(len(dense)):
            vectors[_vector_name(len(dense))] = [float(value) for value in dense]
        return models.PointStruct(id=id, payload=payload, vector=vectors)

    def _takes(self, dimension: int) -> bool:
        """Whether vectors of this dimension can be kept; the first one makes room for them."""
        if dimension not in self._dimensions:
            from qdrant_client import models

            config = models.DenseVectorConfig(size=dimension, distance=models.Distance.COSINE)
            name = models.DenseVectorNameConfig(dense=config)
            try:
                with self._errors():
                    self._client.create_vector_name(self._collection, _vector_name(dimension), name)
                self._dimensions[dimension] = True
            except StoreError as error:
                if not self.is_server or "refuses (" not in str(error):
                    raise
                _log.warning("%s: records are kept without their vectors, which only ranking misses", error)
                self._dimensions[dimension] = False
        return self._dimensions[dimension]

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with qdrant_errors(self.place):
            yield


def _vector_name(dimension: int) -> str:
    return f"embedding-{dimension}"


def _filter(wanted: Wanted) -> models.Filter:
    from qdrant_client import models

    def has(key: str, value: str) -> models.FieldCondition:
        return models.FieldCondition(key=key, match=models.MatchValue(value=value))

    must: list[Any] = [has("kind", wanted.kind)]
    if wanted.namespace is not None:
        must.append(has("namespace", name_of(wanted.namespace)))
    must += [has("terms", term) for term in wanted.terms]
    must_not: list[Any] = []
    if wanted.now is not None:
        must_not.append(models.FieldCondition(key="expires_at", range=models.Range(lte=wanted.now)))
    if wanted.besides:
        must_not.append(models.HasIdCondition(has_id=sorted(wanted.besides)))
    return models.Filter(must=must, must_not=must_not or None)


def _chunks(items: Sequence[_T], size: int) -> Iterator[list[_T]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def _requests(points: Sequence[models.PointStruct], page: int) -> Iterator[list[models.PointStruct]]:
    """The points in lists that are small enough to be sent."""
    chunk: list[models.PointStruct] = []
    chars = 0
    for point in points:
        more = len(str((point.payload or {}).get("data", "")))
        if chunk and (len(chunk) == page or chars + more > _SENT_CHARS):
            yield chunk
            chunk, chars = [], 0
        chunk.append(point)
        chars += more
    if chunk:
        yield chunk
