"""Record stores, and the files of attachments."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from amb_core.errors import InvalidParameter
from amb_core.protocols import RecordStore
from amb_core.stores.attachment_files import AttachmentFiles
from amb_core.stores.in_memory import InMemoryStore
from amb_core.stores.json_folder import JsonFolderStore
from amb_core.stores.sqlite_file import SqliteStore

__all__ = [
    "AttachmentFiles",
    "InMemoryStore",
    "JsonFolderStore",
    "SqliteStore",
    "attachment_folder",
    "holds_something",
    "open_store",
]

_KNOWN = (
    "Known are memory://, sqlite:///relative.db and sqlite:////absolute/path.db, "
    "json:///relative-folder and json:////absolute/folder."
)


def open_store(url: str, *, synchronous: Literal["NORMAL", "FULL"] = "NORMAL") -> RecordStore:
    """The store a URL names, created when it does not exist.

    `synchronous` is what a commit waits for (see SqliteStore and JsonFolderStore). Raises InvalidParameter for a URL
    AMB does not know and StoreError when the place cannot be opened.
    """
    if url == "memory://":
        return InMemoryStore()
    match _place(url):
        case ("sqlite", path):
            return SqliteStore(path, synchronous=synchronous)
        case ("json", path):
            return JsonFolderStore(path, synchronous=synchronous)
    raise InvalidParameter(f"{url!r} names no store AMB knows. {_KNOWN}")


def attachment_folder(url: str) -> Path | None:
    """Where a store's attachments are kept beside it; None for a URL without a place on disk."""
    match _place(url):
        case ("sqlite", path):
            return Path(f"{path}.files").absolute()
        case ("json", path):
            return (Path(path) / "files").absolute()
    return None


def holds_something(url: str) -> bool:
    """Whether there is anything at the place a URL names, which opening it would otherwise create."""
    match _place(url):
        case ("sqlite", path):
            return Path(path).exists()
        case ("json", path):
            return any(Path(path).glob("*.jsonl"))
    return True


def _place(url: str) -> tuple[str, str] | None:
    scheme, separator, path = url.partition(":///")
    known = scheme in ("sqlite", "json") and path not in ("", ":memory:") and "\0" not in path
    return (scheme, path) if separator and known else None
