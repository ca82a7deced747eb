"""A graph in the records of a store: adjacency in memory, and only small writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, TypeVar

from pydantic import JsonValue

from amb_book.graph.adjacency import Adjacency, GraphElement, own_node
from amb_book.graph.graph_checks import (
    admitted_edges,
    admitted_nodes,
    check_chapter,
    check_direction,
    check_kinds,
    checked_where,
    no_such_node,
)
from amb_book.graphs import GraphEdge, GraphNode
from amb_book.revisions import Revision
from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_core.stores.record_codec import encode

__all__ = ["RecordGraph"]

_Answer = TypeVar("_Answer")
_TRIES = 20
_MARKS = "graph:marks"


class RecordGraph:
    """A `GraphStore` over any record store, in its namespaces `NAMESPACE/nodes`, `/edges` and `/changes`.

    Writes join `store.transaction()`, so that one transaction spans several graphs and other records of the store. The
    whole graph is in memory (about 2 KB an edge); before each answer the revision in the store is compared, and when
    another opening has committed something, or a transaction was rolled back, the graph is read again. Closing the
    graph leaves the store open unless `owns_store`.
    """

    def __init__(self, store: RecordStore, namespace: str, *, owns_store: bool = False) -> None:
        self._store, self._owns_store, self._closed = store, owns_store, False
        self._namespace = namespace
        self._nodes, self._edges = f"{namespace}/nodes", f"{namespace}/edges"
        self._revision = Revision(store, f"{namespace}/changes", "revision")
        # Taken after the store's own lock, and never held while the store is called.
        self._lock = threading.Lock()
        self._graph = Adjacency()
        self._held: str | None = None
        self._moves = 0
        self._look(lambda _: None)

    # --- writing ------------------------------------------------------------------------------------------------------

    def put(self, *, nodes: Sequence[GraphNode] = (), edges: Sequence[GraphEdge] = ()) -> None:
        """Insert or replace all of them or none; what is already there as it is given is not written again."""
        new_nodes, new_edges = admitted_nodes(nodes), admitted_edges(edges)
        with self.transaction():
            fresh = self._look(lambda graph: _fresh(graph, new_nodes, new_edges))
            if not fresh:
                return
            records = [self._record(element) for element in fresh]
            self._store.put(records)
            revision = self._revision.advance(repr([(it.id, encode(it.data)) for it in records]).encode())
            with self._lock:
                for element in fresh:
                    self._graph.put(element)
                self._move_to(revision)

    def remove(self, *, nodes: Sequence[str] = (), edges: Sequence[str] = ()) -> int:
        """Take out nodes with all their edges, and edges; returns how many nodes and edges went."""
        with self.transaction():
            gone_nodes, gone_edges = self._look(lambda graph: _gone(graph, nodes, edges))
            if not gone_nodes and not gone_edges:
                return 0
            self._store.delete(self._edges, gone_edges)
            self._store.delete(self._nodes, gone_nodes)
            revision = self._revision.advance(repr((gone_nodes, gone_edges)).encode())
            with self._lock:
                self._graph.drop(gone_nodes, gone_edges)
                self._move_to(revision)
            return len(gone_nodes) + len(gone_edges)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes of the block or, when it raises, none: the transaction of the store."""
        self._check_open()
        with self._store.transaction():
            yield
            self._check_open()

    def claim(self, mark: str) -> str:
        """The mark of whose graph this is: the one given, when it had none."""
        with self.transaction():
            found = self._store.get(_MARKS, self._namespace)
            if found is None and mark:
                self._store.put([Record(_MARKS, self._namespace, {"mark": mark})])
            return mark if found is None else str(found.data.get("mark", ""))

    def close(self) -> None:
        """Let go of what is in memory, and of the store when it is its own."""
        with self._lock:
            self._closed = True
            self._graph, self._held = Adjacency(), None
        if self._owns_store:
            self._store.close()

    # --- reading ------------------------------------------------------------------------------------------------------

    def node(self, id: str) -> GraphNode | None:
        """The node, or None."""
        return self._look(lambda graph: None if (it := graph.peek_node(id)) is None else own_node(it))

    def nodes(self, *, kind: str | None = None, where: Mapping[str, JsonValue] | None = None) -> list[GraphNode]:
        """Nodes of a kind that have every property of `where`."""
        wanted = checked_where(where)
        return self._look(lambda graph: graph.nodes(kind, wanted))

    def edges(
        self, *, start: str | None = None, end: str | None = None, kind: str | None = None, at: int | None = None
    ) -> list[GraphEdge]:
        """Edges that fit everything given."""
        check_chapter(at, of="`at`")
        return self._look(lambda graph: graph.edges(start, end, kind, at))

    def neighbours(
        self,
        id: str,
        *,
        kinds: Collection[str] = (),
        direction: Literal["out", "in", "both"] = "both",
        at: int | None = None,
    ) -> list[tuple[GraphEdge, GraphNode]]:
        """The edges of a node with what is at their other end."""
        wanted = check_kinds(kinds)
        check_direction(direction)
        check_chapter(at, of="`at`")
        return self._look(lambda graph: graph.neighbours(id, wanted, direction, at))

    # --- memory and store ---------------------------------------------------------------------------------------------

    def _look(self, look: Callable[[Adjacency], _Answer]) -> _Answer:
        """What `look` finds in the state that the store is in."""
        for _ in range(_TRIES):
            self._check_open()
            # Waits for a transaction of another thread; what is compared with is committed, or this thread's own.
            revision = self._revision.current()
            with self._lock:
                if self._held == revision and not self._closed:
                    return look(self._graph)
            self._follow(revision)
        with self._store.transaction():  # somebody writes all the time: hold them up
            self._follow(self._revision.current())
            with self._lock:
                return look(self._graph)

    def _follow(self, revision: str) -> None:
        """Read a revision of the store, unless either of them moves on meanwhile."""
        with self._lock:
            moves = self._moves
        graph = self._loaded()
        if self._revision.current() != revision:
            return
        with self._lock:
            if self._moves == moves and not self._closed:
                self._graph = graph
                self._move_to(revision)

    def _move_to(self, revision: str) -> None:
        self._held = revision
        self._moves += 1

    def _loaded(self) -> Adjacency:
        graph = Adjacency()
        for record in self._store.search(RecordQuery(self._nodes)):
            graph.put(_node_from(record))
        for record in self._store.search(RecordQuery(self._edges)):
            graph.put(_edge_from(record))
        return graph

    def _record(self, element: GraphElement) -> Record:
        return Record(self._nodes if isinstance(element, GraphNode) else self._edges, element.id, _data_of(element))

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"the graph {self._namespace!r} was closed; open it again.")


