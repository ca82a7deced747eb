"""The graphs of a book as views of its SQLite file, for people who open it with SQLite's own client.

They use no operator younger than the file format: a client that does not know one could not open the file at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

__all__ = ["show_graphs"]

_NODES = """CREATE VIEW IF NOT EXISTS {name}_nodes AS SELECT id, json_extract(data, '$.kind') AS kind,
    json_extract(data, '$.properties.name') AS name, {columns} json_extract(data, '$.properties') AS properties
    FROM records WHERE namespace = 'book:{graph}/nodes' AND typeof(data) = 'text' ORDER BY place"""
_EDGES = """CREATE VIEW IF NOT EXISTS {name}_edges AS SELECT id, json_extract(data, '$.kind') AS kind,
    json_extract(data, '$.start') AS "start", json_extract(data, '$.end') AS "end",
    {columns} json_extract(data, '$.properties') AS properties
    FROM records WHERE namespace = 'book:{graph}/edges' AND typeof(data) = 'text' ORDER BY place"""
_FACTS = """CREATE VIEW IF NOT EXISTS facts AS SELECT one.name AS subject, edge.kind AS relation,
    json_extract(edge.properties, '$.attribute') AS attribute, other.name AS object, edge.since, edge.until,
    json_extract(edge.properties, '$.evidence') AS evidence, json_extract(edge.properties, '$.settlement') AS settlement
    FROM fact_edges AS edge JOIN fact_nodes AS one ON one.id = edge."start"
    JOIN fact_nodes AS other ON other.id = edge."end" """


def show_graphs(path: Path) -> None:
    """Add the views `facts`, `fact_nodes`, `fact_edges`, `plan_nodes` and `plan_edges` to a book's file, once.

    They are for looking only; a file that cannot be written now goes without them until it is opened again.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=1.0)) as file:
        there = file.execute("SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = 'facts'").fetchone()
        if there is None:
            with file:
                for statement in _views():
                    file.execute(statement)


def _views() -> Iterator[str]:
    yield _NODES.format(name="fact", graph="facts", columns="json_extract(data, '$.properties.since') AS since,")
    yield _EDGES.format(
        name="fact",
        graph="facts",
        columns="json_extract(data, '$.since') AS since, json_extract(data, '$.until') AS until,",
    )
    yield _NODES.format(name="plan", graph="plan", columns="json_extract(data, '$.properties.status') AS status,")
    yield _EDGES.format(name="plan", graph="plan", columns="")
    yield _FACTS
