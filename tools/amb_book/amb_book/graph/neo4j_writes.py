"""What one write to a Neo4j graph does, step by step, in statements that its relatives understand, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amb_book.graph.graph_checks import no_such_node
from amb_book.graph.neo4j_connection import Run
from amb_book.graph.neo4j_rows import Row, edge_row, key_of, node_row, written
from amb_book.graphs import GraphEdge, GraphNode

__all__ = ["Writing", "begin_writing"]

_ROWS = 2_000


@dataclass(slots=True)
class Writing:
    """The writes of one transaction: the last place given out, and the kinds of relationships the book has."""

    run: Run
    book: str
    place: int
    kinds: list[str]
    define_kind: Callable[[str], None]

    def put(self, nodes: Mapping[str, GraphNode], edges: Mapping[str, GraphEdge]) -> None:
        """Insert or replace; InvalidParameter, nothing being written, for an edge without its nodes."""
        ends = {end: edge for edge in edges.values() for end in (edge.end, edge.start)}
        there = self._nodes_there({*nodes, *ends})
        for end, edge in ends.items():
            if end not in nodes and self._key(end) not in there:
                raise no_such_node(edge, end)
        self._put_nodes(nodes, there)
        self._put_edges(edges)
        self._note()

    def remove(self, nodes: Sequence[str], edges: Sequence[str]) -> int:
        """Take out nodes with their edges, and edges; returns how many."""
        keys = sorted(self._nodes_there(nodes))
        edge_keys = set(self._edges_there(edges))
        for chunk in _chunks(keys):
            attached = self.run("MATCH (n:AmbNode)-[r]-() WHERE n.key IN $keys RETURN r.key AS key", keys=chunk)
            edge_keys.update(row["key"] for row in attached)
        for kind in self.kinds:
            for chunk in _chunks(sorted(edge_keys)):
                self.run(f"MATCH ()-[r:`{kind}`]->() WHERE r.key IN $keys DELETE r", keys=chunk)
        for chunk in _chunks(keys):
            self.run("MATCH (n:AmbNode) WHERE n.key IN $keys DETACH DELETE n", keys=chunk)
        return len(keys) + len(edge_keys)

    # --- nodes --------------------------------------------------------------------------------------------------------

    def _put_nodes(self, nodes: Mapping[str, GraphNode], there: Mapping[str, Row]) -> None:
        new: dict[str, list[Row]] = defaultdict(list)
        changed: list[Row] = []
        recast: list[str] = []
        for node in nodes.values():
            old = there.get(self._key(node.id))
            row = node_row(node, self.book, self._next() if old is None else old["place"])
            if old is not None and {*old["labels"]} == {"AmbNode", node.kind}:
                changed.append({"key": row["key"], "props": row})
                continue
            if old is not None:
                recast.append(row["key"])
            new[node.kind].append({"props": row})
        detached = self._detached(recast)
        for kind, rows in new.items():
            labels = "AmbNode" if kind == "AmbNode" else f"AmbNode:`{kind}`"
            self._each(f"CREATE (n:{labels}) SET n = row.props", rows)
        self._each("MATCH (n:AmbNode {key: row.key}) SET n = row.props", changed)
        self._join(detached)

    def _detached(self, keys: Sequence[str]) -> dict[str, list[Row]]:
        """Take nodes out and return their edges by kind, to be joined again: not every engine changes labels twice."""
        statement = (
            "MATCH (n:AmbNode)-[r]-() WHERE n.key IN $keys RETURN DISTINCT r.key AS key, type(r) AS kind, "
            "startNode(r).key AS source, endNode(r).key AS target, properties(r) AS props"
        )
        found = {row["key"]: row for chunk in _chunks(keys) for row in self.run(statement, keys=chunk)}
        for chunk in _chunks(keys):
            self.run("MATCH (n:AmbNode) WHERE n.key IN $keys DETACH DELETE n", keys=chunk)
        detached: dict[str, list[Row]] = defaultdict(list)
        for row in found.values():
            detached[row["kind"]].append(row)
        return detached

    def _nodes_there(self, ids: Iterable[str]) -> dict[str, Row]:
        statement = "MATCH (n:AmbNode) WHERE n.key IN $keys RETURN n.key AS key, labels(n) AS labels, n.place AS place"
        keys = sorted(map(self._key, ids))
        return {row["key"]: row for chunk in _chunks(keys) for row in self.run(statement, keys=chunk)}

    # --- edges --------------------------------------------------------------------------------------------------------

    def _put_edges(self, edges: Mapping[str, GraphEdge]) -> None:
        there = self._edges_there(edges)
        new: dict[str, list[Row]] = defaultdict(list)
        changed: dict[str, list[Row]] = defaultdict(list)
        moved: dict[str, list[Row]] = defaultdict(list)
        for edge in edges.values():
            old = there.get(self._key(edge.id))
            props = edge_row(edge, self.book, self._next() if old is None else old["place"])
            start, end = self._key(edge.start), self._key(edge.end)
            row = {"key": props["key"], "source": start, "target": end, "props": props}
            if old is not None and (old["kind"], old["source"], old["target"]) == (edge.kind, start, end):
                changed[edge.kind].append(row)
                continue
            if old is not None:
                moved[old["kind"]].append({"key": old["key"], "source": old["source"]})
            new[edge.kind].append(row)
        for kind, rows in moved.items():
            self._each(f"{_found(kind)} DELETE r", rows)
        for kind, rows in changed.items():
            self._each(f"{_found(kind)} SET r = row.props", rows)
        self._join(new)

    def _join(self, edges: Mapping[str, Sequence[Row]]) -> None:
        for kind, rows in edges.items():
            self._know(kind)
            ends = "MATCH (a:AmbNode {key: row.source}) MATCH (b:AmbNode {key: row.target})"
            self._each(f"{ends} CREATE (a)-[r:`{kind}`]->(b) SET r = row.props", rows)

    def _edges_there(self, ids: Iterable[str]) -> dict[str, Row]:
        one = (
            "MATCH ()-[r:`{}`]->() WHERE r.key IN $keys RETURN r.key AS key, type(r) AS kind, "
            "startNode(r).key AS source, endNode(r).key AS target, r.place AS place"
        )
        # Relationships have an index for each type; without naming it, all of them would be looked at.
        statement = " UNION ALL ".join(one.format(kind) for kind in self.kinds)
        chunks = _chunks(sorted(map(self._key, ids))) if statement else ()
        return {row["key"]: row for chunk in chunks for row in self.run(statement, keys=chunk)}

    def _know(self, kind: str) -> None:
        if kind not in self.kinds:
            self.define_kind(kind)
            self.kinds.append(kind)

    # --- both ---------------------------------------------------------------------------------------------------------

    def _each(self, statement: str, rows: Sequence[Row]) -> None:
        for chunk in _chunks(rows):
            self.run(f"UNWIND $rows AS row {statement}", rows=chunk)

    def _note(self) -> None:
        statement = "MATCH (g:AmbGraph {graph: $book}) SET g.place = $place, g.kinds = $kinds"
        self.run(statement, book=written(self.book), place=self.place, kinds=self.kinds)

    def _next(self) -> int:
        self.place += 1
        return self.place

    def _key(self, id: str) -> str:
        return key_of(self.book, id)


def begin_writing(run: Run, book: str, define_kind: Callable[[str], None]) -> Writing:
    """Take the turn of a book, for which every other writer waits, and see how far it has come."""
    statement = (
        "MERGE (g:AmbGraph {graph: $book}) SET g.turns = coalesce(g.turns, 0) + 1 "
        "RETURN coalesce(g.place, 0) AS place, g.kinds AS kinds"
    )
    [row] = run(statement, book=written(book))
    return Writing(run, book, row["place"], list(row["kinds"] or ()), define_kind)


def _found(kind: str) -> str:
    return f"MATCH (a:AmbNode {{key: row.source}})-[r:`{kind}`]->() WHERE r.key = row.key"


def _chunks(items: Sequence[Any]) -> list[list[Any]]:
    return [list(items[at : at + _ROWS]) for at in range(0, len(items), _ROWS)]