def _fresh(graph: Adjacency, nodes: Mapping[str, GraphNode], edges: Mapping[str, GraphEdge]) -> list[GraphElement]:
    """What of it is not there yet as it is; InvalidParameter for an edge without its nodes."""
    for edge in edges.values():
        for end in (edge.start, edge.end):
            if end not in nodes and graph.peek_node(end) is None:
                raise no_such_node(edge, end)
    return [
        *(node for node in nodes.values() if not _is_same(graph.peek_node(node.id), node)),
        *(edge for edge in edges.values() if not _is_same(graph.peek_edge(edge.id), edge)),
    ]


def _gone(graph: Adjacency, nodes: Sequence[str], edges: Sequence[str]) -> tuple[list[str], list[str]]:
    """The nodes and the edges that are there and go, each once."""
    gone = [each for each in dict.fromkeys(nodes) if graph.peek_node(each) is not None]
    with_them = [each for node in gone for each in graph.edge_ids(node)]
    alone = [each for each in edges if graph.peek_edge(each) is not None]
    return gone, list(dict.fromkeys([*with_them, *alone]))


def _data_of(element: GraphElement) -> dict[str, JsonValue]:
    """All but the id; what is empty is left out."""
    data: dict[str, JsonValue] = {"kind": element.kind}
    if isinstance(element, GraphEdge):
        data |= {"start": element.start, "end": element.end}
        data |= {name: at for name, at in (("since", element.since), ("until", element.until)) if at is not None}
    if element.properties:
        data["properties"] = dict(element.properties)
    return data


def _node_from(record: Record) -> GraphNode:
    """The node whose data these are."""
    return GraphNode(record.id, str(record.data.get("kind")), _properties(record.data))


def _edge_from(record: Record) -> GraphEdge:
    """The edge whose data these are."""
    data = record.data
    kind, start, end = (str(data.get(name)) for name in ("kind", "start", "end"))
    since, until = _chapter(data, "since"), _chapter(data, "until")
    return GraphEdge(record.id, kind, start, end, _properties(data), since, until)


def _is_same(old: GraphElement | None, new: GraphElement) -> bool:
    """Whether writing it would change nothing; true and 1 are not the same."""
    return old == new and encode(_data_of(new)) == encode(_data_of(new if old is None else old))


def _properties(data: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    properties = data.get("properties")
    return properties if isinstance(properties, dict) else {}


def _chapter(data: Mapping[str, JsonValue], name: str) -> int | None:
    chapter = data.get(name)
    return chapter if isinstance(chapter, int) else None
