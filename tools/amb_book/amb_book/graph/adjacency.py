"""A graph in memory with the indexes that answer for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from operator import itemgetter
from typing import Generic, Literal, TypeVar

from pydantic import JsonValue

from amb_book.graphs import GraphEdge, GraphNode
from amb_core.protocols import RecordQuery
from amb_core.stores.record_codec import json_copy, matches

__all__ = ["Adjacency", "Direction", "GraphElement", "own_node"]

GraphElement = GraphNode | GraphEdge
Direction = Literal["out", "in", "both"]
_PLACE = itemgetter(0)
_CONTAINERS = (dict, list)
_Element = TypeVar("_Element", GraphNode, GraphEdge)


def own_node(node: GraphNode) -> GraphNode:
    """A copy that shares no containers with what is kept."""
    return GraphNode(node.id, node.kind, _own(node.properties))


def own_edge(edge: GraphEdge) -> GraphEdge:
    """A copy that shares no containers with what is kept."""
    return GraphEdge(edge.id, edge.kind, edge.start, edge.end, _own(edge.properties), edge.since, edge.until)


def _own(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    for value in properties.values():
        if type(value) in _CONTAINERS:
            return {key: json_copy(value) for key, value in properties.items()}
    return dict(properties)


def _name(node: GraphNode) -> str | None:
    """What nodes are looked up by beside their kind; only a text is."""
    name = node.properties.get("name")
    return name if isinstance(name, str) else None


class _Shelf(Generic[_Element]):
    """Nodes or edges by id, each with its place in the order, and the ids by what they are looked up for."""

    def __init__(self, *keys: Callable[[_Element], Hashable]) -> None:
        self._keys: tuple[Callable[[_Element], Hashable], ...] = keys
        self._elements: dict[str, tuple[int, _Element]] = {}
        self._last = 0
        self._sets: list[dict[Hashable, set[str]]] = [{} for _ in keys]

    def get(self, id: str) -> _Element | None:
        kept = self._elements.get(id)
        return None if kept is None else kept[1]

    def put(self, element: _Element) -> None:
        old = self._elements.get(element.id)
        if old is None:
            self._last += 1
        self._place(element.id, (self._last if old is None else old[0], element))

    def drop(self, id: str) -> None:
        if id in self._elements:
            self._place(id, None)

    def all(self) -> list[_Element]:
        return [element for _, element in sorted(self._elements.values(), key=_PLACE)]

    def of(self, index: int, key: Hashable) -> set[str]:
        return self._sets[index].get(key, set())

    def ordered(self, ids: Iterable[str]) -> list[_Element]:
        return [element for _, element in sorted(self.placed(ids), key=_PLACE)]

    def placed(self, ids: Iterable[str]) -> Iterable[tuple[int, _Element]]:
        return map(self._elements.__getitem__, ids)

    def _place(self, id: str, kept: tuple[int, _Element] | None) -> None:
        old = self._elements.pop(id, None) if kept is None else self._elements.get(id)
        for key, ids in zip(self._keys, self._sets, strict=True):
            if old is not None:
                within = ids[key(old[1])]
                within.discard(id)
                if not within:
                    del ids[key(old[1])]
            if kept is not None:
                ids.setdefault(key(kept[1]), set()).add(id)
        if kept is not None:
            self._elements[id] = kept


class Adjacency:
    """Nodes and edges with indexes by kind, by start and by end; what it answers with belongs to the caller.

    It checks nothing: an edge may be there without its nodes, and answers leave it out where a node is needed.
    """

    def __init__(self) -> None:
        self._nodes: _Shelf[GraphNode] = _Shelf(lambda node: node.kind, _name)
        self._edges: _Shelf[GraphEdge] = _Shelf(lambda edge: edge.start, lambda edge: edge.end, lambda edge: edge.kind)

    # --- changing -----------------------------------------------------------------------------------------------------

    def put(self, element: GraphElement) -> None:
        """Insert or replace, keeping the place; the element is the graph's from now on."""
        if isinstance(element, GraphNode):
            self._nodes.put(element)
        else:
            self._edges.put(element)

    def drop(self, nodes: Iterable[str], edges: Iterable[str]) -> None:
        """Take nodes and edges out."""
        for each in nodes:
            self._nodes.drop(each)
        for each in edges:
            self._edges.drop(each)

    # --- looking ------------------------------------------------------------------------------------------------------

    def peek_node(self, id: str) -> GraphNode | None:
        """The node itself, not to be changed."""
        return self._nodes.get(id)

    def peek_edge(self, id: str) -> GraphEdge | None:
        """The edge itself, not to be changed."""
        return self._edges.get(id)

    def edge_ids(self, node: str) -> list[str]:
        """The edges of a node, in order."""
        return [edge.id for edge in self._fitting(node, (), "both", None)]

    def nodes(self, kind: str | None, where: Mapping[str, JsonValue]) -> list[GraphNode]:
        """Nodes of a kind with these properties, in order."""
        name = where.get("name")
        asked = [(0, kind), (1, name if isinstance(name, str) else None)]
        sets = sorted((self._nodes.of(index, key) for index, key in asked if key is not None), key=len)
        nodes = self._nodes.ordered(sets[0].intersection(*sets[1:])) if sets else self._nodes.all()
        query = RecordQuery("", where=where)
        return [own_node(node) for node in nodes if not where or matches(node.properties, query)]

    def edges(self, start: str | None, end: str | None, kind: str | None, at: int | None) -> list[GraphEdge]:
        """Edges that fit everything given, in order."""
        asked = [(index, key) for index, key in enumerate((start, end, kind)) if key is not None]
        if not asked:
            return [own_edge(edge) for edge in self._edges.all() if edge.holds(at)]
        # The smallest set first: a place has many edges, and most of them are of one kind.
        sets = sorted((self._edges.of(index, key) for index, key in asked), key=len)
        return [own_edge(edge) for edge in self._valid(sets[0].intersection(*sets[1:]), at)]

    def neighbours(
        self, id: str, kinds: Collection[str], direction: Direction, at: int | None
    ) -> list[tuple[GraphEdge, GraphNode]]:
        """The edges of a node with what is at their other end, in order."""
        return [
            (own_edge(edge), own_node(node))
            for edge in self._fitting(id, kinds, direction, at)
            if (node := self._nodes.get(edge.end if edge.start == id else edge.start)) is not None
        ]

    def _fitting(self, id: str, kinds: Collection[str], direction: Direction, at: int | None) -> list[GraphEdge]:
        out = self._edges.of(0, id) if direction != "in" else set[str]()
        touching = out | (self._edges.of(1, id) if direction != "out" else set())
        if kinds:
            touching = set[str]().union(*(touching & self._edges.of(2, kind) for kind in kinds))
        return self._valid(touching, at)

    def _valid(self, ids: Iterable[str], at: int | None) -> list[GraphEdge]:
        """In order, without what does not hold: `GraphEdge.holds` written out, as places have thousands of edges."""
        if at is None:
            return self._edges.ordered(ids)
        valid = [
            kept
            for kept in self._edges.placed(ids)
            if ((since := kept[1].since) is None or since <= at) and ((until := kept[1].until) is None or at < until)
        ]
        return [edge for _, edge in sorted(valid, key=_PLACE)]
