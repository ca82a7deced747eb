"""Graphs in the records of every store that comes without a server keep the published contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from amb_book.graph import RecordGraph
from amb_book.graphs import GraphStore
from amb_book.testing.graph_store import GraphStoreContract

from amb_core.stores import InMemoryStore, JsonFolderStore, SqliteStore
from amb_vector_stores import QdrantStore


class TestGraphInMemory(GraphStoreContract):
    @pytest.fixture
    def graph(self) -> Iterator[GraphStore]:
        with closing(InMemoryStore()) as self.store:
            yield RecordGraph(self.store, "book:facts")

    def reopen(self, graph: GraphStore) -> GraphStore:
        return RecordGraph(self.store, "book:facts")


class TestGraphInSqlite(GraphStoreContract):
    @pytest.fixture
    def graph(self, tmp_path: Path) -> Iterator[GraphStore]:
        self.path = tmp_path / "book.db"
        with closing(self._open()) as graph:
            yield graph

    def _open(self) -> RecordGraph:
        return RecordGraph(SqliteStore(self.path), "book:facts", owns_store=True)

    def reopen(self, graph: GraphStore) -> GraphStore:
        return self._open()

    def second(self, graph: GraphStore) -> GraphStore:
        return self._open()


# Stores keep one contract of their own; a graph in each of them is built anew at night.
@pytest.mark.sampled(4)
@pytest.mark.nightly
class TestGraphInJsonLines(GraphStoreContract):
    @pytest.fixture
    def graph(self, tmp_path: Path) -> Iterator[GraphStore]:
        self.path = tmp_path / "book"
        with closing(self._open()) as graph:
            yield graph

    def _open(self) -> RecordGraph:
        return RecordGraph(JsonFolderStore(self.path), "book:facts", owns_store=True)

    def reopen(self, graph: GraphStore) -> GraphStore:
        return self._open()


@pytest.mark.sampled(4)
@pytest.mark.nightly
class TestGraphInQdrant(GraphStoreContract):
    @pytest.fixture
    def graph(self, tmp_path: Path) -> Iterator[GraphStore]:
        pytest.importorskip("qdrant_client", reason="needs the qdrant extra")
        self.path = tmp_path / "book"
        with closing(self._open()) as graph:
            yield graph

    def _open(self) -> RecordGraph:
        return RecordGraph(QdrantStore(self.path), "book:facts", owns_store=True)

    def reopen(self, graph: GraphStore) -> GraphStore:
        return self._open()
