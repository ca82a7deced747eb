"""Transactions in one space of a tenant: who is its one writer, what a question gives, and what errors mean."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import CodeType
from typing import LiteralString, TypeAlias

import psycopg
from psycopg import Pipeline

from amb_core.call_lock import CallLock
from amb_core.errors import StoreError, StoreGone
from amb_postgres.connection_pool import Connection, NoneFree
from amb_postgres.postgres_address import PostgresAddress, stored_text
from amb_postgres.postgres_pool import Server, lent_server, translated
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


@dataclass(slots=True, weakref_slot=True)
class Work:
    """A transaction of one thread: its connection, and the last place and change number taken in the space.

    `keeps` is whether something was written that a power cut may not take back, and `torn` whether a statement was cut
    short, so that nothing of it may be committed.
    """

    connection: Connection
    place: int
    change: int
    before: tuple[int, int]
    keeps: bool = False
    torn: bool = False


class PostgresSpace:
    """A tenant's space, there from now on; `names` are tenant and space as they are stored.

    Safe for threads: each has a transaction of its own.
    """

    def __init__(self, address: PostgresAddress, *, make: bool = True) -> None:
        self.address = address
        self.names = stored_text(address.tenant), stored_text(address.space)
        self._thread = threading.local()
        self._closed = False
        self._closing = CallLock()
        self.server: Server = lent_server(address, self)
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
        open_work: weakref.ref[Work] | None = getattr(self._thread, "work", None)
        return None if open_work is None else open_work()

    def close(self) -> None:
        """Give the connections back; an open transaction is rolled back; calling twice is no error."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self.server.give_back(self)

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
        work = self.work
        if work is None:
            with self._outermost() as work, self._translated():
                work.keeps = keeps
                yield work
            return
        try:
            work.keeps = work.keeps or keeps
            with self._translated():
                yield work
        except BaseException:
            work.torn = True
            raise

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """A transaction of this tenant that is nobody's writer, for what is not part of a space's changes."""
        self.check_open()
        with self._entered_with("SELECT 1", ()) as (connection, _):
            yield connection
            connection.execute("COMMIT")

    def ask(self, sql: LiteralString, values: Values) -> list[Row]:
        """What a statement gives: in this thread's transaction, or else in one of its own."""
        self.check_open()
        work = self.work
        if work is not None:
            with self._translated():
                return _rows(work.connection.execute(sql, values))
        with self._entered_with(sql, values, end="COMMIT") as (_, rows):
            return rows

    # --- inside ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _outermost(self) -> Iterator[Work]:
        """A transaction as the one writer of this space, known to this thread while it is open."""
        with self._entered_with(_BE_THE_WRITER, (*self.names, self.born)) as (connection, rows):
            if not rows:
                raise self.gone()
            place, change = rows[0]
            work = Work(connection, place, change, (place, change))
            try:
                self._thread.work = weakref.ref(work)
                yield work
                self.check_open()
                self._commit(work)
            finally:
                self._thread.work = None

    def _commit(self, work: Work) -> None:
        if work.torn or work.connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
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

    @contextmanager
    def _entered_with(
        self, sql: LiteralString, values: Values, *, end: LiteralString = ""
    ) -> Iterator[tuple[Connection, list[Row]]]:
        """A connection in a transaction of this tenant, and what a first statement gives, asked in one message.

        This is the one way to a connection: however the block ends, it is back in the pool, or closed.
        """

        def ask(connection: Connection) -> list[Row]:
            with connection.pipeline():
                connection.execute("BEGIN")
                connection.execute(_ENTER, self._entered)
                cursor = connection.execute(sql, values)
                if end:
                    connection.execute(end)
            return _rows(cursor)

        with self._translated(), self.server.pool.lent(ask) as lent:
            yield lent

    @contextmanager
    def _inner(self, work: Work) -> Iterator[None]:
        name: LiteralString = "inner_block"
        before = work.place, work.change, work.torn
        with self._translated():
            work.connection.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            work.torn = True
            with suppress(psycopg.Error):  # of a connection that was cut off nothing can be taken back: all of it goes
                work.connection.execute(f"ROLLBACK TO {name}")
                work.connection.execute(f"RELEASE {name}")
                work.place, work.change, work.torn = before
            raise
        with self._translated():
            work.connection.execute(f"RELEASE {name}")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        outside = sys.exc_info()[1]
        try:
            yield
        except (psycopg.Error, NoneFree) as error:
            cut = _cut_short_by(error, outside)
            if cut is not None:
                if isinstance(cut, Exception):
                    CallLock.note_stop(cut)
                raise cut from None
            raise translated(error, self.address.shown) from error
        except Exception as error:
            if _raised_last(error) is Pipeline.__exit__.__code__:  # raises without a trace what it was stopped by
                CallLock.note_stop(error)
            raise


def _raised_last(error: BaseException) -> CodeType | None:
    """The code that the trace of an error ends in."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code if trace is not None else None


def _cut_short_by(error: BaseException, outside: BaseException | None) -> BaseException | None:
    """What a signal raised, where the driver has then failed to tidy up; None where the driver itself failed first."""
    while (before := error.__context__) not in (None, outside) and not error.__suppress_context__:
        if not isinstance(before, psycopg.Error):
            return before
        error = before
    return None


def _rows(cursor: psycopg.Cursor[Row]) -> list[Row]:
    return cursor.fetchall() if cursor.description is not None else []
