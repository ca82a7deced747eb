"""The database keeps tenants apart, whatever SQL the role of the application runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import psycopg
import pytest

from amb_cli import main
from amb_core import MemoryBank
from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import open_store
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_address import PostgresAddress, address_of
from amb_postgres.postgres_schema import key_of

TABLES = ("spaces", "records", "versions")


@dataclass
class Place:
    """A database with two tenants in it, and the login of an application that owns nothing."""

    server: PostgresServer
    key: bytes

    def url(self, tenant: str, *, key: bytes | None = None) -> str:
        return f"{self.server.url(user='application')}?tenant={tenant}&space=s&key={(key or self.key).hex()}"

    def address(self, tenant: str) -> PostgresAddress:
        return address_of(self.url(tenant))


@pytest.fixture(scope="module")
def place(server: PostgresServer) -> Iterator[Place]:
    for tenant in ("acme", "rival"):
        store = open_store(f"{server.url()}?tenant={tenant}&space=s")
        store.put([Record("n", "r", {"of": tenant}), Record("n", "r", {"of": tenant, "v": 2})], keep_history=True)
        store.close()
    with psycopg.connect(server.url()) as owner:
        owner.execute("CREATE ROLE application LOGIN IN ROLE amb_app")
        key = key_of(owner)
    yield Place(server, key)
    with psycopg.connect(server.url()) as owner:
        owner.execute("DROP ROLE application")


@pytest.fixture
def session(place: Place) -> Iterator[psycopg.Connection]:
    """The application's own SQL."""
    with psycopg.connect(place.server.url(user="application"), autocommit=True) as connection:
        yield connection


def enter(session: psycopg.Connection, tenant: str, space: str, proof: str) -> None:
    for name, value in (("tenant", tenant), ("space", space), ("proof", proof)):
        session.execute("SELECT set_config(%s, %s, false)", (f"amb.{name}", value))


def seen(session: psycopg.Connection) -> list[int]:
    return [session.execute(f"SELECT count(*) FROM amb.{table}").fetchone()[0] for table in TABLES]


def test_a_query_without_a_tenant_sees_nothing(session: psycopg.Connection) -> None:
    assert seen(session) == [0, 0, 0]


def test_a_tenant_that_proves_itself_sees_its_own_rows(place: Place, session: psycopg.Connection) -> None:
    enter(session, "acme", "s", place.address("acme").proof(place.key))
    assert seen(session) == [1, 1, 1]
    assert session.execute("SELECT DISTINCT tenant FROM amb.records").fetchall() == [("acme",)]


@pytest.mark.parametrize("proof", ["", "acme", "0" * 64, None])
def test_a_name_without_its_proof_opens_nothing(session: psycopg.Connection, proof: str | None) -> None:
    enter(session, "acme", "s", proof)
    assert seen(session) == [0, 0, 0]


def test_the_proof_of_one_tenant_or_space_opens_no_other(place: Place, session: psycopg.Connection) -> None:
    for tenant, space in (("rival", "s"), ("acme", "*"), ("acme", "t"), ("ACME", "s")):
        enter(session, tenant, space, place.address("acme").proof(place.key))
        assert seen(session) == [0, 0, 0]


def test_names_that_run_together_have_different_proofs(place: Place) -> None:
    one, two = (PostgresAddress("", *names).proof(place.key) for names in (("a\x1fb", "c"), ("a", "b\x1fc")))
    assert one != two


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM amb.secret",
        "SELECT amb.proves('rival', 's', '')",
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION postgres",
        "ALTER TABLE amb.records DISABLE ROW LEVEL SECURITY",
        "DROP POLICY one_tenant ON amb.records",
        "CREATE POLICY mine ON amb.records USING (true)",
        "CREATE TABLE amb.copy (a int)",
        "CREATE OR REPLACE FUNCTION amb.tenant() RETURNS text LANGUAGE sql AS $$ SELECT 'rival' $$",
        "TRUNCATE amb.records",
        "SET row_security = off; SELECT * FROM amb.records",
        "INSERT INTO amb.spaces (tenant, space) VALUES ('rival', 'new')",
        "INSERT INTO amb.records VALUES ('rival', 's', 'n', 'new', 1, '{}', 0, 0, NULL)",
        "UPDATE amb.records SET tenant = 'rival'",
        "COPY amb.records TO '/tmp/stolen'",
    ],
)
def test_the_application_s_role_is_refused(place: Place, session: psycopg.Connection, sql: str) -> None:
    enter(session, "acme", "s", place.address("acme").proof(place.key))
    with pytest.raises(psycopg.Error):
        session.execute(sql)


