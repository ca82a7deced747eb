"""A graph on a Neo4j server, through the official driver."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from pydantic import JsonValue

from amb_book.graph.graph_checks import (
    admitted_edges,
    admitted_nodes,
    check_chapter,
    check_direction,
    check_kinds,
    checked_where,
    is_name,
)
from amb_book.graph.neo4j_connection import Neo4jAddress, Neo4jConnection, Run
from amb_book.graph.neo4j_rows import (
    EDGE,
    NODE,
    VALID,
    Row,
    edge_from_row,
    is_searchable,
    key_of,
    node_from_row,
    written,
)
from amb_book.graph.neo4j_writes import Writing, begin_writing
from amb_book.graphs import GraphEdge, GraphNode
from amb_core.protocols import RecordQuery
from amb_core.stores.record_codec import matches

__all__ = ["Neo4jGraph"]

_SCHEMA = (
    "CREATE CONSTRAINT amb_node_key IF NOT EXISTS FOR (n:AmbNode) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT amb_graph_name IF NOT EXISTS FOR (g:AmbGraph) REQUIRE g.graph IS UNIQUE",
)
_ARROWS = {"out": "-[r{}]->", "in": "<-[r{}]-", "both": "-[r{}]-"}


class Neo4jGraph:
    """A `GraphStore` in a database of Neo4j 5.7 or newer, or of a server that speaks its Bolt and Cypher.

    `name` keeps several graphs in one database apart (property `book`). Labels and relationship types are the kinds,
    `since`, `until` and plain properties are readable with any client. `url` and who asks: see `Neo4jAddress`; `auth`
    and `database` come before what it says. One call is run again while the server is busy, for `timeout` seconds; a
    block of `transaction()` is not, and raises StoreLocked, as it does when it has waited for other writers until the
    server ended it, after `longest_transaction` seconds. An inner block that raises fails the outermost one.
    It was tested against ArcadeDB's Bolt, not against Neo4j itself.
    Raises MissingExtra without the driver, and StoreErrors that say what to do and name no password.
    """

    def __init__(
        self,
        url: str,
        name: str,
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        timeout: float = 15.0,
        longest_transaction: float = 300.0,
    ) -> None:
        address = Neo4jAddress.of(url)
        address = Neo4jAddress(address.url, database or address.database, auth or address.auth)
        self._book = name
        self._writing: Writing | None = None
        self._defined: set[str] = set()
        self._connection = Neo4jConnection(address, timeout=timeout, longest=longest_transaction)
        try:
            for statement in _SCHEMA:
                self._connection.define(statement)
        except BaseException:
            self._connection.close()
            raise

    # --- writing ------------------------------------------------------------------------------------------------------

    def put(self, *, nodes: Sequence[GraphNode] = (), edges: Sequence[GraphEdge] = ()) -> None:
        """Insert or replace all of them or none, nodes first."""
        new_nodes, new_edges = admitted_nodes(nodes), admitted_edges(edges)
        self._connection.write(lambda run: self._turn(run).put(new_nodes, new_edges))

    def remove(self, *, nodes: Sequence[str] = (), edges: Sequence[str] = ()) -> int:
        """Take out nodes with all their edges, and edges; returns how many nodes and edges went."""
        return self._connection.write(lambda run: self._turn(run).remove(nodes, edges))

    @property
    def name(self) -> str:
        """What keeps it apart from other graphs in the database."""
        return self._book

    def forget(self) -> None:
        """Take everything out that the database has of this graph."""
        nodes, turn = (
            "MATCH (n:AmbNode) WHERE n.book = $book DETACH DELETE n",
            "MATCH (g:AmbGraph {graph: $book}) DELETE g",
        )
        book = written(self._book)
        self._connection.write(lambda run: (run(nodes, book=book), run(turn, book=book)))

    def claim(self, mark: str) -> str:
        """The mark of whose graph this is: the one given, when it had none."""
        statement = (
            "MERGE (g:AmbGraph {graph: $book}) SET g.mark = coalesce(g.mark, $mark) RETURN coalesce(g.mark, '') AS mark"
        )
        return self._connection.write(
            lambda run: str(run(statement, book=written(self._book), mark=mark or None)[0]["mark"])
        )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes of the block or none; StoreLocked when another opening wrote the same graph meanwhile."""
        with self._connection.transaction() as outermost:
            try:
                if outermost:
                    self._writing = self._connection.write(self._turn)
                yield
            finally:
                if outermost:
                    self._writing = None

    def close(self) -> None:
        """Roll back what is open and let the connections go; calling twice is no error."""
        self._connection.close()

    # --- reading ------------------------------------------------------------------------------------------------------

    def node(self, id: str) -> GraphNode | None:
        """The node, or None."""
        found = self._nodes("MATCH (n:AmbNode {key: $key})", key=key_of(self._book, id))
        return found[0] if found else None

    def nodes(self, *, kind: str | None = None, where: Mapping[str, JsonValue] | None = None) -> list[GraphNode]:
        """Nodes of a kind that have every property of `where`; the engine compares the texts of plain names."""
        wanted = checked_where(where)
        if kind is not None and not is_name(kind):
            return []
        texts = [(name, value) for name, value in wanted.items() if is_searchable(name, value)]
        compared = "".join(f" AND n.`{name}` = $v{number}" for number, (name, _) in enumerate(texts))
        values = {f"v{number}": value for number, (_, value) in enumerate(texts)}
        label = "" if kind is None else f":`{kind}`"
        found = self._nodes(f"MATCH (n:AmbNode{label}) WHERE n.book = $book{compared}", **values)
        query = RecordQuery("", where=wanted)
        return [node for node in found if matches(node.properties, query)]

    def edges(
        self, *, start: str | None = None, end: str | None = None, kind: str | None = None, at: int | None = None
    ) -> list[GraphEdge]:
        """Edges that fit everything given."""
        check_chapter(at, of="`at`")
        if kind is not None and not is_name(kind):
            return []
        from_, to = ("" if one is None else f" {{key: ${name}}}" for name, one in (("start", start), ("end", end)))
        type_ = "" if kind is None else f":`{kind}`"
        values = {name: key_of(self._book, one) for name, one in (("start", start), ("end", end)) if one is not None}
        statement = (
            f"MATCH (a:AmbNode{from_})-[r{type_}]->(b:AmbNode{to}) WHERE r.book = $book AND {VALID} RETURN {EDGE}"
        )
        return [edge_from_row(row) for row in self._rows(f"{statement} ORDER BY place", at=at, **values)]

    def neighbours(
        self,
        id: str,
        *,
        kinds: Collection[str] = (),
        direction: Literal["out", "in", "both"] = "both",
        at: int | None = None,
    ) -> list[tuple[GraphEdge, GraphNode]]:
        """The edges of a node with what is at their other end."""
        types = _types(check_kinds(kinds))
        check_direction(direction)
        check_chapter(at, of="`at`")
        if types is None:
            return []
        other = "m.id AS other, labels(m) AS labels, m.properties AS other_properties"
        statement = (
            f"MATCH (n:AmbNode {{key: $key}}){_ARROWS[direction].format(types)}(m:AmbNode) WHERE {VALID} "
            f"RETURN {EDGE}, {other} ORDER BY place"
        )
        rows = {row["id"]: row for row in self._rows(statement, key=key_of(self._book, id), at=at)}
        return [(edge_from_row(row), _other(row)) for row in rows.values()]

    # --- inside -------------------------------------------------------------------------------------------------------

    def _turn(self, run: Run) -> Writing:
        """The writes of the open transaction, or of one that is just this call."""
        return self._writing or begin_writing(run, self._book, self._define_kind)

    def _define_kind(self, kind: str) -> None:
        if kind not in self._defined:
            self._connection.define(f"CREATE INDEX IF NOT EXISTS FOR ()-[r:`{kind}`]-() ON (r.key)")
            self._defined.add(kind)

    def _nodes(self, statement: str, **values: Any) -> list[GraphNode]:
        return [node_from_row(row) for row in self._rows(f"{statement} RETURN {NODE} ORDER BY place", **values)]

    def _rows(self, statement: str, **values: Any) -> list[Row]:
        book = written(self._book)
        return self._connection.read(lambda run: run(statement, book=book, **values))


def _types(kinds: frozenset[str]) -> str | None:
    """How Cypher names the types of relationships; None when nothing can be of any of these kinds."""
    names = sorted(filter(is_name, kinds))
    return None if kinds and not names else ":" * bool(names) + "|".join(f"`{name}`" for name in names)


def _other(row: Row) -> GraphNode:
    return node_from_row({"id": row["other"], "labels": row["labels"], "properties": row["other_properties"]})
