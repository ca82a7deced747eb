"""The shipped stores keep the published contract."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from amb_contracts.record_store import RecordStoreContract
from amb_contracts.record_store_content import found, put
from amb_core.errors import StoreLocked
from amb_core.protocols import RecordStore
from amb_core.stores import InMemoryStore, JsonFolderStore, SqliteStore, open_store
from amb_vector_stores import QdrantStore


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


@pytest.mark.sampled(4)
class TestJsonFolderStore(RecordStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[RecordStore]:
        self.path = tmp_path / "memory"
        self.opened: list[RecordStore] = [open_store(f"json:///{self.path}")]
        yield self.opened[0]
        for each in self.opened:
            each.close()

    def reopen(self, store: RecordStore) -> RecordStore:
        self.opened.append(JsonFolderStore(self.path, synchronous="FULL", compact_bytes=200))
        return self.opened[-1]

    def corrupt(self, store: RecordStore, namespace: str, id: str) -> RecordStore:
        store.close()
        [journal] = self.path.glob("journal-*.jsonl")
        lines = journal.read_bytes().split(b"\n")
        [place] = [number for number, text in enumerate(lines) if f'"put":["{namespace}","{id}"'.encode() in text]
        lines[place] = lines[place].replace(b'"data":{', b'"data":\xff')
        journal.write_bytes(b"\n".join(lines))
        return self.reopen(store)

    @pytest.fixture
    def concurrent(self, store: RecordStore) -> RecordStore:
        """Threads may share it, though a second opening is refused."""
        return store

    def test_two_openings_see_each_other_s_commits(self, durable: RecordStore, concurrent: RecordStore) -> None:
        put(durable, "r1")
        with pytest.raises(StoreLocked, match="close it there"):
            self.reopen(durable)
        assert found(durable) == ["r1"]

    def test_two_openings_may_write_at_once(self, durable: RecordStore, concurrent: RecordStore) -> None:
        pytest.skip("a folder has one opening at a time")


@pytest.mark.sampled(4)
@pytest.mark.slow
class TestQdrantFolderStore(RecordStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[RecordStore]:
        self.path = tmp_path / "memory"
        self.opened: list[RecordStore] = [open_store(f"qdrant:///{self.path}")]
        yield self.opened[0]
        for each in self.opened:
            each.close()

    def reopen(self, store: RecordStore) -> RecordStore:
        self.opened.append(QdrantStore(self.path, synchronous="FULL"))
        return self.opened[-1]

    def corrupt(self, store: RecordStore, namespace: str, id: str) -> RecordStore:
        store.close()
        [file] = self.path.glob("collection/*/storage.sqlite")
        with closing(sqlite3.connect(file)) as database, database:
            [(key, raw)] = [
                row
                for row in database.execute("SELECT id, point FROM points")
                if f'"record","={namespace}","={id}"'.encode() in row[1]
            ]
            database.execute("UPDATE points SET point = ? WHERE id = ?", (raw[:-60], key))
        return self.reopen(store)

    @pytest.fixture
    def concurrent(self, store: RecordStore) -> RecordStore:
        """Threads may share it, though a second opening is refused."""
        return store

    def test_two_openings_see_each_other_s_commits(self, durable: RecordStore, concurrent: RecordStore) -> None:
        put(durable, "r1")
        with pytest.raises(StoreLocked, match="close it there"):
            self.reopen(durable)
        assert found(durable) == ["r1"]

    def test_two_openings_may_write_at_once(self, durable: RecordStore, concurrent: RecordStore) -> None:
        pytest.skip("a folder has one opening at a time")


@pytest.mark.nightly  # by day: any steps, in test_stores_agree.py
@pytest.mark.slow
class TestQdrantInSmallRequests(TestQdrantFolderStore):
    """As a server is asked: for a few points at a time."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[RecordStore]:
        self.path = tmp_path / "memory"
        self.opened = [QdrantStore(self.path, page_size=3)]
        yield self.opened[0]
        for each in self.opened:
            each.close()

    def test_a_batch_of_thousands_is_put_in_order(self, store: RecordStore) -> None:
        pytest.skip("a thousand requests that each look at every point")
