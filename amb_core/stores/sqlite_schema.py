"""Opening a SQLite file as a record store: recognising it, migrating it, and naming what went wrong."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from amb_core.errors import StoreCorrupt, StoreError, StoreLocked, StoreVersionError
from amb_core.file_writer import write_file

__all__ = [
    "APPLICATION_ID",
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "backups",
    "close_database",
    "enter_wal",
    "open_database",
    "translated",
]

_log = logging.getLogger("amb.stores")

APPLICATION_ID = 0x414D4231  # "AMB1", so that another program's database is never taken for ours

# Statement group n turns schema n into schema n + 1; a new file goes through all of them. Groups are never edited.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE records (
            place INTEGER PRIMARY KEY, namespace NOT NULL, id NOT NULL, data NOT NULL,
            created_at REAL NOT NULL, updated_at REAL NOT NULL, expires_at REAL,
            UNIQUE (namespace, id))""",
        "CREATE INDEX records_in_order ON records (namespace, place)",
        # Never read or written; it stays because an older AMB that opens this schema counts on it.
        """CREATE TABLE links (
            place INTEGER PRIMARY KEY, namespace NOT NULL, a NOT NULL, b NOT NULL, data NOT NULL,
            UNIQUE (namespace, a, b))""",
        "CREATE INDEX links_from_b ON links (namespace, b)",
    ),
    (
        """CREATE TABLE versions (
            place INTEGER PRIMARY KEY, namespace NOT NULL, id NOT NULL, data NOT NULL,
            created_at REAL NOT NULL, updated_at REAL NOT NULL, expires_at REAL)""",
        "CREATE INDEX versions_of_record ON versions (namespace, id)",
    ),
)
SCHEMA_VERSION = len(MIGRATIONS)

_MOMENT = 0.05
"""Seconds in which another process that is just opening or closing the file has done so."""
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_MAGIC = b"SQLite format 3\0"
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def translated(error: sqlite3.Error, path: Path) -> StoreError:
    """The StoreError that says what a failed statement means for the user."""
    code = getattr(error, "sqlite_errorcode", None)
    code = code & 0xFF if isinstance(code, int) else None
    if code in _LOCKED:
        return StoreLocked(f"{path} is in use by another process; close it there, or try again in a moment.")
    if code in _CORRUPT:
        return StoreCorrupt(f"{path} cannot be read as a memory file ({error}); restore it from a backup.")
    if code == sqlite3.SQLITE_CANTOPEN:
        if os.path.isdir(path):  # of a name that is too long `Path.is_dir` raises
            return StoreError(
                f"{path} cannot be opened: it is a folder. Name a file in it, or open one user's bank by Banks(url)."
            )
        return StoreError(f"{path} cannot be opened; check that it is a file you may read and write.")
    if code == sqlite3.SQLITE_READONLY:
        return StoreError(f"{path} is read-only; make it and its folder writable.")
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return StoreError(f"{path} could not be written ({error}); free disk space or check the disk, then repeat.")
    return StoreError(f"{path}: {error}")


def open_database(path: Path, *, synchronous: Literal["NORMAL", "FULL"], busy_timeout: float) -> sqlite3.Connection:
    """A connection to the file at the current schema, created or migrated as needed; raises StoreError and children.

    Text comes back as bytes, so that one damaged row cannot fail the reading of the others.
    """
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} does not exist; create it, or store the memory elsewhere.")
    connection: sqlite3.Connection | None = None
    try:
        head, journal = _head(path), path.with_name(f"{path.name}-journal")
        if head and not head.startswith(_MAGIC) and not journal.exists():  # SQLite takes a short file for empty
            raise StoreCorrupt(f"{path} cannot be read as a memory file (it is no database); restore it from a backup.")
        lacks_log = _is_without_its_log(path)
        if lacks_log:
            time.sleep(_MOMENT)
            lacks_log = _is_without_its_log(path)
        connection = _connect(path, busy_timeout)
        version = _recognised_version(connection, path)
        connection.execute("PRAGMA synchronous = NORMAL")  # for the step itself, which takes several waits otherwise
        if not enter_wal(connection, path, busy_timeout=busy_timeout):
            synchronous = "FULL"
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        connection.execute("PRAGMA wal_autocheckpoint = 4000").fetchall()  # fewer waits for the disk than with 1000
        if version < SCHEMA_VERSION:
            _migrate(connection, path, busy_timeout)
        if lacks_log:
            _log.warning(
                "%s was not closed, and its write-ahead log %s-wal is not beside it: what was written last may be "
                "missing. Copy both files, or close the store before you copy it.", path, path.name
            )  # fmt: skip
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise translated(error, path) from error
        if isinstance(error, UnicodeDecodeError):  # SQLite names a broken table in its message
            raise translated(sqlite3.DatabaseError("the file is damaged"), path) from error
        raise
    return connection


