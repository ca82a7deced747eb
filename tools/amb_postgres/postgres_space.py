"""Transactions in one space of a tenant: who is its one writer, what a question gives, and what errors mean."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import LiteralString, TypeAlias

import psycopg
from psycopg_pool import PoolTimeout

from amb_core.errors import StoreError, StoreGone
from amb_postgres.postgres_address import PostgresAddress, stored_text
from amb_postgres.postgres_pool import Connection, Server, lent_server, translated
from amb_postgres.record_rows import Row

__all__ = ["PostgresSpace", "Values", "Work"]

Values: TypeAlias = Sequence[object] | dict[str, object]

_ENTER: LiteralString = """SELECT set_config('amb.tenant', %s, true), set_config('amb.space', %s, true),
    set_config('amb.proof', %s, true)"""
_MAKE_SPACE: LiteralString = "INSERT INTO amb.spaces (tenant, space) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_BORN: LiteralString = "SELECT born FROM amb.spaces WHERE tenant = %s AND space = %s"
_BE_THE_WRITER: LiteralString = """SELECT last_place, last_change FROM amb.spaces
    WHERE tenant = %s AND space = %s AND born = %s FOR UPDATE"""
_NOTE: LiteralString = """UPDATE amb.spaces SET last_place = %s, last_change = %s WHERE tenant = %s AND space = %s"""
_WAIT_FOR_NO_DISK: LiteralString = "SET LOCAL synchronous_commit TO off"
_TRIES = 3
"""Connections that may turn out to be broken, as after a restart of the server, before one is said to be."""


@dataclass(slots=True)
class Work:
    """A transaction of one thread: its connection, and the last place and change number taken in the space.

    `keeps` is whether something was written that a power cut may not take back.
    """

    connection: Connection
    place: int
    change: int
    before: tuple[int, int]
    keeps: bool = False


class PostgresSpace:
    """A tenant's space, there from now on; `names` are tenant and space as they are stored.

    Safe for threads: each has a transaction of its own.
    """

    def __init__(self, address: PostgresAddress, *, make: bool = True) -> None:
        self.address = address
        self.names = stored_text(address.tenant), stored_text(address.space)
        self._thread = threading.local()
        self._closed = False
        self._closing = threading.Lock()
        self.server: Server = lent_server(address)
        self._entered = (*self.names, address.proof(self.server.key))
        try:
            if make:
                self.ask(_MAKE_SPACE, self.names)
            found = self.ask(_BORN, self.names) if make else []
            self.born = found[0][0] if found else None
        except BaseException:
            self.close()
            raise

    @property
    def work(self) -> Work | None:
        """The transaction this thread is in."""
        return getattr(self._thread, "work", None)

    def close(self) -> None:
        """Give the connections back; an open transaction is rolled back; calling twice is no error."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self.server.give_back()

    def check_open(self) -> None:
        """Raise StoreError after `close`."""
        if self._closed:
            raise StoreError(f"the store {self.address.shown} was closed; open it again.")

    def gone(self) -> StoreGone:
        """What to raise where the space was deleted."""
        return StoreGone(f"the space {self.address.space!r} at {self.address.shown} was deleted; open it again.")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes of the block or, when it raises, none; an inner block commits with the outermost one."""
        self.check_open()
        if self.work is None:
            with self._outermost():
                yield
        else:
            with self._inner(self.work):
                yield

    @contextmanager
    def writing(self, *, keeps: bool = True) -> Iterator[Work]:
        """This thread's transaction, or one of its own; an error of the server in it ends the whole of it.

        `keeps=False` is for what may be lost with the server's power, because it is made again: leases, the index.
        """
        self.check_open()
        if self.work is not None:
            self.work.keeps = self.work.keeps or keeps
            with self._translated():
                yield self.work
            return
        with self._outermost(), self._translated():
            assert self.work is not None
            self.work.keeps = keeps
            yield self.work

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """A transaction of this tenant that is nobody's writer, for what is not part of a space's changes."""
        self.check_open()
        connection, _ = self._opened(lambda connection: self._entered_with(connection, "SELECT 1", ()))
        try:
            with self._translated():
                yield connection
                connection.execute("COMMIT")
        finally:
            self._give_back(connection)

    def ask(self, sql: LiteralString, values: Values) -> list[Row]:
        """What a statement gives: in this thread's transaction, or else in one of its own."""
        self.check_open()
        work = self.work
        if work is not None:
            with self._translated():
                return _rows(work.connection.execute(sql, values))
        connection, rows = self._opened(
            lambda connection: self._entered_with(connection, sql, values, end="COMMIT"),
        )
        self._give_back(connection)
        return rows

    # --- inside ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _outermost(self) -> Iterator[None]:
        work = self._begun()
        self._thread.work = work
        try:
            yield
            self.check_open()
            with self._translated():
                self._commit(work)
        finally:
            self._thread.work = None
            self._give_back(work.connection)

    def _commit(self, work: Work) -> None:
        if work.connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
            raise StoreError(f"{self.address.shown}: a statement before has failed; nothing was written.")
        changed = (work.place, work.change) != work.before
        with work.connection.pipeline():
            if changed:
                work.connection.execute(_NOTE, (work.place, work.change, *self.names))
            if not work.keeps:
                work.connection.execute(_WAIT_FOR_NO_DISK)
            work.connection.execute("COMMIT")
            if changed:  # in a transaction of its own: who tells, commits alone in the whole database
                for statement in ("BEGIN", _WAIT_FOR_NO_DISK):
                    work.connection.execute(statement)
                self.server.news.tell(work.connection, self.names, work.change)
                work.connection.execute("COMMIT")

    def _begun(self) -> Work:
        """A connection in a transaction as the one writer of this space."""
        connection, rows = self._opened(
            lambda connection: self._entered_with(connection, _BE_THE_WRITER, (*self.names, self.born))
        )
        if not rows:
            self._give_back(connection)
            raise self.gone()
        place, change = rows[0]
        return Work(connection, place, change, (place, change))

    def _opened(self, ask: Callable[[Connection], list[Row]]) -> tuple[Connection, list[Row]]:
        """A connection, and what the first question on it gave; one that turns out to be broken is replaced."""
        for left in reversed(range(_TRIES)):
            connection = None
            with self._translated():
                try:
                    connection = self.server.pool.getconn()
                    return connection, ask(connection)
                except PoolTimeout:
                    self.server.renew()  # which says so when it is the server that does not answer
                    raise
                except psycopg.Error:
                    if connection is not None:
                        self._give_back(connection)
                    if connection is None or not connection.broken or not left:
                        raise
                    self.server.renew()
        raise AssertionError("the last try returns or raises")

    def _entered_with(
        self, connection: Connection, sql: LiteralString, values: Values, *, end: LiteralString = ""
    ) -> list[Row]:
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
        self.server.pool.putconn(connection)

    @contextmanager
    def _inner(self, work: Work) -> Iterator[None]:
        name: LiteralString = "inner_block"
        before = work.place, work.change
        with self._translated():
            work.connection.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            work.place, work.change = before
            if not work.connection.closed:
                with self._translated():
                    work.connection.execute(f"ROLLBACK TO {name}")
                    work.connection.execute(f"RELEASE {name}")
            raise
        with self._translated():
            work.connection.execute(f"RELEASE {name}")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, PoolTimeout) as error:
            raise translated(error, self.address.shown) from error


def _rows(cursor: psycopg.Cursor[Row]) -> list[Row]:
    return cursor.fetchall() if cursor.description is not None else []
