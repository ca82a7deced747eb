"""A record store in Qdrant: embedded in a folder, or a server."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from amb_core.errors import InvalidParameter, StoreError
from amb_core.stores.openers import FolderOpener
from amb_vector_stores.point_store import PointStore
from amb_vector_stores.qdrant_collection import checked_collection, environment_key, server_of
from amb_vector_stores.qdrant_engine import QdrantEngine

__all__ = ["QdrantStore", "opener", "server_opener"]


class QdrantStore(PointStore):
    """Records as points of one collection, of the embedded engine in `place`, or of a server at `qdrant+http://…`.

    The embedded engine keeps everything in memory and looks at every point for a search: it is for some ten thousand
    records, one opening at a time. On a server several openings see each other's commits, but are not kept apart:
    let one at a time write. A killed process loses nothing that was committed; a power cut may lose the last commits
    of a folder with `synchronous="NORMAL"` and nothing with `"FULL"`. `timeout` is how many seconds a server may take
    for an answer, or another program may keep a folder's file locked, and `page_size` how many points are sent or
    asked for at once. The key of a server is `key`, or QDRANT_API_KEY in the environment.
    """

    def __init__(
        self,
        place: str | Path,
        *,
        collection: str | None = None,
        key: str | None = None,
        timeout: float = 5.0,
        synchronous: Literal["NORMAL", "FULL"] = "NORMAL",
        page_size: int | None = None,
    ) -> None:
        if synchronous not in ("NORMAL", "FULL"):
            raise InvalidParameter(f"synchronous is {synchronous!r}; pass 'NORMAL' or 'FULL'.")
        if page_size is not None and page_size < 1:
            raise InvalidParameter(f"page_size is {page_size}; pass 1 or more, or None.")
        if not timeout >= 1:
            raise InvalidParameter(f"timeout is {timeout!r}; pass a number of seconds, 1 or more.")
        folder, address, name = None, "", collection or "amb"
        if isinstance(place, str) and place.startswith("qdrant+"):
            address, named = server_of(place)
            name = collection or named
        else:
            folder = Path(place).absolute()
        self._qdrant = QdrantEngine(
            folder=folder,
            address=address,
            collection=checked_collection(name),
            key=key or environment_key(),
            timeout=timeout,
            synchronous=synchronous,
            page_size=page_size,
        )
        super().__init__(self._qdrant)

    def scrub(self, *, vacuum: bool = True) -> None:
        """Make sure that deleted text is in no file of a folder, by rewriting its files.

        `vacuum` opens them anew besides, which empties the room that deleted points take up in memory. A server
        removes what was deleted from its files by itself, some time after.
        """
        with self._open():
            if self._depth:
                raise StoreError("a store cannot be scrubbed inside a transaction; call scrub() after it.")
            self._qdrant.scrub(anew=vacuum)


class _ServerOpener:
    """Opens a server, qdrant+http://host:port or qdrant+https://host:port."""

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> QdrantStore:
        return QdrantStore(url, synchronous=synchronous)

    def folder(self, url: str) -> None:
        return None

    def holds_something(self, url: str) -> bool:
        return True


opener = FolderOpener(QdrantStore, mark="meta.json")
server_opener = _ServerOpener()
