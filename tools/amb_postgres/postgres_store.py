"""A record store in PostgreSQL: one space of one tenant, which the database itself keeps apart from the others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg_pool import PoolTimeout
from pydantic import JsonValue

from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError
from amb_core.protocols import Capabilities, Record, RecordQuery
from amb_core.stores.record_codec import checked_query, checked_record, decode, encode, matches
from amb_postgres.postgres_address import ANY_SPACE, address_of, stored_text, text_of_stored
from amb_postgres.postgres_pool import Connection, lent_server, translated

__all__ = ["PostgresStore"]

_Row: TypeAlias = tuple[Any, ...]
_Values: TypeAlias = Sequence[object] | dict[str, str]

_ENTER: LiteralString = """SELECT set_config('amb.tenant', %s, true), set_config('amb.space', %s, true),
    set_config('amb.proof', %s, true)"""
_HERE: LiteralString = "tenant = %s AND space = %s AND namespace = %s"
_COLUMNS: LiteralString = "namespace, id, data, created_at, updated_at, expires_at"
_MAKE_SPACE: LiteralString = "INSERT INTO amb.spaces (tenant, space) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_BE_THE_WRITER: LiteralString = "SELECT last_place FROM amb.spaces WHERE tenant = %s AND space = %s FOR UPDATE"
_NOTE_PLACE: LiteralString = "UPDATE amb.spaces SET last_place = %s WHERE tenant = %s AND space = %s"
_PUT: LiteralString = f"""INSERT INTO amb.records (tenant, space, place, {_COLUMNS})
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (tenant, space, namespace, id) DO UPDATE SET data = excluded.data, created_at = excluded.created_at,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at"""
_KEEP: LiteralString = f"""INSERT INTO amb.versions (tenant, space, {_COLUMNS})
    SELECT tenant, space, {_COLUMNS} FROM amb.records WHERE {_HERE} AND id = %s"""
# By a step of the index for each namespace there is.
_NAMESPACES: LiteralString = """WITH RECURSIVE names(name) AS (
    (SELECT namespace FROM amb.records WHERE tenant = %(tenant)s AND space = %(space)s AND namespace >= %(prefix)s
        ORDER BY namespace LIMIT 1)
    UNION ALL SELECT (SELECT namespace FROM amb.records WHERE tenant = %(tenant)s AND space = %(space)s
        AND namespace > name ORDER BY namespace LIMIT 1) FROM names WHERE starts_with(name, %(prefix)s))
    SELECT name FROM names WHERE starts_with(name, %(prefix)s)"""
_PAGE = 5_000
"""Rows asked for at once."""
_TRIES = 3
"""Connections that may turn out to be broken, as after a restart of the server, before one is said to be."""


@dataclass(slots=True)
class _Work:
    """A transaction of one thread: its connection, and the last place taken in the order of records."""

    connection: Connection
    last: int
    taken: int


class PostgresStore:
    """Records of one tenant's space in a PostgreSQL database, `postgresql://user@host/database?tenant=T&space=S`.

    Safe for threads and processes: one writes to a space at a time, and readers see what is committed. Connections are
    shared by all stores of a process on one server, 8 at most. What is committed is on the server's disk (as its
    `synchronous_commit` says). A role that owns nothing is worked as, and row level security shows it the rows of a
    tenant only with a proof, for which the key is in AMB_POSTGRES_KEY, or read by the owner of the schema.
    """

    def __init__(self, url: str) -> None:
        self._address = address_of(url)
        if self._address.space == ANY_SPACE:
            raise InvalidParameter(f"a store is one space; {ANY_SPACE!r} stands for all of them. Name another.")
        self._names = stored_text(self._address.tenant), stored_text(self._address.space)
        self._thread = threading.local()
        self._closed = False
        self._closing = threading.Lock()
        self._server = lent_server(self._address)
        self._entered = (*self._names, self._address.proof(self._server.key))
        try:
            self._ask(_MAKE_SPACE, self._names)
        except BaseException:
            self.close()
            raise

    @property
    def capabilities(self) -> Capabilities:
        """Durable; threads, processes and machines may work on it."""
        return Capabilities(durable=True, concurrent=True)

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; InvalidParameter when one is not JSON."""
        rows = [_row(record) for record in records]
        with self._writing() as work, work.connection.pipeline(), work.connection.cursor() as cursor:
            for row in rows:
                if keep_history:
                    cursor.execute(_KEEP, (*self._names, *row[:2]))
                work.last += 1
                cursor.execute(_PUT, (*self._names, work.last, *row))

    def get(self, namespace: str, id: str) -> Record | None:
        """The record, or None; StoreCorrupt when it is there but cannot be read back."""
        rows = self._ask(f"SELECT {_COLUMNS} FROM amb.records WHERE {_HERE} AND id = %s", self._in(namespace, id))
        if not rows:
            return None
        record = _record(rows[0])
        if record is None:
            raise StoreCorrupt(f"record {id!r} in {namespace!r} cannot be read back; put it again or delete it.")
        return record

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many records there were."""
        gone = (*self._in(namespace), [stored_text(each) for each in ids])
        with self._writing() as work:
            with work.connection.pipeline():
                work.connection.execute(f"DELETE FROM amb.versions WHERE {_HERE} AND id = ANY(%s)", gone)
                deleted = work.connection.execute(f"DELETE FROM amb.records WHERE {_HERE} AND id = ANY(%s)", gone)
            return deleted.rowcount

    def search(self, query: RecordQuery) -> list[Record]:
        """The matching readable records in insertion order, or newest first."""
        checked_query(query)
        readable = (
            record for row in self._found(query) if (record := _record(row)) is not None and matches(record.data, query)
        )
        return list(islice(readable, query.limit))

    def history(self, namespace: str, id: str) -> list[Record]:
        """The replaced versions that were kept and can be read, oldest first."""
        sql: LiteralString = f"SELECT {_COLUMNS} FROM amb.versions WHERE {_HERE} AND id = %s ORDER BY place"
        return [record for row in self._ask(sql, self._in(namespace, id)) if (record := _record(row)) is not None]

    def damaged(self, namespace: str) -> list[str]:
        """Ids of records that are there but cannot be read back, in insertion order."""
        return [text_of_stored(row[1]) for row in self._found(RecordQuery(namespace)) if _record(row) is None]

    def namespaces(self, prefix: str = "") -> list[str]:
        """The namespaces that hold records and begin with `prefix`, by a step of the index for each there is."""
        named = dict(zip(("tenant", "space"), self._names, strict=True)) | {"prefix": stored_text(prefix)}
        names = (text_of_stored(row[0]) for row in self._ask(_NAMESPACES, named))
        return sorted(name for name in names if name.startswith(prefix))

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """How many records there are, damaged ones included; `now` leaves out the expired."""
        sql: LiteralString = f"SELECT count(*) FROM amb.records WHERE {_HERE}"
        if now is None:
            return int(self._ask(sql, self._in(namespace))[0][0])
        return int(self._ask(f"{sql} AND coalesce(expires_at > %s, true)", (*self._in(namespace), now))[0][0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes of the block or, when it raises, none; an inner block commits with the outermost one."""
        self._check_open()
        if self._work is None:
            with self._outermost():
                yield
        else:
            with self._inner(self._work):
                yield

    def close(self) -> None:
        """Give the connections back; an open transaction is rolled back; calling twice is no error."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self._server.give_back()

    @property
    def _work(self) -> _Work | None:
        """The transaction this thread is in."""
        return getattr(self._thread, "work", None)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"the store {self._address.shown} was closed; open it again.")

    @contextmanager
    def _outermost(self) -> Iterator[None]:
        work = self._begun()
        self._thread.work = work
        try:
            yield
            self._check_open()
            with self._translated(), work.connection.pipeline():
                if work.last > work.taken:
                    work.connection.execute(_NOTE_PLACE, (work.last, *self._names))
                work.connection.execute("COMMIT")
        finally:
            self._thread.work = None
            self._give_back(work.connection)

    @contextmanager
    def _writing(self) -> Iterator[_Work]:
        """This thread's transaction, or one of its own; an error of the server in it ends the whole of it."""
        self._check_open()
        if self._work is not None:
            with self._translated():
                yield self._work
            return
        with self._outermost(), self._translated():
            assert self._work is not None
            yield self._work

    def _begun(self) -> _Work:
        """A connection in a transaction as the one writer of this space."""
        connection, rows = self._opened(lambda connection: self._entered_with(connection, _BE_THE_WRITER, self._names))
        if not rows:
            self._give_back(connection)
            raise StoreError(f"{self._address.shown} has no space {self._address.space!r} any more; open it again.")
        return _Work(connection, rows[0][0], rows[0][0])

    def _opened(self, ask: Callable[[Connection], list[_Row]]) -> tuple[Connection, list[_Row]]:
        """A connection, and what the first question on it gave; one that turns out to be broken is replaced."""
        for left in reversed(range(_TRIES)):
            connection = None
            with self._translated():
                try:
                    connection = self._server.pool.getconn()
                    return connection, ask(connection)
                except PoolTimeout:
                    self._server.renew()  # which says so when it is the server that does not answer
                    raise
                except psycopg.Error:
                    if connection is not None:
                        self._give_back(connection)
                    if connection is None or not connection.broken or not left:
                        raise
                    self._server.renew()
        raise AssertionError("the last try returns or raises")

    def _entered_with(
        self, connection: Connection, sql: LiteralString, values: _Values, *, end: LiteralString = ""
    ) -> list[_Row]:
        """Begin a transaction as this tenant and ask something, in one message to the server."""
        with connection.pipeline():
            connection.execute("BEGIN")
            connection.execute(_ENTER, self._entered)
            cursor = connection.execute(sql, values)
            if end:
                connection.execute(end)
        return _rows(cursor)

    def _give_back(self, connection: Connection) -> None:
        """Let others use a connection; what is not committed is rolled back."""
        with suppress(psycopg.Error):
            connection.rollback()
        self._server.pool.putconn(connection)

    @contextmanager
    def _inner(self, work: _Work) -> Iterator[None]:
        name: LiteralString = "inner_block"
        with self._translated():
            work.connection.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            if not work.connection.closed:
                with self._translated():
                    work.connection.execute(f"ROLLBACK TO {name}")
                    work.connection.execute(f"RELEASE {name}")
            raise
        with self._translated():
            work.connection.execute(f"RELEASE {name}")

    def _ask(self, sql: LiteralString, values: _Values) -> list[_Row]:
        """What a statement gives: in this thread's transaction, or else in one of its own."""
        self._check_open()
        work = self._work
        if work is not None:
            with self._translated():
                return _rows(work.connection.execute(sql, values))
        connection, rows = self._opened(
            lambda connection: self._entered_with(connection, sql, values, end="COMMIT"),
        )
        self._give_back(connection)
        return rows

    def _found(self, query: RecordQuery) -> Iterator[_Row]:
        """The rows of a namespace a page at a time, those left out that cannot be meant."""
        sql, values = self._narrowed(query)
        page = min(_PAGE, query.limit) if query.limit is not None and len(values) == 3 else _PAGE
        turn: LiteralString = "DESC" if query.newest_first else "ASC"
        beyond: LiteralString = "" if query.limit == 0 else sql
        after: list[object] = []
        while beyond:
            rows = self._ask(f"{beyond} ORDER BY place {turn} LIMIT %s", (*values, *after, page))
            yield from rows
            if len(rows) < page:
                return
            after = [rows[-1][-1]]
            beyond = f"{sql} AND place < %s" if query.newest_first else f"{sql} AND place > %s"

    def _narrowed(self, query: RecordQuery) -> tuple[LiteralString, list[object]]:
        """What SQL can decide without a doubt; the rest, and every final word, is `matches`."""
        sql: LiteralString = f"SELECT {_COLUMNS}, place FROM amb.records WHERE {_HERE}"
        values: list[object] = [*self._in(query.namespace)]
        if query.now is not None:
            sql += " AND coalesce(expires_at > %s, true)"
            values.append(query.now)
        for name, value in chain(query.where.items(), *(fields.items() for fields in query.within.values())):
            if isinstance(value, str):
                sql += " AND (strpos(data, %s) > 0 OR strpos(data, %s) > 0)"
                values += _written(name, value)
        return sql, values

    def _in(self, namespace: str, *ids: str) -> tuple[str, ...]:
        return (*self._names, stored_text(namespace), *map(stored_text, ids))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, PoolTimeout) as error:
            raise translated(error, self._address.shown) from error


