"""Record stores, and how what is in them is deleted.

openers.py            open_store: the store a URL names; and how a store's module says that it opens one
in_memory.py          memory://
sqlite_file.py        sqlite:///, with sqlite_schema.py
json_folder.py        json:///, with journal_lines.py
store_folder.py       a folder for one store alone, its lock, and whether an open file is still there
transaction_block.py  the blocks of a transaction
record_codec.py       what every store checks
store_log.py          the numbered log of changes in a store, which is also the audit, and who follows it
eraser.py             deletion down to the bytes

Qdrant and Chroma are in a package of their own, `amb_vector_stores`, as any store by URL may be.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

from amb_core.deferred import deferred
from amb_core.registry import registered
from amb_core.stores.openers import (
    FileOpener,
    FolderOpener,
    StoreOpener,
    attachment_folder,
    holds_something,
    open_store,
)

if TYPE_CHECKING:
    from amb_core.stores.in_memory import InMemoryStore
    from amb_core.stores.json_folder import JsonFolderStore
    from amb_core.stores.record_codec import checked_query, checked_record, decode, encode, matches
    from amb_core.stores.sqlite_file import SqliteStore

__all__ = [
    "FileOpener",
    "FolderOpener",
    "InMemoryStore",
    "JsonFolderStore",
    "SqliteStore",
    "StoreOpener",
    "attachment_folder",
    "checked_query",
    "checked_record",
    "decode",
    "encode",
    "holds_something",
    "matches",
    "open_store",
]

_own = deferred(
    __name__,
    {
        "AttachmentFiles": "/amb_files",
        "InMemoryStore": "in_memory",
        **dict.fromkeys(("checked_query", "checked_record", "decode", "encode", "matches"), "record_codec"),
        "JsonFolderStore": "json_folder",
        "SqliteStore": "sqlite_file",
    },
)
_MOVED = {"ChromaStore": "chroma", "QdrantStore": "qdrant"}


def __getattr__(name: str) -> Any:
    if name not in _MOVED:
        return _own(name)
    module = registered("amb.stores")[_MOVED[name]].module
    warnings.warn(f"amb_core.stores.{name} is in {module} now", DeprecationWarning, stacklevel=2)
    return getattr(import_module(module), name)
