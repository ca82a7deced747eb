"""How a store in PostgreSQL is opened by URL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, LiteralString

import psycopg

from amb_core.errors import MissingExtra, StoreError
from amb_core.protocols import RecordStore
from amb_core.stores.openers import BankPlaces
from amb_postgres.postgres_address import address_of
from amb_postgres.postgres_pool import translated
from amb_postgres.postgres_schema import ROLE, SCHEMA_VERSION, TABLES, key_of, version_of

__all__ = ["findings", "opener"]


class _PostgresOpener:
    """Opens postgresql://user@host/database?tenant=T&space=S; the server says what a commit waits for."""

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore:
        try:
            from amb_postgres.postgres_store import PostgresStore
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "psycopg":
                raise MissingExtra("psycopg", extra="postgres") from error
            raise
        return PostgresStore(url)

    def places(self, url: str) -> BankPlaces:
        from amb_postgres.tenant_spaces import TenantSpaces

        return TenantSpaces(url)

    def spaces(self, url: str) -> list[str] | None:
        if "space=*" not in url and "space=%2A" not in url:
            return None
        from amb_postgres.tenant_spaces import TenantSpaces

        with closing(TenantSpaces(url)) as spaces:
            return spaces.others()

    def findings(self, url: str) -> Iterable[tuple[str, bool, str]]:
        try:
            from amb_postgres.postgres_opener import findings
        except ModuleNotFoundError as error:
            raise MissingExtra("psycopg", extra="postgres") from error
        return findings(url)

    def folder(self, url: str) -> Path | None:
        return None

    def holds_something(self, url: str) -> bool:
        return True


opener = _PostgresOpener()


_Finding = tuple[str, bool, str]


def findings(url: str) -> Iterator[_Finding]:
    """Name, whether it is well, and what was found; nothing is changed, and no row of a tenant is read."""
    address = address_of(url)
    try:
        with psycopg.connect(address.server, autocommit=True, connect_timeout=10) as connection:
            yield "server", True, f"PostgreSQL {connection.info.server_version // 10_000} at {address.shown} answers"
            yield from _schema(connection)
            yield _role(connection)
            yield _key(connection, address.key)
            yield from _server(connection)
    except psycopg.Error as error:
        yield "server", False, str(translated(error, address.shown))


def _one(connection: psycopg.Connection[Any], sql: LiteralString, *values: object) -> Any:
    row = connection.execute(sql, values).fetchone()
    return None if row is None else row[0]


def _schema(connection: psycopg.Connection[Any]) -> Iterator[_Finding]:
    try:
        version = version_of(connection)
    except psycopg.errors.InsufficientPrivilege:
        yield "schema", False, f"this role may not see it; GRANT {ROLE} to it as the owner"
        return
    if version == 0:
        yield "schema", False, "there is none that this role may see; run `amb postgres init URL` as the owner"
        return
    well = version == SCHEMA_VERSION
    todo = "run `amb postgres init URL` as the owner" if version < SCHEMA_VERSION else "upgrade AMB here"
    yield (
        "schema",
        well,
        f"version {version}" if well else f"version {version}, this AMB needs {SCHEMA_VERSION}; {todo}",
    )
    sql: LiteralString = """SELECT array_agg(relname::text) FROM pg_class WHERE relnamespace = to_regnamespace('amb')
        AND relname = ANY(%s) AND NOT (relrowsecurity AND relforcerowsecurity)"""
    loose = _one(connection, sql, list(TABLES)) or []
    said = f"not forced on {', '.join(loose)}; run `amb postgres init URL`" if loose else "forced on every table"
    yield "row level security", not loose, said


def _role(connection: psycopg.Connection[Any]) -> _Finding:
    name, above, member = connection.execute(
        """SELECT rolname, rolsuper OR rolbypassrls, CASE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = %s)
        THEN pg_has_role(current_user, %s, 'MEMBER') ELSE false END FROM pg_roles WHERE rolname = current_user""",
        (ROLE, ROLE),
    ).fetchone() or ("?", False, False)
    if not member:
        return "role", False, f"{name} is not in {ROLE}; as the owner: GRANT {ROLE} TO {name}"
    if above:
        return "role", True, f"{name} sees all tenants; give the application a login of its own IN ROLE {ROLE}"
    return "role", True, f"{name} works as {ROLE}, which owns nothing"


def _key(connection: psycopg.Connection[Any], key: bytes) -> _Finding:
    try:
        right = key_of(connection)
    except StoreError as error:
        return ("key", True, "set; a wrong one is told at the first opening") if key else ("key", False, str(error))
    except psycopg.Error:
        return "key", False, "there is none yet; run `amb postgres init URL` as the owner"
    if key and key != right:
        return "key", False, "AMB_POSTGRES_KEY is not the key of this database; see `amb postgres init URL`"
    return "key", True, "set, and it is the one" if key else "read as the owner; an application needs AMB_POSTGRES_KEY"


def _server(connection: psycopg.Connection[Any]) -> Iterator[_Finding]:
    replica = _one(connection, "SELECT pg_is_in_recovery()")
    yield (
        "writing",
        not replica,
        "this is a replica; name the primary server" if replica else "it is the primary server",
    )
    safe = _one(connection, "SHOW synchronous_commit")
    yield "commits", True, "wait for the disk" if safe != "off" else "do not wait: a power cut may lose the newest"
    most = _one(connection, "SELECT current_setting('max_connections')::int")
    used = _one(connection, "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    yield "connections", used + 9 <= most, f"{used} of {most} in use; a process of AMB has 9 at most"
    vectors = _one(connection, "SELECT installed_version FROM pg_available_extensions WHERE name = 'vector'")
    yield "pgvector", True, f"version {vectors}" if vectors else "not there (AMB searches vectors in the process)"
    if _one(connection, "SELECT to_regclass('amb.records')") is None:
        return
    dead, live = connection.execute(
        "SELECT sum(n_dead_tup), sum(n_live_tup) FROM pg_stat_user_tables WHERE schemaname = 'amb'"
    ).fetchone() or (0, 0)
    much = (dead or 0) > 10_000 and (dead or 0) > (live or 0)
    todo = "; run VACUUM on the tables of the schema amb" if much else ""
    yield "deleted rows", not much, f"{dead or 0} not vacuumed yet, beside {live or 0}{todo}"
