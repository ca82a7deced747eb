"""A real PostgreSQL server for the tests here, and a space of its own in it for each test."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="needs the postgres extra; make test-postgres has it")

import psycopg

from amb_postgres import postgres_schema
from amb_postgres.local_server import PostgresServer, find_programs

_numbers = count()


@pytest.fixture(scope="session")
def folders() -> Iterator[Path]:
    """Where servers keep their data: pytest's own folder is closed to others whenever another pytest begins."""
    with tempfile.TemporaryDirectory(prefix="amb-postgres-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def server(folders: Path) -> Iterator[PostgresServer]:
    """A running server."""
    programs = find_programs()
    if programs is None:
        pytest.skip("needs a PostgreSQL server; make test-postgres has one")
    server = PostgresServer(programs, folders / "server")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def space(server: PostgresServer) -> str:
    """The URL of an empty space, as the owner of the database, who may do all."""
    return f"{server.url()}?tenant=tests&space={next(_numbers)}"


@pytest.fixture
def first_schema() -> Callable[[str], None]:
    """What makes the tables as the first version made them, with a record and an entry that nobody has digested."""
    return _make_first_schema


def _make_first_schema(url: str) -> None:
    with psycopg.connect(url) as owner:
        postgres_schema._begin(owner)
        for statement in postgres_schema.MIGRATIONS[0]:
            owner.execute(statement)
        postgres_schema._make_key(owner)
        for table in ("spaces", "records", "versions"):
            postgres_schema._close_to_others(owner, table)
        owner.execute("UPDATE amb.version SET version = 1")
        owner.execute("INSERT INTO amb.spaces VALUES ('default', 'default', 2)")
        for place, row in enumerate([("n", "r", '{"v":1}'), ("task/digestion", "e1", '{"state":"raw"}')], 1):
            sql = "INSERT INTO amb.records VALUES ('default', 'default', %s, %s, %s, %s, 0, 0, NULL)"
            owner.execute(sql, (*row[:2], place, row[2]))
