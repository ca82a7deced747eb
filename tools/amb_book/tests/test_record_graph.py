"""A graph in records: transactions of the store it lives in, other openings, failing and damaged stores, killings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from amb_bench.doubles.failing_store import FailingStore
from amb_book.graph import RecordGraph
from amb_book.graphs import GraphEdge, GraphNode
from amb_book.testing.graph_store_content import edge_ids, join, people

from amb_core.errors import StoreError
from amb_core.protocols import RecordQuery
from amb_core.stores import InMemoryStore, SqliteStore


class InterruptionError(Exception):
    """Raised by the tests inside a transaction."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "book.db")) as store:
        yield store


@pytest.fixture
def graph(store: SqliteStore) -> RecordGraph:
    return RecordGraph(store, "book:facts")


def node_ids(graph: RecordGraph) -> list[str]:
    return [node.id for node in graph.nodes()]


# --- the store's transaction ------------------------------------------------------------------------------------------


def test_graphs_in_one_store_are_kept_apart(store: SqliteStore, graph: RecordGraph) -> None:
    others = [RecordGraph(store, name) for name in ("book", "Book:facts", "book:facts/nodes", "")]
    join(graph, "1: a b")
    assert [each.nodes() for each in others] == [[]] * 4


# --- following others -------------------------------------------------------------------------------------------------


def test_a_graph_whose_records_were_deleted_is_empty(store: SqliteStore, graph: RecordGraph) -> None:
    join(graph, "1: a b")
    for name in store.namespaces("book:facts/"):
        store.delete(name, [record.id for record in store.search(RecordQuery(name))])
    assert (graph.nodes(), graph.edges()) == ([], [])
    join(graph, "2: a b")
    assert edge_ids(RecordGraph(store, "book:facts").edges()) == ["2"]


# --- stores that fail -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", range(1, 40))
def test_a_store_that_fails_at_any_call_leaves_memory_and_records_alike(call: int) -> None:
    records = InMemoryStore()
    failing = FailingStore(records)
    graph = RecordGraph(failing, "g")
    join(graph, "1: a b")
    failing.fail_at(call)
    for change in ("2: a b", "3: b c", "2: c c"):
        with suppress(StoreError), failing.transaction():
            join(graph, change, kind="K")
            graph.remove(edges=["1"])
    failing.fail_at(0)
    fresh = RecordGraph(records, "g")
    assert (graph.nodes(), graph.edges()) == (fresh.nodes(), fresh.edges())
    assert edge_ids(graph.neighbours("b")) == edge_ids(fresh.neighbours("b"))


def test_a_damaged_record_hides_no_other_and_can_be_put_again(store: SqliteStore, tmp_path: Path) -> None:
    import sqlite3

    join(RecordGraph(store, "g"), "1: a b", "2: b c", "3: a c")
    with closing(sqlite3.connect(tmp_path / "book.db")) as file, file:
        file.execute("UPDATE records SET data = '{' WHERE id IN ('b', '3', 'revision')")
    graph = RecordGraph(store, "g")
    assert (node_ids(graph), edge_ids(graph.edges())) == (["a", "c"], ["1", "2"])
    assert graph.neighbours("a") == []
    people(graph, "b")
    assert [node.id for _, node in graph.neighbours("a")] == ["b"]


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns a thousand times more often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def add_nodes(store: SqliteStore, graph: RecordGraph) -> None:
    """Put a node and its number, in sixty transactions of which every other one is rolled back."""
    for turn in range(60):
        with suppress(InterruptionError), store.transaction():
            count = len(graph.nodes(kind="X"))
            graph.put(nodes=[GraphNode(f"x{count}", "X")])
            graph.put(edges=[GraphEdge("e", "K", "a", "a", {"count": count + 1})])
            if turn % 2:
                raise InterruptionError


def count_nodes(graph: RecordGraph, done: threading.Event) -> None:
    """The number and the nodes are of whole transactions, and never go back."""
    while not done.is_set():
        before = int(str(graph.neighbours("a")[0][0].properties["count"]))
        assert before <= len(graph.nodes(kind="X")) <= 90
        assert int(str(graph.edges()[0].properties["count"])) >= before


@pytest.mark.slow
def test_readers_see_whole_transactions_while_two_openings_write_and_roll_back(
    store: SqliteStore, graph: RecordGraph, tmp_path: Path, hasty: None
) -> None:
    graph.put(nodes=[GraphNode("a", "A")], edges=[GraphEdge("e", "K", "a", "a", {"count": 0})])
    done = threading.Event()
    with closing(SqliteStore(tmp_path / "book.db", busy_timeout=30.0)) as other, ThreadPoolExecutor(6) as pool:
        stores = [store, other, store]
        graphs = [graph, *(RecordGraph(each, "book:facts") for each in stores[1:])]
        reading = [pool.submit(count_nodes, each, done) for each in graphs]
        try:
            for future in [pool.submit(add_nodes, *each) for each in zip(stores, graphs, strict=True)]:
                future.result()
        finally:
            done.set()
        for future in reading:
            future.result()
        assert [len(each.nodes(kind="X")) for each in graphs] == [90] * 3


# --- killed in the middle ---------------------------------------------------------------------------------------------

WRITER = """
import sys
from amb_book.graphs import GraphEdge, GraphNode
from amb_book.graph import RecordGraph
from amb_core.stores import SqliteStore
store = SqliteStore(sys.argv[1])
graph = RecordGraph(store, "g")
first = len(graph.nodes())
for number in range(first, 1_000_000):
    with store.transaction():
        graph.put(nodes=[GraphNode(str(number), "X")])
        others = range(max(0, number - 3), number)
        graph.put(edges=[GraphEdge(f"{number}-{n}", "K", str(number), str(n)) for n in others])
        if number % 2:
            graph.remove(edges=[f"{number}-{number - 1}"])
    if number == first + 5:
        print("going", flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_writer_leaves_whole_transactions_only(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    for kill in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"going\n"
        time.sleep(0.02 * kill)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        with closing(SqliteStore(path)) as store:
            graph = RecordGraph(store, "g")
            names = [int(name) for name in node_ids(graph)]
            assert names == list(range(len(names)))
            expected = [f"{n}-{m}" for n in names for m in range(max(0, n - 3), n) if n % 2 == 0 or m != n - 1]
            assert edge_ids(graph.edges()) == expected


@pytest.mark.slow
def test_a_process_sees_what_another_one_commits(tmp_path: Path, graph: RecordGraph) -> None:
    code = WRITER.replace("1_000_000", "first + 2")
    subprocess.run([sys.executable, "-c", code.replace('"g"', '"book:facts"'), str(tmp_path / "book.db")], check=True)
    assert graph.edges() == []
    assert node_ids(graph) == ["0", "1"]
    graph.put(edges=[GraphEdge("e", "K", "0", "1")])
    assert edge_ids(graph.neighbours("1")) == ["e"]
