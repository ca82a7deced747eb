"""Record stores, and the files of attachments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from amb_core.deferred import deferred
from amb_core.errors import InvalidParameter
from amb_core.protocols import RecordStore
from amb_core.stores.attachment_files import AttachmentFiles
from amb_core.stores.in_memory import InMemoryStore
from amb_core.stores.json_folder import JsonFolderStore
from amb_core.stores.sqlite_file import SqliteStore

if TYPE_CHECKING:
    from amb_core.stores.chroma_store import ChromaStore
    from amb_core.stores.qdrant_store import QdrantStore

__all__ = [
    "AttachmentFiles",
    "ChromaStore",
    "InMemoryStore",
    "JsonFolderStore",
    "QdrantStore",
    "SqliteStore",
    "attachment_folder",
    "holds_something",
    "open_store",
]

__getattr__ = deferred(__name__, {"ChromaStore": "chroma_store", "QdrantStore": "qdrant_store"})

_KNOWN = (
    "Known are memory://, sqlite:///relative.db and sqlite:////absolute/path.db, "
    "json:///relative-folder and json:////absolute/folder, qdrant:///relative-folder and qdrant:////absolute/folder, "
    "qdrant+http://host:6333 and qdrant+https://host:6333, chroma:///relative-folder and chroma:////absolute/folder."
)


def open_store(url: str, *, synchronous: Literal["NORMAL", "FULL"] = "NORMAL") -> RecordStore:
    """The store a URL names, created when it does not exist.

    `synchronous` is what a commit waits for (see SqliteStore and JsonFolderStore); Chroma always waits for the disk.
    Raises InvalidParameter for a URL AMB does not know, MissingExtra for Qdrant or Chroma without its package, and
    StoreError when the place cannot be opened.
    """
    if url == "memory://":
        return InMemoryStore()
    match _place(url):
        case ("sqlite", path):
            return SqliteStore(path, synchronous=synchronous)
        case ("json", path):
            return JsonFolderStore(path, synchronous=synchronous)
        case ("qdrant", path):
            return _qdrant(path, synchronous=synchronous)
        case ("chroma", path):
            return _chroma(path)
    if url.startswith(("qdrant+http://", "qdrant+https://")):
        return _qdrant(url, synchronous=synchronous)
    raise InvalidParameter(f"{url!r} names no store AMB knows. {_KNOWN}")


def _qdrant(place: str, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore:
    from amb_core.stores.qdrant_store import QdrantStore

    return QdrantStore(place, synchronous=synchronous)


def _chroma(place: str) -> RecordStore:
    from amb_core.stores.chroma_store import ChromaStore

    return ChromaStore(place)


def attachment_folder(url: str) -> Path | None:
    """Where a store's attachments are kept beside it; None for a URL without a place on disk."""
    match _place(url):
        case ("sqlite", path):
            return Path(f"{path}.files").absolute()
        case ("json" | "qdrant" | "chroma", path):
            return (Path(path) / "files").absolute()
    return None


def holds_something(url: str) -> bool:
    """Whether there is anything at the place a URL names, which opening it would create; a server is not asked."""
    match _place(url):
        case ("sqlite", path):
            return Path(path).exists()
        case ("json", path):
            return any(Path(path).glob("*.jsonl"))
        case ("qdrant", path):
            return (Path(path) / "meta.json").exists()
        case ("chroma", path):
            return (Path(path) / "chroma.sqlite3").exists()
    return True


def _place(url: str) -> tuple[str, str] | None:
    scheme, separator, path = url.partition(":///")
    known = scheme in ("sqlite", "json", "qdrant", "chroma") and path.strip() not in ("", ":memory:")
    return (scheme, path) if separator and known and _is_a_path(path) else None


def _is_a_path(path: str) -> bool:
    """Whether the system has a form for this path."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False
