"""The tables AMB keeps in PostgreSQL, who may see which of their rows, and how an older schema becomes today's.

Everything is in the schema `amb`. The rows of a tenant are seen only by a session that names the tenant and proves
that it may: `amb.tenant`, `amb.space` and `amb.proof` are set for one transaction, and the proof is the HMAC of the two
names under a key that the role of the application cannot read. So its own SQL reaches no other tenant either.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, LiteralString

from amb_core.errors import StoreError, StoreVersionError

if TYPE_CHECKING:
    import psycopg

__all__ = ["ROLE", "SCHEMA_VERSION", "TABLES", "bring_up_to_date", "key_of", "version_of"]

ROLE: Final = "amb_app"
"""The role that works on the rows and owns nothing."""

# Statement group n turns schema n into schema n + 1; a new database goes through all of them. Groups are never edited.
MIGRATIONS: tuple[tuple[LiteralString, ...], ...] = (
    (
        """CREATE TABLE amb.secret (one boolean PRIMARY KEY DEFAULT true CHECK (one),
            key bytea NOT NULL, inner_pad bytea NOT NULL, outer_pad bytea NOT NULL)""",
        """CREATE TABLE amb.spaces (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, last_place bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (tenant, space))""",
        """CREATE TABLE amb.records (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL,
            namespace text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, place bigint NOT NULL,
            data text COLLATE "C" NOT NULL, created_at float8 NOT NULL, updated_at float8 NOT NULL, expires_at float8,
            PRIMARY KEY (tenant, space, namespace, id))""",
        "CREATE INDEX records_in_order ON amb.records (tenant, space, namespace, place)",
        """CREATE TABLE amb.versions (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL,
            namespace text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
            place bigint GENERATED ALWAYS AS IDENTITY,
            data text COLLATE "C" NOT NULL, created_at float8 NOT NULL, updated_at float8 NOT NULL, expires_at float8,
            PRIMARY KEY (tenant, space, namespace, id, place))""",
        # HMAC-SHA256 of what the session names, as RFC 2104 has it.
        """CREATE FUNCTION amb.proves(tenant text, space text, proof text) RETURNS boolean
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT coalesce(proof = encode(sha256(outer_pad || sha256(inner_pad
                || convert_to(octet_length(tenant) || ':' || tenant || space, 'UTF8'))), 'hex'), false)
            FROM amb.secret $$""",
        """CREATE FUNCTION amb.tenant() RETURNS text
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT CASE WHEN amb.proves(current_setting('amb.tenant', true), current_setting('amb.space', true),
                current_setting('amb.proof', true)) THEN current_setting('amb.tenant', true) END $$""",
    ),
    (
        # Changes of a space are numbered; a record has the number of its last change, and what was deleted stands in
        # `gone` with its own. `born` tells a space from a later one of its name.
        """ALTER TABLE amb.spaces ADD last_change bigint NOT NULL DEFAULT 0, ADD known_from bigint NOT NULL DEFAULT 0,
            ADD born uuid NOT NULL DEFAULT gen_random_uuid(), ADD used_at float8 NOT NULL DEFAULT 0""",
        "ALTER TABLE amb.records ADD changed bigint NOT NULL DEFAULT 0",
        "CREATE INDEX records_by_change ON amb.records (tenant, space, changed)",
        """CREATE TABLE amb.gone (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, changed bigint NOT NULL,
            namespace text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (tenant, space, changed))""",
        """CREATE TABLE amb.jobs (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
            leased_until timestamptz NOT NULL, holder text NOT NULL, tries int NOT NULL DEFAULT 0,
            queued bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (tenant, space, id))""",
        # What an earlier version left undigested waits too; for a moment the owner sees all rows.
        "ALTER TABLE amb.records NO FORCE ROW LEVEL SECURITY",
        """INSERT INTO amb.jobs (tenant, space, id, leased_until, holder) SELECT tenant, space, id, '-infinity', ''
            FROM amb.records WHERE namespace = 'task/digestion' AND strpos(data, '"state":"done"') = 0""",
        "ALTER TABLE amb.records FORCE ROW LEVEL SECURITY",
        "CREATE INDEX jobs_by_lease ON amb.jobs (leased_until)",
        """CREATE TABLE amb.files (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
            data bytea NOT NULL, PRIMARY KEY (tenant, space, name))""",
        # The planner's statistics would keep samples of texts, also of deleted ones.
        "ALTER TABLE amb.records ALTER data SET STATISTICS 0",
        "ALTER TABLE amb.versions ALTER data SET STATISTICS 0",
        "ALTER TABLE amb.files ALTER data SET STATISTICS 0",
    ),
    (
        # What the database finds candidates by. Operators on arrays may not look behind a policy of tenants, so the
        # index is read by a function of the owner's alone, which asks for the tenant's proof itself.
        """CREATE TABLE amb.search (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL, terms bigint[] NOT NULL, PRIMARY KEY (tenant, space, namespace, id),
            FOREIGN KEY (tenant, space, namespace, id) REFERENCES amb.records ON DELETE CASCADE)""",
        "CREATE INDEX search_by_term ON amb.search USING gin (terms)",
        "ALTER TABLE amb.search ALTER terms SET STATISTICS 0",
        """CREATE TABLE amb.indexed (
            tenant text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL,
            upto bigint NOT NULL, notes bigint NOT NULL, terms bigint NOT NULL,
            PRIMARY KEY (tenant, space, namespace))""",
        """CREATE FUNCTION amb.find(wanted_namespace text, wanted bigint[], most int)
            RETURNS TABLE (id text, score float8)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            WITH here AS MATERIALIZED (
                SELECT amb.tenant() AS tenant, current_setting('amb.space', true) AS space),
            kept AS MATERIALIZED (
                SELECT greatest(i.notes, 1) AS notes, greatest(i.terms / greatest(i.notes, 1), 1)::float8 AS length
                FROM amb.indexed i, here
                WHERE i.tenant = here.tenant AND i.space = here.space AND i.namespace = wanted_namespace),
            held AS MATERIALIZED (
                SELECT term, (SELECT count(*) FROM
                    (SELECT FROM amb.search s WHERE s.terms @> ARRAY[term] LIMIT 20001) few) AS many
                FROM unnest(wanted) AS term),
            telling AS MATERIALIZED (
                SELECT term, ln(1 + (greatest(kept.notes - many, 0) + 0.5) / (many + 0.5)) AS worth FROM held, kept
                WHERE many > 0 AND (many <= 20000 OR NOT EXISTS (SELECT FROM held WHERE many BETWEEN 1 AND 20000)))
            SELECT s.id, sum(worth * 2.2 / (1 + 1.2 * (0.25 + 0.75 * cardinality(s.terms) / kept.length)))
            FROM telling JOIN amb.search s ON s.terms @> ARRAY[telling.term], here, kept
            WHERE s.tenant = here.tenant AND s.space = here.space AND s.namespace = wanted_namespace
            GROUP BY s.id ORDER BY 2 DESC, 1 LIMIT most $$""",
        "REVOKE ALL ON FUNCTION amb.find(text, bigint[], int) FROM PUBLIC",
        f"GRANT EXECUTE ON FUNCTION amb.find(text, bigint[], int) TO {ROLE}",
    ),
    (
        # What a write to a namespace that is not loaded asks for: what is over, and records by a field. The index now
        # has the fields of records too, and is made anew at the next search.
        """CREATE INDEX records_by_end ON amb.records (tenant, space, namespace, expires_at)
            WHERE expires_at IS NOT NULL""",
        # How many records have a word, up to a number; those that have all of some terms, the shortest of 100,000
        # first; and those that have one, by what each is worth.
        """CREATE FUNCTION amb.held(wanted_namespace text, wanted bigint[], most int)
            RETURNS TABLE (term bigint, many bigint)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT term, (SELECT count(*) FROM (SELECT FROM amb.search s WHERE s.terms @> ARRAY[term]
                AND s.tenant = (SELECT amb.tenant()) AND s.space = (SELECT current_setting('amb.space', true))
                AND s.namespace = wanted_namespace LIMIT most) few) FROM unnest(wanted) AS term $$""",
        """CREATE FUNCTION amb.holding(wanted_namespace text, wanted bigint[], most int) RETURNS TABLE (id text)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT few.id FROM (SELECT s.id, s.terms FROM amb.search s WHERE s.terms @> wanted
                AND s.tenant = (SELECT amb.tenant()) AND s.space = (SELECT current_setting('amb.space', true))
                AND s.namespace = wanted_namespace LIMIT 100000) few
            ORDER BY cardinality(few.terms), few.id LIMIT most $$""",
        "DROP FUNCTION amb.find(text, bigint[], int)",
        """CREATE FUNCTION amb.find(wanted_namespace text, wanted bigint[], worth float8[], length float8, most int)
            RETURNS TABLE (id text, score float8)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT s.id, sum(one.worth * 2.2 / (1 + 1.2 * (0.25 + 0.75 * cardinality(s.terms) / length)))
            FROM unnest(wanted, worth) AS one (term, worth) JOIN amb.search s ON s.terms @> ARRAY[one.term]
            WHERE s.tenant = (SELECT amb.tenant()) AND s.space = (SELECT current_setting('amb.space', true))
            AND s.namespace = wanted_namespace GROUP BY s.id ORDER BY 2 DESC, 1 LIMIT most $$""",
        "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA amb FROM PUBLIC",
        f"GRANT EXECUTE ON FUNCTION amb.held(text, bigint[], int), amb.holding(text, bigint[], int), "
        f"amb.find(text, bigint[], float8[], float8, int) TO {ROLE}",
        "ALTER TABLE amb.indexed NO FORCE ROW LEVEL SECURITY",
        "DELETE FROM amb.indexed",
        "ALTER TABLE amb.indexed FORCE ROW LEVEL SECURITY",
    ),
)
SCHEMA_VERSION = len(MIGRATIONS)
TABLES: tuple[LiteralString, ...] = ("spaces", "records", "versions", "gone", "jobs", "files", "search", "indexed")
"""The tables with rows of tenants."""
_POLICY: LiteralString = """CREATE POLICY one_tenant ON amb.{} TO PUBLIC
    USING (tenant = (SELECT amb.tenant()) AND (space = (SELECT current_setting('amb.space', true))
        OR (SELECT current_setting('amb.space', true)) = '*'))"""
# Who has the key may learn which tenants have something to digest: names and ids, no word of what was said.
_FOR_WORKERS: LiteralString = """CREATE POLICY for_workers ON amb.jobs FOR SELECT TO PUBLIC
    USING ((SELECT amb.tenant()) = '*' AND (SELECT current_setting('amb.space', true)) = '*')"""
# The owner's functions look through the index of all tenants, and give only what a tenant has proved to be its own.
_FOR_FIND: LiteralString = "CREATE POLICY for_find ON amb.search FOR SELECT TO CURRENT_USER USING (true)"
_VECTORS: tuple[LiteralString, ...] = (
    "ALTER TABLE amb.search ADD embedding {home}.vector",
    """CREATE FUNCTION amb.nearest(wanted_namespace text, wanted text, most int) RETURNS TABLE (id text)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, {home}, pg_temp AS $$
        SELECT s.id FROM amb.search s WHERE s.tenant = (SELECT amb.tenant())
        AND s.space = (SELECT current_setting('amb.space', true)) AND s.namespace = wanted_namespace
        AND vector_dims(s.embedding) = vector_dims(wanted::vector)
        ORDER BY s.embedding <=> wanted::vector, s.id LIMIT most $$""",
    "REVOKE ALL ON FUNCTION amb.nearest(text, text, int) FROM PUBLIC",
    "GRANT EXECUTE ON FUNCTION amb.nearest(text, text, int) TO {role}",
)
_LOCK: LiteralString = "SELECT pg_advisory_xact_lock(hashtext('amb.schema'))"


def version_of(connection: psycopg.Connection[Any]) -> int:
    """The version of the schema that is there; 0 where there is none."""
    there = connection.execute("SELECT to_regclass('amb.version') IS NOT NULL").fetchone()
    if there is None or not there[0]:
        return 0
    found = connection.execute("SELECT version FROM amb.version").fetchone()
    return 0 if found is None else int(found[0])


def bring_up_to_date(connection: psycopg.Connection[Any]) -> None:
    """Make the schema, or bring an older one to this version, as a role that may; another one at it is waited for.

    Raises StoreVersionError for a schema of a newer AMB, which is not changed.
    """
    with connection.transaction():
        connection.execute(_LOCK)
        version = version_of(connection)
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                f"the database has schema {version} of AMB, this AMB knows {SCHEMA_VERSION}; upgrade AMB to open it."
            )
        if version == 0:
            _begin(connection)
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        if version == 0:
            _make_key(connection)
        for table in TABLES:
            _close_to_others(connection, table)
        _add_vectors(connection)
        connection.execute("UPDATE amb.version SET version = %s", (SCHEMA_VERSION,))


def _begin(connection: psycopg.Connection[Any]) -> None:
    connection.execute("CREATE SCHEMA IF NOT EXISTS amb")
    connection.execute("REVOKE ALL ON SCHEMA amb FROM PUBLIC")
    connection.execute("CREATE TABLE amb.version (version int NOT NULL)")
    connection.execute("INSERT INTO amb.version VALUES (0)")
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone() is None:
        connection.execute(f"CREATE ROLE {ROLE} NOLOGIN")
    connection.execute(f"GRANT {ROLE} TO CURRENT_USER")


def _make_key(connection: psycopg.Connection[Any]) -> None:
    """A new key, and what the role may do but work on rows."""
    key = secrets.token_bytes(32)
    pads = [bytes(byte ^ mask for byte in key.ljust(64, b"\0")) for mask in (0x36, 0x5C)]
    connection.execute("INSERT INTO amb.secret (key, inner_pad, outer_pad) VALUES (%s, %s, %s)", (key, *pads))
    connection.execute("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA amb FROM PUBLIC")
    connection.execute(f"GRANT USAGE ON SCHEMA amb TO {ROLE}")
    connection.execute(f"GRANT SELECT ON amb.version TO {ROLE}")
    connection.execute(f"GRANT EXECUTE ON FUNCTION amb.tenant() TO {ROLE}")


def _add_vectors(connection: psycopg.Connection[Any]) -> None:
    """Vectors in the index where pgvector is, or may be, installed; once."""
    import psycopg
    from psycopg import sql

    if connection.execute("SELECT to_regproc('amb.nearest') IS NOT NULL").fetchone() == (True,):
        return
    with suppress(psycopg.Error), connection.transaction():
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        found = connection.execute(
            "SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'vector'"
        ).fetchone()
        assert found is not None
        for statement in _VECTORS:
            connection.execute(sql.SQL(statement).format(home=sql.Identifier(found[0]), role=sql.Identifier(ROLE)))


def _close_to_others(connection: psycopg.Connection[Any], table: LiteralString) -> None:
    """The role works on rows, and every row is behind its policy, for the owner too; done once a table."""
    sql: LiteralString = "SELECT 1 FROM pg_policies WHERE schemaname = 'amb' AND tablename = %s"
    if connection.execute(sql, (table,)).fetchone() is not None:
        return
    connection.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON amb.{table} TO {ROLE}")
    connection.execute(f"ALTER TABLE amb.{table} ENABLE ROW LEVEL SECURITY")
    connection.execute(f"ALTER TABLE amb.{table} FORCE ROW LEVEL SECURITY")
    connection.execute(_POLICY.format(table))
    if table == "jobs":
        connection.execute(_FOR_WORKERS)
    if table == "search":
        connection.execute(_FOR_FIND)


def key_of(connection: psycopg.Connection[Any]) -> bytes:
    """The key that opens tenants, as its owner reads it; StoreError for anybody else."""
    import psycopg

    try:
        found = connection.execute("SELECT key FROM amb.secret").fetchone()
    except psycopg.errors.InsufficientPrivilege:
        raise StoreError(
            "the database keeps its tenants apart by a key; set AMB_POSTGRES_KEY to the one that `amb postgres init` "
            "printed for whoever owns the database."
        ) from None
    assert found is not None
    return bytes(found[0])
