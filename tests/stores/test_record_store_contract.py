"""Both shipped stores keep the published contract."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from amb_core.protocols import RecordStore
from amb_core.stores import InMemoryStore, SqliteStore, open_store
from amb_core.testing.record_store import RecordStoreContract


class TestInMemoryStore(RecordStoreContract):
    @pytest.fixture
    def store(self) -> Iterator[RecordStore]:
        with closing(InMemoryStore()) as store:
            yield store


class TestSqliteStore(RecordStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[RecordStore]:
        self.path = tmp_path / "memory.db"
        with closing(open_store(f"sqlite:///{self.path}")) as store:
            yield store

    def reopen(self, store: RecordStore) -> RecordStore:
        return SqliteStore(self.path, synchronous="FULL")

    def corrupt(self, store: RecordStore, namespace: str, id: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            sql = "UPDATE records SET data = CAST(x'7b22ff' AS TEXT) WHERE namespace = ? AND id = ?"
            assert connection.execute(sql, (namespace, id)).rowcount == 1
