"""Connections to PostgreSQL, shared by all stores of a process on one server, and what their errors mean."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from weakref import WeakSet

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from amb_core.call_lock import CallLock
from amb_core.errors import StoreCorrupt, StoreError, StoreLocked, StoreUnreachable
from amb_postgres.connection_pool import Connection, ConnectionPool, NoneFree, end
from amb_postgres.postgres_address import PostgresAddress, address_of
from amb_postgres.postgres_schema import ROLE, SCHEMA_VERSION, bring_up_to_date, key_of, version_of
from amb_postgres.space_news import SpaceNews

__all__ = ["Server", "lent_server", "made_ready", "translated"]

_MOST = 8
"""Connections of a process to one server."""
_PATIENCE = 30.0
"""Seconds to wait for a free connection, for another writer, or for one statement."""
_LIMITS = (
    f"-c statement_timeout={_PATIENCE:.0f}s -c lock_timeout={_PATIENCE:.0f}s -c idle_in_transaction_session_timeout=60s"
)
_servers: dict[tuple[int, str], Server] = {}
_opening = CallLock()  # a call that a signal ends must not keep it, or nobody opens a store any more


@dataclass
class Server:
    """The connections to one server that its `users` share; `key` opens its tenants. The last user closes them."""

    pool: ConnectionPool
    key: bytes = field(repr=False)
    news: SpaceNews = field(repr=False)
    users: WeakSet[object] = field(default_factory=WeakSet)

    def give_back(self, user: object) -> None:
        """Say that somebody needs it no longer."""
        with _opening:
            self.users.discard(user)
            if self.users:
                return
            for name, server in list(_servers.items()):
                if server is self:
                    del _servers[name]
        self.news.end()
        self.pool.close()


def lent_server(address: PostgresAddress, user: object) -> Server:
    """The server of an address, connected, its schema there and of this version; a StoreError says what is missing.

    It stays open until each user has given it back, or is gone.
    """
    with _opening:
        name = (os.getpid(), address.server)
        server = _servers.get(name)
        if server is None:
            try:
                server = _servers[name] = _connected(address)
            except psycopg.Error as error:
                raise translated(error, address.shown) from error
        server.users.add(user)
        return server


def made_ready(url: str) -> tuple[str, bytes]:
    """Make or migrate the schema as its owner; returns the role an application needs, and the key of the tenants."""
    address = address_of(url)
    try:
        with psycopg.connect(address.server, autocommit=True, connect_timeout=10) as connection:
            bring_up_to_date(connection)
            return ROLE, key_of(connection)
    except psycopg.Error as error:
        raise translated(error, address.shown) from error


def _connected(address: PostgresAddress) -> Server:
    with psycopg.connect(address.server, autocommit=True, connect_timeout=10) as connection:
        key = _prepared(connection, address)
    said = conninfo_to_dict(address.server)
    place = make_conninfo(address.server, options=f"{_LIMITS} {said.get('options', '')}".strip())
    pool = ConnectionPool(lambda: _opened(place), most=_MOST, patience=_PATIENCE)
    return Server(pool, key, SpaceNews(place, key, meanwhile=pool.tidy))


def _opened(place: str) -> Connection:
    """A connection as the role that owns nothing, whoever has connected: policies do not hold for a superuser."""
    connection = psycopg.connect(place, autocommit=True, connect_timeout=10, application_name="amb")
    try:
        connection.execute(f"SET ROLE {ROLE}")
    except BaseException:
        end(connection)
        raise
    return connection


def _prepared(connection: Connection, address: PostgresAddress) -> bytes:
    """Make or migrate the schema where this role may; returns the key that opens tenants."""
    if _is_owner(connection):
        bring_up_to_date(connection)
        return address.key or key_of(connection)
    version = version_of(connection)
    if version != SCHEMA_VERSION:
        found = f"the schema {version} of AMB" if version else "no schema of AMB that this role may see"
        raise StoreError(
            f"{address.shown} has {found}, and this AMB needs {SCHEMA_VERSION}; run `amb postgres init URL` as a role "
            "that may create roles and a schema there."
        )
    return address.key or key_of(connection)


def _is_owner(connection: Connection) -> bool:
    """Whether this role made the schema, may do all, or may make one where there is none."""
    row = connection.execute(
        """SELECT coalesce(
            (SELECT pg_has_role(current_user, nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'amb'),
            has_database_privilege(current_database(), 'CREATE') AND rolcreaterole OR rolsuper)
        FROM pg_roles WHERE rolname = current_user"""
    ).fetchone()
    return bool(row and row[0])


def translated(error: Exception, place: str) -> StoreError:
    """The StoreError that says what a failed statement, or a connection that could not be had, means for the user."""
    errors = psycopg.errors
    if isinstance(error, NoneFree):
        return StoreLocked(f"{place}: no connection was free for {_PATIENCE:.0f} s; try again, or use fewer threads.")
    if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled | errors.DeadlockDetected):
        return StoreLocked(f"{place}: another writer was at work there for long; try again in a moment.")
    if isinstance(error, errors.DiskFull):
        return StoreError(f"{place} has no disk space left; free some, then repeat. Nothing was written.")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return StoreError(f"{place} can only be read: it is a replica, or set so; write to the primary server.")
    if isinstance(error, errors.InsufficientPrivilege) and "row-level security" in str(error):
        return StoreError(
            f"{place} refuses the proof for this tenant: AMB_POSTGRES_KEY is not the key of this database."
        )
    if isinstance(error, errors.InsufficientPrivilege):
        return StoreError(
            f"{place} lets this role do less than AMB needs ({_said(error)}); see `amb doctor` with its URL."
        )
    if isinstance(error, errors.DataCorrupted | errors.IndexCorrupted):
        return StoreCorrupt(f"{place} cannot be read whole ({_said(error)}); restore it from a backup.")
    if isinstance(error, psycopg.OperationalError):
        return StoreUnreachable(f"{place} does not answer ({_said(error)}); start it, or try again in a moment.")
    return StoreError(f"{place}: {_said(error)}")


def _said(error: Exception) -> str:
    """The first line of what the server said; it names no values."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
