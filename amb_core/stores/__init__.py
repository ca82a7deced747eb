"""Record stores, and the files of attachments."""

from __future__ import annotations

from typing import Literal

from amb_core.errors import InvalidParameter
from amb_core.protocols import RecordStore
from amb_core.stores.attachment_files import AttachmentFiles
from amb_core.stores.in_memory import InMemoryStore
from amb_core.stores.sqlite_file import SqliteStore

__all__ = ["AttachmentFiles", "InMemoryStore", "SqliteStore", "open_store"]

_KNOWN = "Known are memory://, sqlite:///relative.db and sqlite:////absolute/path.db."


def open_store(url: str, *, synchronous: Literal["NORMAL", "FULL"] = "NORMAL") -> RecordStore:
    """The store a URL names, created when it does not exist.

    `synchronous` is what a SQLite file waits for at a commit (see SqliteStore). Raises InvalidParameter for a URL AMB
    does not know and StoreError when the place cannot be opened.
    """
    if url == "memory://":
        return InMemoryStore()
    scheme, separator, path = url.partition(":///")
    if separator and scheme == "sqlite" and path not in ("", ":memory:") and "\0" not in path:
        return SqliteStore(path, synchronous=synchronous)
    raise InvalidParameter(f"{url!r} names no store AMB knows. {_KNOWN}")
