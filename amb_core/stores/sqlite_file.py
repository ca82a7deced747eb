"""A record store in one SQLite file."""

from __future__ import annotations

import os
import re
import sqlite3
import weakref
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import JsonValue

from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError, StoreLocked
from amb_core.protocols import Capabilities, Changed, Record, RecordQuery
from amb_core.stores.openers import FileOpener
from amb_core.stores.record_codec import (
    checked_query,
    checked_record,
    decode,
    encode,
    matches,
    storable,
)
from amb_core.stores.sqlite_schema import backups, close_database, open_database, translated
from amb_core.stores.store_folder import check_there, identity_of
from amb_core.stores.transaction_block import TransactionBlock

__all__ = ["SqliteStore", "opener"]

_Value: TypeAlias = str | bytes | float | None

_COLUMNS = "namespace, id, data, created_at, updated_at, expires_at"
_PUT = f"""INSERT INTO records ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (namespace, id) DO UPDATE SET data = excluded.data, created_at = excluded.created_at,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at"""
_KEEP = f"INSERT INTO versions ({_COLUMNS}) SELECT {_COLUMNS} FROM records WHERE namespace = ? AND id = ?"
# What SQL can decide without a doubt about quoting; the rest, and every final word, is `matches`.
_PLAIN_PLACE = re.compile(r"\$(\.[A-Za-z_][A-Za-z0-9_]*){1,2}")
_PLAIN_VALUE = re.compile(r"[^\x00-\x1f\ud800-\udfff]*")
_FIELD_IS = """ AND (typeof(data) <> 'text'
    OR CASE WHEN json_valid(data) THEN json_extract(data, ?) = ? ELSE 0 END)"""


_LOOKED_FOR = 50
"""Deleted rows that are looked for one by one."""


