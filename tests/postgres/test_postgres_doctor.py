"""`amb doctor postgresql://…` says what is there and what is missing, and changes nothing."""

from __future__ import annotations

import psycopg
import pytest

from amb_cli import main
from amb_cli.doctor import store_checks
from amb_core.errors import InvalidParameter
from amb_core.stores import open_store
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_opener import findings


def found(url: str) -> dict[str, tuple[bool, str]]:
    return {name: (well, said) for name, well, said in findings(url)}


def test_a_database_that_is_ready_is_well(
    server: PostgresServer, space: str, capsys: pytest.CaptureFixture[str]
) -> None:
    open_store(space).close()
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute("VACUUM")  # the other tests have deleted much in this server
    assert main(["doctor", space]) == 0
    said = capsys.readouterr().out
    assert "row level security: forced on every table" in said
    assert "FAIL" not in said


def test_a_database_without_tables_is_told_what_to_run_and_stays_empty(server: PostgresServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute("CREATE DATABASE bare")
    assert "amb postgres init" in found(server.url("bare"))["schema"][1]
    assert not found(server.url("bare"))["schema"][0]


def test_policies_that_somebody_switched_off_are_named(server: PostgresServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute("CREATE DATABASE loose")
    open_store(server.url("loose")).close()
    with psycopg.connect(server.url("loose")) as owner:
        owner.execute("ALTER TABLE amb.records NO FORCE ROW LEVEL SECURITY")
    assert found(server.url("loose"))["row level security"][1].startswith("not forced on records")


def test_a_wrong_key_and_a_role_without_rights_are_found(server: PostgresServer, space: str) -> None:
    open_store(space).close()
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute("CREATE ROLE passer LOGIN")
    assert not found(f"{space}&key={'0' * 64}")["key"][0]
    stranger = found(server.url(user="passer"))
    assert (stranger["role"][0], stranger["schema"][0], stranger["key"][0]) == (False, False, False)


def test_a_server_that_is_not_there_is_a_finding() -> None:
    assert found("postgresql://me:hidden@127.0.0.1:9/memory")["server"][0] is False


def test_a_store_without_a_server_needs_no_check() -> None:
    with pytest.raises(InvalidParameter, match="a file needs no check"):
        list(store_checks("sqlite:///x.db"))
