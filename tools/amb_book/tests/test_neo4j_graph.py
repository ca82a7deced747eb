"""Graphs on a server that speaks Bolt keep the published contract, and can be read with the engine's own client.

The server is the one of AMB_NEO4J_URL or, without it, ArcadeDB, which calls itself compatible with Neo4j 5.26: what
Neo4j itself does was not tested.
"""

from __future__ import annotations

import os
import runpy
import socket
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from amb_book.graph import Neo4jGraph
from amb_book.graphs import GraphEdge, GraphStore
from amb_book.testing.graph_store import GraphStoreContract
from amb_book.testing.graph_store_content import edge_ids, join, people

from amb_core.errors import StoreError, StoreLocked

_SERVED = runpy.run_path(str(Path(__file__).with_name("bolt_server.py")))
bolt_server, can_serve_bolt = _SERVED["bolt_server"], _SERVED["can_serve_bolt"]
neo4j = pytest.importorskip("neo4j", reason="needs the neo4j extra")
pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if given := os.environ.get("AMB_NEO4J_URL"):
        yield given
    elif can_serve_bolt():
        with bolt_server(tmp_path_factory.mktemp("bolt")) as started:
            yield started
    else:
        pytest.skip("set AMB_NEO4J_URL, or install arcadedb-embedded, as `make test-neo4j` does")


@pytest.fixture
def graph(url: str) -> Iterator[Neo4jGraph]:
    with closing(Neo4jGraph(url, f"书/{uuid.uuid4()}")) as graph:
        yield graph
        graph.forget()


def asked(url: str, statement: str, **values: object) -> list[dict[str, Any]]:
    """What the engine's own client answers."""
    address, _, rest = url.partition("://")
    user, _, place = rest.rpartition("@")
    host, _, database = place.partition("/")
    auth = tuple(user.split(":", 1)) if user else None
    with neo4j.GraphDatabase.driver(f"{address}://{host}", auth=auth) as driver:
        return [row.data() for row in driver.execute_query(statement, values, database_=database or None).records]


class TestNeo4jGraph(GraphStoreContract):
    @pytest.fixture
    def graph(self, url: str) -> Iterator[GraphStore]:
        self.url, self.name = url, f"书/{uuid.uuid4()}"
        with closing(self._open()) as graph:
            yield graph
        with closing(self._open()) as graph:
            graph.forget()

    def _open(self) -> Neo4jGraph:
        return Neo4jGraph(self.url, self.name)

    def reopen(self, graph: GraphStore) -> GraphStore:
        return self._open()

    def second(self, graph: GraphStore) -> GraphStore:
        return self._open()


# --- what the engine's own client sees --------------------------------------------------------------------------------


def test_kinds_are_labels_and_types_and_plain_properties_are_readable(url: str, graph: Neo4jGraph) -> None:
    people(graph, "lin", name="林月", rank=3, titles=["seer"])
    people(graph, "yumen", kind="地点", name="玉门关")
    graph.put(edges=[GraphEdge("e1", "IS_AT", "lin", "yumen", {"evidence": "她进了城。"}, 41, 45)])
    statement = "MATCH (a:Character)-[r:IS_AT]->(b:`地点`) WHERE a.name = $n AND r.since <= 41 AND 41 < r.until"
    returned = "RETURN a.id AS a, a.rank AS rank, b.name AS b, r.evidence AS evidence, r.since AS since"
    assert asked(url, f"{statement} {returned}", n="林月") == [
        {"a": "lin", "rank": 3, "b": "玉门关", "evidence": "她进了城。", "since": 41}
    ]


def test_nothing_but_the_graph_and_one_node_of_its_own_is_on_the_server(url: str, graph: Neo4jGraph) -> None:
    join(graph, "1: a b", "2: b a")
    [row] = asked(url, "MATCH (n:AmbGraph) WHERE n.graph = $b RETURN n.kinds AS kinds", b=graph.name)
    assert row == {"kinds": ["KNOWS"]}
    rows = asked(url, "MATCH (n:AmbNode) WHERE n.book = $b RETURN n.id AS id ORDER BY id", b=graph.name)
    assert rows == [{"id": "a"}, {"id": "b"}]


def test_graphs_in_one_database_are_kept_apart(url: str, graph: Neo4jGraph) -> None:
    others = [Neo4jGraph(url, name) for name in (graph.name.upper(), f"{graph.name}/a", graph.name[:-1])]
    join(graph, "1: a b", "2: /a b", "3: 林 b")
    for other in others:
        assert (other.nodes(), other.edges(), other.node("a"), other.neighbours("a")) == ([], [], None, [])
        join(other, "1: b c")
        assert other.remove(nodes=["c"]) == 2
        other.forget()
        other.close()
    assert edge_ids(graph.edges()) == ["1", "2", "3"]


def test_kinds_cannot_smuggle_statements_in(graph: Neo4jGraph) -> None:
    join(graph, "1: a b")
    odd = "KNOWS`]->() DELETE r //"
    assert graph.nodes(kind=odd) == graph.edges(kind=odd) == []
    assert graph.neighbours("a", kinds=[odd]) == []
    assert graph.nodes(where={"name`] //": "x"}) == []
    assert edge_ids(graph.neighbours("a", kinds=[odd, "KNOWS"])) == ["1"]


# --- faults -----------------------------------------------------------------------------------------------------------


def test_the_later_of_two_transactions_is_told_to_run_again(url: str, graph: Neo4jGraph) -> None:
    with closing(Neo4jGraph(url, graph.name, timeout=2.0, longest_transaction=2.0)) as other:
        people(graph, "a")

        def both() -> None:
            with graph.transaction():
                people(graph, "b")
                with other.transaction():
                    people(other, "c")

        with pytest.raises(StoreLocked, match="run it again"):
            both()
    assert [node.id for node in graph.nodes()] in (["a"], ["a", "c"])


def test_a_wrong_password_is_refused_without_telling_it(url: str) -> None:
    wrong = url.replace("@", "sesame-1@")
    with pytest.raises(StoreError, match="AMB_NEO4J_PASSWORD") as caught:
        Neo4jGraph(wrong, "book")
    assert "sesame" not in repr(caught.value) + str(caught.value) + repr(caught.value.__cause__)


def test_a_server_that_is_gone_in_the_middle_is_a_store_error(tmp_path: Any) -> None:
    if not can_serve_bolt():
        pytest.skip("needs arcadedb-embedded, which can be ended")
    with bolt_server(tmp_path) as url:
        graph = Neo4jGraph(url, "book", timeout=2.0)
        people(graph, "a")
    with pytest.raises(StoreError, match="does not answer"):
        graph.node("a")
    with pytest.raises(StoreError, match="does not answer"):
        people(graph, "b")
    graph.close()


def test_a_server_that_is_down_is_a_store_error_that_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(StoreError, match="does not answer; start the Neo4j server"):
        Neo4jGraph(f"bolt://me:sesame@127.0.0.1:{port}", "book", timeout=2.0)
