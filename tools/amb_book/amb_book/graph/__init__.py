"""Graph stores: a view on the records of any record store, and a Neo4j server.

open_graph                the one a URL names
record_graph.py           in the records of a store; adjacency.py: its memory;
                          sqlite_views.py: as views of its SQLite file
neo4j_graph.py            on a server; neo4j_connection.py: transactions and errors; neo4j_rows.py, neo4j_writes.py
ownership.py              whose a graph on a server is
graph_checks.py           what both check
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_book.graph.record_graph import RecordGraph
from amb_book.graphs import GraphStore
from amb_core.deferred import deferred
from amb_core.errors import InvalidParameter
from amb_core.protocols import RecordStore
from amb_core.stores import open_store

if TYPE_CHECKING:
    from amb_book.graph.neo4j_graph import Neo4jGraph

__all__ = ["Neo4jGraph", "RecordGraph", "open_graph"]

__getattr__ = deferred(__name__, {"Neo4jGraph": "neo4j_graph"})


def open_graph(url: str = "", *, store: RecordStore | None = None, name: str = "book:facts") -> GraphStore:
    """The graph of this name at the place a URL names, or without one in the records of `store`.

    URLs are those of `open_store` (memory://, sqlite:///relative.db, sqlite:////absolute/path.db, …), whose store is
    closed with the graph, and neo4j://user:password@host:7687/database or bolt://…, with AMB_NEO4J_PASSWORD for a
    password that is not in it. Raises InvalidParameter for other URLs, MissingExtra without the driver of the
    engine, and StoreError when the place cannot be opened.
    """
    if not url:
        if store is None:
            raise InvalidParameter("a graph needs a place; pass a URL such as sqlite:///book.db, or store=.")
        return RecordGraph(store, name)
    if url.partition("://")[0].partition("+")[0] in ("neo4j", "bolt"):
        from amb_book.graph.neo4j_graph import Neo4jGraph

        return Neo4jGraph(url, name)
    try:
        opened = open_store(url)
    except InvalidParameter as error:
        raise InvalidParameter(
            f"{error} A graph may also be on a server: neo4j://host:7687/database or bolt://…."
        ) from None
    try:
        return RecordGraph(opened, name, owns_store=True)
    except BaseException:
        opened.close()
        raise
