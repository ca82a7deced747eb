"""Any sequence of steps by two openings, rolled back or not, leaves what the same steps leave in a plain model."""

from __future__ import annotations

from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from amb_book.graph import RecordGraph
from amb_book.graphs import GraphEdge, GraphNode
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amb_core.errors import InvalidInput
from amb_core.stores import InMemoryStore, SqliteStore

ids = st.sampled_from(["a", "b", "c", "林"])
names = st.sampled_from(["1", "2", "3", "4"])
kinds = st.sampled_from(["K", "L"])
bounds = st.none() | st.integers(0, 3)
nodes = st.builds(GraphNode, ids, kinds, st.dictionaries(st.sampled_from("xy"), st.sampled_from([1, True, "1"])))
edges = st.builds(GraphEdge, names, kinds, ids, ids, st.just({}), bounds, bounds)
calls = st.tuples(st.just("put"), st.lists(nodes, max_size=3), st.lists(edges, max_size=3)) | st.tuples(
    st.just("remove"), st.lists(ids, max_size=1), st.lists(names, max_size=2)
)
blocks = st.tuples(st.integers(0, 1), st.sampled_from(["kept", "rolled back", "rolled back inside"]), st.lists(calls))


class Plain:
    """What a graph is, written down as plainly as can be."""

    def __init__(self) -> None:
        self.nodes: dict[str, GraphNode] = {}
        self.edges: dict[str, GraphEdge] = {}

    def put(self, nodes: list[GraphNode], edges: list[GraphEdge]) -> None:
        there = {*self.nodes, *(node.id for node in nodes)}
        if all({edge.start, edge.end} <= there for edge in {edge.id: edge for edge in edges}.values()):
            self.nodes.update({node.id: node for node in nodes})
            self.edges.update({edge.id: edge for edge in edges})

    def remove(self, nodes: list[str], edges: list[str]) -> None:
        self.nodes = {name: node for name, node in self.nodes.items() if name not in nodes}
        self.edges = {
            name: edge
            for name, edge in self.edges.items()
            if name not in edges and edge.start in self.nodes and edge.end in self.nodes
        }


class InterruptionError(Exception):
    """Raised inside a transaction."""


def _do(graph: RecordGraph, call: tuple[str, list, list]) -> None:
    what, nodes, edges = call
    with suppress(InvalidInput):
        getattr(graph, what)(nodes=nodes, edges=edges)


def _block(store: InMemoryStore | SqliteStore, graph: RecordGraph, end: str, calls: list) -> None:
    with suppress(InterruptionError), store.transaction():
        for number, call in enumerate(calls):
            with suppress(InterruptionError), store.transaction():
                _do(graph, call)
                if end == "rolled back inside" and number % 2:
                    raise InterruptionError
        if end == "rolled back":
            raise InterruptionError


def _check(plain: Plain, graph: RecordGraph) -> None:
    assert repr(graph.nodes()) == repr(list(plain.nodes.values()))
    assert graph.edges() == list(plain.edges.values())
    for at in (None, 1):
        for name in plain.nodes:
            about = [edge for edge in plain.edges.values() if name in (edge.start, edge.end) and edge.holds(at)]
            others = [edge.end if edge.start == name else edge.start for edge in about]
            assert graph.neighbours(name, at=at) == [
                (edge, plain.nodes[other]) for edge, other in zip(about, others, strict=True)
            ]


@pytest.mark.slow
@given(steps=st.lists(blocks, max_size=8), two_files=st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_two_graphs_agree_with_a_plain_model(steps: list, two_files: bool, tmp_path_factory: object) -> None:
    plain = Plain()
    with ExitStack() as stack:
        stores = _stores(two_files, tmp_path_factory, stack)
        graphs = [RecordGraph(store, "g") for store in stores]
        for who, end, calls in steps:
            _block(stores[who], graphs[who], end, calls)
            for number, (what, nodes, edges) in enumerate(calls if end != "rolled back" else []):
                if end == "kept" or number % 2 == 0:
                    getattr(plain, what)(nodes, edges)
            _check(plain, graphs[1 - who])
        for graph in (*graphs, RecordGraph(stores[0], "g")):
            _check(plain, graph)


def _stores(two_files: bool, folders: object, stack: ExitStack) -> list:
    if not two_files:
        return [stack.enter_context(closing(InMemoryStore()))] * 2
    path: Path = folders.mktemp("book") / "book.db"  # type: ignore[attr-defined]
    return [stack.enter_context(closing(SqliteStore(path))) for _ in range(2)]
