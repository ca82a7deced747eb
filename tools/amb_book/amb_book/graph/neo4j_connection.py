"""A connection to a Neo4j server: its address, its transactions, and what its errors mean for the user."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

from amb_book.graph.neo4j_rows import Row
from amb_core.errors import InvalidParameter, MissingExtra, StoreError, StoreLocked

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Session, Transaction

__all__ = ["SCHEMES", "Neo4jAddress", "Neo4jConnection", "Run"]

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_Result = TypeVar("_Result")

Run = Callable[..., list[Row]]
"""Runs one statement with its parameters as keywords, and returns all rows."""


@dataclass(frozen=True, slots=True)
class Neo4jAddress:
    """Where a server is, which of its databases, and who asks; only `url` is fit to be shown."""

    url: str
    database: str | None
    auth: tuple[str, str] | None = field(repr=False)

    @classmethod
    def of(cls, url: str) -> Neo4jAddress:
        """From `neo4j://user:password@host:7687/database`; the password may be in AMB_NEO4J_PASSWORD instead.

        Without a user it is AMB_NEO4J_USER or `neo4j`; without any password none is sent. InvalidParameter for a URL
        that is no address of a Neo4j server.
        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            parts, host, port = urlsplit(""), None, None
        if parts.scheme not in SCHEMES or not host:
            raise InvalidParameter(f"the address of a Neo4j server is one like neo4j://host:7687; {SCHEMES} are known.")
        shown_host = f"[{host}]" if ":" in host else host
        place = urlunsplit((parts.scheme, f"{shown_host}:{port or 7687}", "", parts.query, ""))
        user = unquote(parts.username or "") or os.environ.get("AMB_NEO4J_USER") or "neo4j"
        password = unquote(parts.password or "") or os.environ.get("AMB_NEO4J_PASSWORD") or ""
        return cls(place, unquote(parts.path.strip("/")) or None, (user, password) if password else None)