def close_database(connection: sqlite3.Connection, opened_by: int) -> None:
    """Close a connection of a process; the last one to a file leaves it whole, without a log beside it.

    A file that says it has a log, and has none beside it, was therefore separated from it. A copy of the process has no
    lock on the file, so it does nothing.
    """
    if os.getpid() != opened_by:
        return
    with suppress(sqlite3.Error):  # others are at work in the file: the last of them does it
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA busy_timeout = 0").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    connection.close()


def enter_wal(connection: sqlite3.Connection, path: Path, *, busy_timeout: float) -> bool:
    """Have the file write a log ahead; where the file system allows none, say so in the log `amb.stores`."""
    mode = _mode_set(connection, busy_timeout)
    if mode != b"wal":
        _log.warning(
            "%s is kept without a write-ahead log, which its file system does not allow: every commit waits for the "
            "disk, and readers and writers wait for each other. A local disk is faster.", path
        )  # fmt: skip
    return mode == b"wal"


def _is_without_its_log(path: Path) -> bool:
    """Whether the file says that it has a log and there is none."""
    return _head(path)[18:] == b"\2" and not path.with_name(f"{path.name}-wal").exists()


def _head(path: Path) -> bytes:
    """What a file begins with; nothing where there is none."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(19)
    return b""


def backups(path: Path) -> list[Path]:
    """The files that migrations of the store at `path` have left beside it."""
    return [found for old in range(1, SCHEMA_VERSION) if (found := _backup_path(path, old)).exists()]


def _backup_path(path: Path, version: int) -> Path:
    return path.with_name(f"{path.name}.schema-{version}.bak")


def _connect(path: Path, busy_timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
    connection.text_factory = bytes
    return connection


def _mode_set(connection: sqlite3.Connection, busy_timeout: float) -> bytes:
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            return bytes(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            # For this one step SQLite does not wait by itself while another process takes it too.
            if error.sqlite_errorcode & 0xFF not in _LOCKED or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def _recognised_version(connection: sqlite3.Connection, path: Path) -> int:
    # One statement, so that another process creating the file is seen before or after, not half-way.
    application, version, tables = connection.execute(
        """SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
        FROM pragma_application_id, pragma_user_version"""
    ).fetchone()
    if application != APPLICATION_ID:
        if version or tables:
            raise StoreCorrupt(f"{path} is another program's database; name a new file for the memory.")
        return 0
    if version > SCHEMA_VERSION:
        raise StoreVersionError(
            f"{path} has schema {version}, this AMB knows {SCHEMA_VERSION}; upgrade AMB to open it. It was not changed."
        )
    return int(version)


def _migrate(connection: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _recognised_version(connection, path)  # again: another process may have been quicker
        if 0 < version < SCHEMA_VERSION:
            _back_up(path, version, busy_timeout)
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _back_up(path: Path, version: int, busy_timeout: float) -> None:
    """Copy the store as it is, under a temporary name until it is whole."""
    target = _backup_path(path, version)
    with write_file(target) as unfinished:
        unfinished.unlink(missing_ok=True)
        # A second connection reads the committed state while the first one keeps every writer out.
        with closing(_connect(path, busy_timeout)) as source, closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
