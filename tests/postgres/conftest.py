"""A real PostgreSQL server for the tests here, and a space of its own in it for each test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

pytest.importorskip("psycopg", reason="needs the postgres extra; make test-postgres has it")

from amb_postgres.local_server import PostgresServer, find_programs

_numbers = count()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A running server."""
    programs = find_programs()
    if programs is None:
        pytest.skip("needs a PostgreSQL server; make test-postgres has one")
    server = PostgresServer(programs, tmp_path_factory.mktemp("postgres") / "server")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def space(server: PostgresServer) -> str:
    """The URL of an empty space, as the owner of the database, who may do all."""
    return f"{server.url()}?tenant=tests&space={next(_numbers)}"
