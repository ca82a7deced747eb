"""A record store in Chroma, embedded in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from amb_core.stores.openers import FolderOpener
from amb_vector_stores.chroma_engine import ChromaEngine
from amb_vector_stores.point_store import PointStore

__all__ = ["ChromaStore", "opener"]


class ChromaStore(PointStore):
    """Records as rows of Chroma's collections in the folder `place`, which has one opening of AMB at a time.

    Vectors are your own (the field `embedding`): Chroma computes none, fetches nothing and reports nothing. Chroma's
    own client may read the folder beside it, by native metadata. Everything is kept in memory as well: it is for some
    ten thousand records. A commit waits for the disk, and a killed process loses nothing that was committed. Deleted
    text stays in Chroma's files until it overwrites them: this store offers no `scrub`.
    """

    def __init__(self, place: str | Path) -> None:
        super().__init__(ChromaEngine(Path(place).absolute()))


def _open(path: str, *, synchronous: Literal["NORMAL", "FULL"]) -> ChromaStore:
    return ChromaStore(path)


opener = FolderOpener(_open, mark="chroma.sqlite3")