class SqliteStore:
    """Records in a SQLite file in WAL mode; what is deleted is overwritten.

    One connection serves all threads under one lock, and several processes may have the file open. A killed process
    loses nothing that was committed; a power cut may lose the last commits with `synchronous="NORMAL"` and nothing
    with `"FULL"`. A writer waits `busy_timeout` seconds for another process before it raises StoreLocked.
    """

    def __init__(
        self, path: str | Path, *, synchronous: Literal["NORMAL", "FULL"] = "NORMAL", busy_timeout: float = 5.0
    ) -> None:
        if synchronous not in ("NORMAL", "FULL"):
            raise InvalidParameter(f"synchronous is {synchronous!r}; pass 'NORMAL' or 'FULL'.")
        self._path = Path(path).absolute()
        self.lock = CallLock(repair=self._renew, forks=False)
        self._blocks = 0
        self._deleted: set[bytes] = set()
        self._connection: sqlite3.Connection | None = open_database(
            self._path, synchronous=synchronous, busy_timeout=busy_timeout
        )
        self._close = weakref.finalize(self, close_database, self._connection, os.getpid())  # also without close()
        self._identity = identity_of(self._path)

    @property
    def path(self) -> Path:
        """Where the file is (absolute)."""
        return self._path

    @property
    def capabilities(self) -> Capabilities:
        """Durable; several threads and processes may work on it."""
        return Capabilities(durable=True, concurrent=True)

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; InvalidParameter when one is not JSON."""
        rows = [_row(record) for record in records]
        with self.transaction():
            for row in rows:
                if keep_history:
                    self._run(_KEEP, row[:2])
                self._run(_PUT, row)

    def get(self, namespace: str, id: str) -> Record | None:
        """The record, or None; StoreCorrupt when it is there but cannot be read back."""
        sql = f"SELECT {_COLUMNS} FROM records WHERE namespace = ? AND id = ?"
        with self.lock:
            row = self._run(sql, (storable(namespace), storable(id))).fetchone()
        if row is None:
            return None
        record = _record(row)
        if record is None:
            raise StoreCorrupt(f"record {id!r} in {namespace!r} cannot be read back; put it again or delete it.")
        return record

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many records there were."""
        within, deleted = storable(namespace), 0
        with self.transaction():
            for key in map(storable, ids):
                deleted += self._run("DELETE FROM records WHERE namespace = ? AND id = ?", (within, key)).rowcount
                self._run("DELETE FROM versions WHERE namespace = ? AND id = ?", (within, key))
                if len(self._deleted) <= _LOOKED_FOR:
                    row = [column.encode() if isinstance(column, str) else column for column in (within, key)]
                    self._deleted.add(b"".join(row) + b"{")
        return deleted

    def search(self, query: RecordQuery) -> list[Record]:
        """The matching readable records in insertion order, or newest first."""
        checked_query(query)
        sql = [f"SELECT {_COLUMNS} FROM records INDEXED BY records_in_order WHERE namespace = ?"]
        values: list[_Value] = [storable(query.namespace)]
        if query.now is not None:
            sql.append(" AND (expires_at IS NULL OR expires_at > ?)")
            values.append(query.now)
        for place, value in _compared(query):
            if isinstance(value, str) and _PLAIN_PLACE.fullmatch(place) and _PLAIN_VALUE.fullmatch(value):
                sql.append(_FIELD_IS)
                values += (place, value)
        sql.append(f" ORDER BY place {'DESC' if query.newest_first else 'ASC'}")
        with self.lock, closing(self._rows("".join(sql), values)) as rows:
            readable = (record for row in rows if (record := _record(row)) and matches(record.data, query))
            return list(islice(readable, query.limit))

    def history(self, namespace: str, id: str) -> list[Record]:
        """The replaced versions that were kept and can be read, oldest first."""
        sql = f"SELECT {_COLUMNS} FROM versions WHERE namespace = ? AND id = ? ORDER BY place"
        with self.lock:
            rows = list(self._rows(sql, (storable(namespace), storable(id))))
        return [record for row in rows if (record := _record(row))]

    def rows(self, prefix: str) -> list[tuple[bytes, bytes, bytes]]:
        """Namespace, id and data of every record whose namespace begins so, in insertion order, as they are stored.

        Empty bytes stand for data that are neither text nor bytes.
        """
        # One scan of the table is several times faster than a walk along the index; `prefix` leaves out hardly a row.
        sql = """SELECT namespace, id, CASE WHEN typeof(data) IN ('text', 'blob') THEN data ELSE x'' END FROM records
            WHERE substr(CAST(namespace AS BLOB), 1, ?) = ? ORDER BY place"""
        begin = prefix.encode("utf-8", "surrogatepass")
        with self.lock:
            cursor = self._run(sql, (len(begin), begin))
            try:
                return cursor.fetchall()
            except sqlite3.Error as error:
                raise translated(error, self._path) from error

    def damaged(self, namespace: str) -> list[str]:
        """Ids of records that are there but cannot be read back, in insertion order."""
        sql = f"SELECT {_COLUMNS} FROM records INDEXED BY records_in_order WHERE namespace = ? ORDER BY place"
        with self.lock:
            return [_text(row[1]) for row in self._rows(sql, (storable(namespace),)) if _record(row) is None]

    def namespaces(self, prefix: str = "") -> list[str]:
        """The namespaces that hold records and begin with `prefix`, by a step of the index for each there is."""
        # The order of the index ends with the bytes of names that are no valid Unicode; Python has the final word.
        sql = """WITH RECURSIVE names(name) AS (
            SELECT * FROM (SELECT namespace FROM records INDEXED BY records_in_order ORDER BY namespace LIMIT 1)
            UNION ALL SELECT (SELECT namespace FROM records INDEXED BY records_in_order
                WHERE namespace > name ORDER BY namespace LIMIT 1) FROM names WHERE name IS NOT NULL)
            SELECT name FROM names WHERE name IS NOT NULL"""
        with self.lock:
            names = [_text(row[0]) for row in self._rows(sql, ())]
        return sorted(name for name in names if name.startswith(prefix))

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """How many records there are, damaged ones included; `now` leaves out the expired, which reads every row."""
        sql = "SELECT count(*) FROM records INDEXED BY records_in_order WHERE namespace = ?"
        values: list[_Value] = [storable(namespace)]
        if now is not None:
            sql += " AND NOT coalesce(expires_at <= ?, 0)"
            values.append(now)
        with self.lock:
            return int(next(self._rows(sql, values))[0])

    def transaction(self) -> AbstractContextManager[None]:
        """All writes of the block or, when it raises, none; an inner block commits with the outermost one."""
        return TransactionBlock(self)

    def begin_block(self) -> int:
        """Begin a block of a transaction; returns how many others it is inside of (the lock held)."""
        outer = max(self._blocks, 1) if self._in_transaction else 0
        if not outer and self._connection is not None:
            check_there(self._path, self._identity)
        self._run(f"SAVEPOINT block_{outer}" if outer else "BEGIN IMMEDIATE")
        self._blocks = outer + 1
        return outer

    def keep_block(self, begun: int) -> None:
        """End a block, the outermost one by a commit."""
        self._run(f"RELEASE block_{begun}" if begun else "COMMIT")
        self._blocks = begun

    def undo_block(self, begun: int) -> None:
        """End a block, and take back what it has written, if SQLite has not done so itself."""
        self._blocks = begun
        if not self._in_transaction:
            return
        if not begun:
            self._run("ROLLBACK")
            return
        try:
            self._run(f"ROLLBACK TO block_{begun}")
            self._run(f"RELEASE block_{begun}")
        except StoreError as error:
            # A call that is stopped just behind the end of a block has none to undo: it is whole.
            if "no such savepoint" not in str(error.__cause__):
                raise

    def change_number(self) -> int:
        """A number that differs from every earlier one when this or another process has changed the file since."""
        with self.lock:
            version = self._run("PRAGMA data_version").fetchone()[0]  # this says what others have committed
            return (int(version) << 48) + (0 if self._connection is None else self._connection.total_changes)

    def may_be_ahead(self, number: int) -> bool:
        """Whether anything was changed since `change_number` gave this number; False while that cannot be asked."""
        try:
            return self.change_number() != number
        except StoreError:
            return False

    def changes_after(self, number: int, *, prefix: str) -> Changed | None:
        """Always None: what was changed is not written down."""
        return None

    def scrub(self, *, vacuum: bool = True) -> None:
        """Make sure that deleted text is in no file of this store: main file, write-ahead log, migration backups.

        Overwriting alone leaves about one in a thousand deleted texts in a corner of a page that was split. `vacuum`
        rewrites the file (which takes its size in free space); without it, that is done only if such a corner holds
        something this opening has deleted since it last scrubbed, which takes the file's size in memory to see. What
        a disk keeps of freed blocks is beyond a program. Raises StoreLocked while another process reads.
        """
        with self.lock:
            if self._in_transaction:
                raise StoreError("a store cannot be scrubbed inside a transaction; call scrub() after it.")
            if vacuum or self._has_left_something():
                self._run("VACUUM")
            self._deleted.clear()
            if self._run("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise StoreLocked(f"{self._path} is being read by another process; close it there and scrub again.")
            for backup in backups(self._path):
                backup.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file; an open transaction is rolled back; calling twice is no error."""
        with self.lock:
            if self._connection is not None:
                self._connection = None
                self._close()

    def _has_left_something(self) -> bool:
        """Whether the file still holds the beginning of a deleted row: a copy left where a page was split or joined."""
        if self._connection is None or not self._deleted:
            return False
        if len(self._deleted) > _LOOKED_FOR:
            return True  # rewriting the file takes less than looking for so many
        self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        image = self._connection.serialize()
        return any(beginning in image for beginning in self._deleted)

    def _run(self, sql: str, values: Sequence[_Value] = ()) -> sqlite3.Cursor:
        if self._connection is None:
            raise StoreError(f"the store {self._path} was closed; open it again.")
        if self._blocks and not self._connection.in_transaction:
            # SQLite itself rolls back after a full disk or an I/O error; going on would commit half a block.
            raise StoreError(f"{self._path}: the transaction was rolled back after an error; start it again.")
        try:
            return self._connection.execute(sql, values)
        except sqlite3.Error as error:
            raise translated(error, self._path) from error

    def _rows(self, sql: str, values: Sequence[_Value]) -> Generator[tuple[Any, ...], None, None]:
        cursor = self._run(sql, values)
        try:
            yield from cursor
        except sqlite3.Error as error:
            raise translated(error, self._path) from error
        finally:
            cursor.close()

    @property
    def _in_transaction(self) -> bool:
        return self._connection is not None and self._connection.in_transaction

    def _renew(self) -> None:
        """Take back what a call that was stopped has left open; a commit it has come to stays."""
        self._blocks = 0
        if self._in_transaction:
            self._run("ROLLBACK")


def _compared(query: RecordQuery) -> Iterator[tuple[str, JsonValue]]:
    """Where in the data a query compares, as SQLite writes it, and with what; `a.b` is no plain name of one field."""
    yield from ((f"$.{field}", value) for field, value in query.where.items() if "." not in field)
    for outer, fields in query.within.items():
        inner = ((f"$.{outer}.{field}", value) for field, value in fields.items() if "." not in field)
        yield from inner if "." not in outer else ()


def _row(record: Record) -> tuple[str | bytes, str | bytes, str | bytes, float, float, float | None]:
    data = encode(checked_record(record))
    times = (record.created_at, record.updated_at, record.expires_at)
    return (storable(record.namespace), storable(record.id), data, *times)


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")


def _readable(raw: object) -> dict[str, JsonValue] | None:
    try:
        return decode(raw) if isinstance(raw, bytes) else None
    except ValueError:
        return None


def _record(row: tuple[Any, ...]) -> Record | None:
    namespace, key, raw, created_at, updated_at, expires_at = row
    data = _readable(raw)
    if data is None or not isinstance(created_at, float) or not isinstance(updated_at, float):
        return None
    if not isinstance(expires_at, float | None):
        return None
    return Record(_text(namespace), _text(key), data, created_at, updated_at, expires_at)


opener = FileOpener(SqliteStore)