class Neo4jConnection:
    """One driver for one graph: each thread waits for the transaction of another, as in a record store.

    `timeout` is for what the driver waits for, `longest` (both in seconds) for what a transaction may take on the
    server, waiting for other writers included.
    """

    def __init__(self, address: Neo4jAddress, *, timeout: float, longest: float) -> None:
        try:
            import neo4j
        except ImportError:
            raise MissingExtra("neo4j", extra="neo4j") from None
        self._address, self._longest = address, longest
        self._lock = threading.RLock()
        self._session: Session | None = None
        self._transaction: Transaction | None = None
        self._depth, self._broken, self._closed = 0, False, False
        with self._errors():
            self._driver = neo4j.GraphDatabase.driver(
                address.url,
                auth=address.auth,
                connection_timeout=timeout,
                connection_acquisition_timeout=timeout,
                max_transaction_retry_time=timeout,
                notifications_min_severity="OFF",
            )

    def read(self, work: Callable[[Run], _Result]) -> _Result:
        """Do what only reads, again when the server was busy; inside `transaction`, in that."""
        return self._do(work, writes=False)

    def write(self, work: Callable[[Run], _Result]) -> _Result:
        """The same for what writes; all of it or nothing."""
        return self._do(work, writes=True)

    def define(self, statement: str) -> None:
        """Change the schema, apart from any transaction: no engine does both in one."""
        with self._lock, self._errors(), self._new_session() as session:
            text: Any = statement
            session.run(text).consume()

    @contextmanager
    def transaction(self) -> Iterator[bool]:
        """All writes of the block or none; an inner block that fails fails the outermost; yields whether it is that."""
        with self._lock:
            self._check_open()
            if self._depth:
                yield from self._inner()
                return
            self._depth, self._broken = 1, False
            try:
                with self._errors():
                    self._session = session = self._new_session()
                    self._transaction = session.begin_transaction(timeout=self._longest)
                yield True
                self._commit()
            finally:
                self._depth = 0
                self._drop_transaction()

    def close(self) -> None:
        """Roll back what is open and let the connections go; calling twice is no error."""
        with self._lock:
            self._closed = True
            self._drop_transaction()
            with suppress(StoreError), self._errors():
                self._driver.close()

    def _inner(self) -> Iterator[bool]:
        self._depth += 1
        try:
            yield False
        except BaseException:
            self._broken = True  # there are no savepoints: what the block did goes with all the rest
            raise
        finally:
            self._depth -= 1

    def _commit(self) -> None:
        self._check_open()
        if self._broken:
            raise StoreError(
                f"{self._address.url}: a block inside the transaction failed, and with it all of it; run it again."
            )
        with self._errors():
            assert self._transaction is not None
            self._transaction.commit()

    def _do(self, work: Callable[[Run], _Result], *, writes: bool) -> _Result:
        from neo4j import unit_of_work

        with self._lock:
            self._check_open()
            if self._depth:
                return work(self._run)

            def whole(transaction: ManagedTransaction) -> _Result:
                return work(lambda statement, **values: _run_in(transaction, statement, values))

            with self._errors(), self._new_session() as session:
                timed = unit_of_work(timeout=self._longest)(whole)
                result: _Result = session.execute_write(timed) if writes else session.execute_read(timed)
            return result

    def _run(self, statement: str, **values: Any) -> list[Row]:
        self._check_open()
        if self._transaction is None or self._transaction.closed():
            raise StoreError(f"{self._address.url}: the transaction was rolled back after an error; run it again.")
        with self._errors():
            return _run_in(self._transaction, statement, values)

    def _new_session(self) -> Session:
        return self._driver.session(database=self._address.database)

    def _drop_transaction(self) -> None:
        transaction, session = self._transaction, self._session
        self._transaction = self._session = None
        with suppress(StoreError), self._errors():
            if transaction is not None and not transaction.closed():
                transaction.rollback()
            if session is not None:
                session.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"the graph at {self._address.url} was closed; open it again.")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            yield
        except (Neo4jError, DriverError) as error:
            raise _translated(error, self._address) from error
        except ValueError as error:
            if isinstance(error, InvalidParameter):
                raise
            raise StoreError(f"{self._address.url} cannot be used: {error}") from error


def _run_in(transaction: ManagedTransaction | Transaction, statement: str, values: Row) -> list[Row]:
    text: Any = statement  # the driver asks for literals, against texts that users have put in; there are only names
    rows: list[Row] = transaction.run(text, values).data()
    return rows


def _translated(error: Exception, address: Neo4jAddress) -> StoreError:
    """The StoreError that says what to do about an error of the driver; it names no user and no password."""
    from neo4j.exceptions import DriverError, ServiceUnavailable, SessionExpired

    code = str(getattr(error, "code", None) or "")
    if "Security" in code or "Auth" in type(error).__name__:
        return StoreError(
            f"{address.url} refuses the user or the password; put them into the URL (neo4j://user:password@host), or "
            "the password into AMB_NEO4J_PASSWORD."
        )
    if code.endswith("DatabaseNotFound"):
        return StoreError(f"{address.url} has no database {address.database!r}; create it, or name another in the URL.")
    if code.startswith("Neo.TransientError") or "Constraint" in code or "TimedOut" in code:
        return StoreLocked(f"{address.url}: somebody else was writing the same; run it again.")
    if isinstance(error, (ServiceUnavailable, SessionExpired)):
        return StoreError(f"{address.url} does not answer; start the Neo4j server there, or mend the address.")
    if isinstance(error, DriverError):
        return StoreError(f"{address.url} cannot be used ({type(error).__name__}: {error}); check address and driver.")
    first = (str(getattr(error, "message", None) or error).splitlines() or [""])[0]
    return StoreError(f"{address.url} refuses ({code}): {first[:300]}; check the version of the server.")
