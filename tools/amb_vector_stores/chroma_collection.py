"""Opening Chroma in a folder: the client, what went wrong, and the indices a killed process may have left half-written.

Chroma keeps records in one SQLite file, safely, and its index of vectors in files beside it that it writes in place: a
process that is killed then leaves an index that cannot be read. So a folder that was not closed loses these indices at
the next opening, and they are made anew from the records. Nothing else here reads Chroma's SQLite file: Python has an
SQLite of its own, and two of them in one process undo each other's locks.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from amb_core.errors import AmbError, MissingExtra, StoreCorrupt, StoreError, StoreLocked
from amb_core.stores.sqlite_schema import translated
from amb_core.stores.store_folder import folder_errors, make_folder

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

__all__ = [
    "check_room",
    "chroma_errors",
    "database_of",
    "drop_indices",
    "make_chroma_folder",
    "open_client",
    "say_closed",
    "was_cut_off",
]

_DATABASE, _OPEN = "chroma.sqlite3", "opened"
_OURS = {"lock", _OPEN, _DATABASE, f"{_DATABASE}-wal", f"{_DATABASE}-shm", f"{_DATABASE}-journal", "files"}
_ROOM = 32_000_000
"""Bytes that must be free for a write, besides what it writes; SQLite and the index need some to work in."""


def database_of(folder: Path) -> Path:
    """The SQLite file of a folder."""
    return folder / _DATABASE


def make_chroma_folder(folder: Path) -> None:
    """Make the folder; one with other files in it is left alone. MissingExtra without Chroma, and nothing is made."""
    if find_spec("chromadb") is None:
        raise MissingExtra("chromadb", extra="chroma")
    with folder_errors(folder):
        make_folder(folder, is_ours=_OURS.__contains__, mark=_DATABASE)


def open_client(folder: Path) -> ClientAPI:
    """Chroma's own client on the folder, without telemetry; the folder counts as not closed from now on."""
    import chromadb

    with chroma_errors(folder):
        (folder / _OPEN).touch()
        return chromadb.PersistentClient(str(folder), settings=chromadb.Settings(anonymized_telemetry=False))


def was_cut_off(folder: Path) -> bool:
    """Whether the folder was opened and never closed."""
    return (folder / _OPEN).exists()


def say_closed(folder: Path) -> None:
    """Note that all indices are whole."""
    (folder / _OPEN).unlink(missing_ok=True)


def drop_indices(folder: Path, collections: re.Pattern[str]) -> None:
    """Remove the index files of the collections with such names; nobody may have the folder open."""
    if not database_of(folder).exists():
        return
    sql = "SELECT s.id, c.name FROM segments s JOIN collections c ON c.id = s.collection WHERE s.scope = 'VECTOR'"
    with chroma_errors(folder), closing(sqlite3.connect(database_of(folder), timeout=5.0)) as database:
        try:
            found = database.execute(sql).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # cut off before it was made
                return
            raise
    for segment, name in found:
        if collections.fullmatch(name):
            shutil.rmtree(folder / str(segment), ignore_errors=True)


def check_room(folder: Path, chars: int) -> None:
    """StoreError where the disk has no room for a write of so many characters: on a full one Chroma stops for good."""
    with chroma_errors(folder):
        free = shutil.disk_usage(folder).free
    if free < _ROOM + 8 * chars:
        raise StoreError(f"{folder} could not be written (No space left on device); free disk space, then repeat.")


@contextmanager
def chroma_errors(folder: Path) -> Iterator[None]:
    """Any error of Chroma inside as a StoreError that says what it means for the user."""
    with folder_errors(folder):
        try:
            yield
        except (AmbError, OSError):
            raise
        except sqlite3.Error as error:
            raise translated(error, folder) from error
        except Exception as error:  # Chroma's own errors have no ancestor that could be named without importing it
            raise _refusal(error, folder) from error


def _refusal(error: Exception, folder: Path) -> StoreError:
    text = " ".join(str(error).split())
    if "is locked" in text or "is busy" in text:
        return StoreLocked(f"{folder} is being written by another program; try again in a moment.")
    if "malformed" in text or "not a database" in text:
        return StoreCorrupt(f"{folder} cannot be read back ({text[:200]}); restore the folder from a backup.")
    if "is full" in text or "disk I/O" in text:
        return StoreError(f"{folder} could not be written ({text[:200]}); free disk space, then repeat.")
    return StoreError(f"{folder}: Chroma refuses ({text[:200]}); open the store again.")
