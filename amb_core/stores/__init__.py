"""Record stores, the files of attachments, and the text of the files that are read.

open_store (below)    the store a URL names; openers.py: how a store's module says that it opens one
in_memory.py          memory://
sqlite_file.py        sqlite:///, with sqlite_schema.py, and sqlite_residue.py for what deleted rows leave
json_folder.py        json:///, with journal_lines.py and folder_lock.py
store_folder.py       a folder for one store alone
record_codec.py       what every store checks; presence.py: whether an open file is still there
attachment_files.py   the files of attachments; attachment_rows.py: those in a database
bank_folders.py       a folder of banks

Qdrant and Chroma are in a package of their own, `amb_vector_stores`, as any store by URL may be.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from amb_core.deferred import deferred
from amb_core.errors import InvalidParameter
from amb_core.protocols import RecordStore
from amb_core.registry import registered
from amb_core.stores import in_memory
from amb_core.stores.in_memory import InMemoryStore

if TYPE_CHECKING:
    from amb_core.stores.attachment_files import AttachmentFiles
    from amb_core.stores.json_folder import JsonFolderStore
    from amb_core.stores.openers import FileOpener, FolderOpener, StoreOpener
    from amb_core.stores.sqlite_file import SqliteStore

__all__ = [
    "AttachmentFiles",
    "FileOpener",
    "FolderOpener",
    "InMemoryStore",
    "JsonFolderStore",
    "SqliteStore",
    "StoreOpener",
    "attachment_folder",
    "holds_something",
    "open_store",
]

_own = deferred(
    __name__,
    {
        "AttachmentFiles": "attachment_files",
        "JsonFolderStore": "json_folder",
        "SqliteStore": "sqlite_file",
        **dict.fromkeys(("FileOpener", "FolderOpener", "StoreOpener"), "openers"),
    },
)
_MOVED = {"ChromaStore": "chroma", "QdrantStore": "qdrant"}


def __getattr__(name: str) -> Any:
    if name not in _MOVED:
        return _own(name)
    module = registered("amb.stores")[_MOVED[name]].module
    warnings.warn(f"amb_core.stores.{name} is in {module} now", DeprecationWarning, stacklevel=2)
    return getattr(import_module(module), name)


def open_store(url: str, *, synchronous: Literal["NORMAL", "FULL"] = "NORMAL") -> RecordStore:
    """The store a URL names, created when it does not exist.

    `synchronous` is what a commit waits for (see SqliteStore and JsonFolderStore); Chroma always waits for the disk.
    Raises InvalidParameter for a URL AMB does not know, MissingExtra for Qdrant or Chroma without its package, and
    StoreError when the place cannot be opened.
    """
    opener = _opener(url)
    if opener is None:
        known = ", ".join(registered("amb.stores")) or "none (AMB itself is not installed here, only on the path)"
        raise InvalidParameter(
            f"{url!r} names no store AMB knows. The schemes it knows are {known}. "
            "A place on this disk is written like sqlite:///relative/path or sqlite:////absolute/path."
        )
    return opener.open(url, synchronous=synchronous)


def attachment_folder(url: str) -> Path | None:
    """Where a store's attachments are kept beside it; None for a URL without a place on disk."""
    opener = _opener(url)
    return None if opener is None else opener.folder(url)


def holds_something(url: str) -> bool:
    """Whether there is anything at the place a URL names, which opening it would create; a server is not asked."""
    opener = _opener(url)
    return opener is None or opener.holds_something(url)


def _opener(url: str) -> StoreOpener | None:
    """What opens URLs with this scheme; the default of every bank needs no look-up."""
    if url == "memory://":
        return in_memory.opener
    point = registered("amb.stores").get(url.partition("://")[0])
    return None if point is None else point.load()