def _rows(cursor: psycopg.Cursor[_Row]) -> list[_Row]:
    return cursor.fetchall() if cursor.description is not None else []


def _data(data: dict[str, JsonValue]) -> str:
    """The data as JSON text; with a lone surrogate in it, escaped behind a backslash, with which no JSON begins."""
    text = encode(data)
    return text if isinstance(text, str) else "\\" + stored_text(text.decode("utf-8", "surrogatepass"))


def _read(stored: str) -> dict[str, JsonValue]:
    text = text_of_stored(stored[1:]) if stored.startswith("\\") else stored
    return decode(text.encode("utf-8", "surrogatepass"))


def _written(name: str, value: str) -> tuple[str, str]:
    """How a member with that value may stand in the stored data, of which another part may have been escaped."""
    member = encode({name: value})[1:-1]
    text = member if isinstance(member, str) else member.decode("utf-8", "surrogatepass")
    escaped = stored_text(text)
    return (text if isinstance(member, str) else escaped), escaped


def _row(record: Record) -> tuple[str, str, str, float, float, float | None]:
    data = _data(checked_record(record))
    return (
        *(stored_text(record.namespace), stored_text(record.id), data),
        *(record.created_at, record.updated_at, record.expires_at),
    )


def _record(row: _Row) -> Record | None:
    namespace, key, data, created_at, updated_at, expires_at = row[:6]
    try:
        read = _read(data)
    except ValueError:
        return None
    return Record(text_of_stored(namespace), text_of_stored(key), read, created_at, updated_at, expires_at)