def test_changes_and_deletions_reach_no_other_tenant(place: Place, session: psycopg.Connection) -> None:
    enter(session, "acme", "s", place.address("acme").proof(place.key))
    assert session.execute("UPDATE amb.records SET data = '{}' WHERE tenant = 'rival'").rowcount == 0
    assert session.execute("DELETE FROM amb.records WHERE tenant = 'rival' OR true").rowcount == 1
    with closing(open_store(place.url("rival"))) as store:
        assert [record.data for record in store.search(RecordQuery("n"))] == [{"of": "rival", "v": 2}]


def test_a_function_that_tells_what_it_is_shown_is_shown_nothing_of_others(
    place: Place, session: psycopg.Connection
) -> None:
    session.execute("""CREATE FUNCTION pg_temp.tell(told text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001
        AS $$ BEGIN RAISE NOTICE '%', told; RETURN true; END $$""")
    told: list[str] = []
    session.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
    enter(session, "rival", "s", place.address("acme").proof(place.key))
    session.execute("SELECT * FROM amb.records WHERE pg_temp.tell(data)")
    assert told == []


def test_a_table_or_function_of_the_session_does_not_stand_in_for_the_real_ones(
    place: Place, session: psycopg.Connection
) -> None:
    session.execute("CREATE TEMP TABLE secret (key bytea, inner_pad bytea, outer_pad bytea)")
    session.execute("INSERT INTO secret VALUES ('k', 'k', 'k')")
    session.execute("SET search_path = pg_temp, amb, public")
    enter(session, "rival", "s", "0" * 64)
    assert seen(session) == [0, 0, 0]


def test_whoever_connects_a_store_works_as_a_role_that_owns_nothing(place: Place) -> None:
    store = open_store(f"{place.server.url()}?tenant=acme&space=s")
    with store.transaction():
        assert store._space.ask("SELECT current_user, amb.tenant()", ()) == [("amb_app", "acme")]
    store.close()


def test_a_key_that_is_not_the_database_s_opens_no_store(place: Place) -> None:
    with pytest.raises(StoreError, match="key"):
        MemoryBank("Plan a trip.", store=place.url("acme", key=b"\1" * 32))


def test_without_a_key_the_application_is_told_to_set_one(place: Place) -> None:
    with pytest.raises(StoreError, match="AMB_POSTGRES_KEY"):
        open_store(f"{place.server.url(user='application')}?tenant=acme")


def test_two_tenants_work_in_spaces_of_one_name(place: Place) -> None:
    banks = [MemoryBank("Plan a trip.", store=place.url(tenant).replace("space=s", "space=trip")) for tenant in "ab"]
    for bank, code in zip(banks, ("Q7", "K2"), strict=True):
        bank.read(f"The booking code of the trip is {code}.", source="mail")
    for bank, own, other in zip(banks, ("Q7", "K2"), ("K2", "Q7"), strict=True):
        block = bank.recall("What is the booking code?").text
        assert own in block
        assert other not in block
        bank.close()


def test_the_owner_s_command_prints_the_key_that_the_application_needs(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["postgres", "init", place.server.url()]) == 0
    said = capsys.readouterr().out
    assert f"AMB_POSTGRES_KEY={place.key.hex()}" in said
    assert "IN ROLE amb_app" in said
    assert main(["postgres", "init", place.server.url(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"role": "amb_app", "key": place.key.hex()}


def test_a_role_that_may_not_make_tables_is_told_who_can(server: PostgresServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute("CREATE ROLE nobody_special LOGIN")
        owner.execute("CREATE DATABASE unprepared")
    with pytest.raises(StoreError, match="amb postgres init"):
        open_store(server.url("unprepared", user="nobody_special"))
