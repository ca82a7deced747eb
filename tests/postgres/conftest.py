"""A real PostgreSQL server for the tests here, and a space of its own in it for each test."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="needs the postgres extra; make test-postgres has it")

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
