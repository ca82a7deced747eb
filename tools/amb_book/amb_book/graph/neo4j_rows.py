"""Nodes and edges as rows of Cypher parameters and results: readable with the engine's own client, and exact.

A node has the labels `AmbNode` and its kind, a relationship the type of its kind. Properties that the engine can hold
(texts, numbers, booleans under plain names) stand beside `properties`, the whole of them as JSON text, from which they
are read back. `key` is the book and the id in one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import JsonValue

from amb_book.graph.graph_checks import is_name
from amb_book.graphs import GraphEdge, GraphNode
from amb_core.errors import StoreCorrupt
from amb_core.stores.record_codec import decode, encode

__all__ = [
    "EDGE",
    "NODE",
    "VALID",
    "Row",
    "edge_from_row",
    "edge_row",
    "is_searchable",
    "key_of",
    "node_from_row",
    "node_row",
    "written",
]

Row: TypeAlias = dict[str, Any]

NODE = "n.id AS id, labels(n) AS labels, n.properties AS properties, n.place AS place"
EDGE = (
    "r.id AS id, type(r) AS kind, startNode(r).id AS source, endNode(r).id AS target, r.properties AS properties, "
    "r.since AS since, r.until AS until, r.place AS place"
)
VALID = "($at IS NULL OR ((r.since IS NULL OR r.since <= $at) AND (r.until IS NULL OR $at < r.until)))"

_OURS = frozenset({"graph", "key", "id", "book", "place", "properties"})
_VALIDITY = frozenset({"since", "until"})
"""Of an edge these are no properties; of a node they are as others."""
_LONGEST_TEXT = 4_000
# What UTF-8 has no bytes for, NUL, at which engines written in C end a text, and the sign that tells of either.
_ODD = re.compile(r"[\\\x00\ud800-\udfff]")
_WRITTEN_ODD = re.compile(r"\\(?:u([0-9a-f]{4})|\\)")


# A lone surrogate in JSON's notation. Left to the parser, two of them side by side would become one character.
_JSON_ODD = re.compile(r"(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})")


def written(text: str) -> str:
    """A text as every engine can hold it: backslash, NUL and lone surrogates are written out."""
    return _ODD.sub(lambda odd: "\\\\" if odd[0] == "\\" else f"\\u{ord(odd[0]):04x}", text)


def _read(text: str) -> str:
    return _WRITTEN_ODD.sub(lambda odd: chr(int(odd[1], 16)) if odd[1] else "\\", text)


def key_of(book: str, id: str) -> str:
    """One text for the two of them, the same for no other two."""
    within = written(book).replace("/", "\\s")
    return f"{within}/{written(id)}"


def is_searchable(name: str, value: JsonValue) -> bool:
    """Whether the engine itself can compare this property as it is meant."""
    return (
        isinstance(value, str)
        and name not in _OURS
        and len(value) <= _LONGEST_TEXT
        and is_name(name)
        and _ODD.search(value) is None
    )


def node_row(node: GraphNode, book: str, place: int) -> Row:
    """What is kept of a node."""
    return _readable(node.properties) | _owned(book, node.id, place, node.properties)


def edge_row(edge: GraphEdge, book: str, place: int) -> Row:
    """What is kept of an edge, its kind and ends left out."""
    told = {name: value for name, value in edge.properties.items() if name not in _VALIDITY}
    row = _readable(told) | _owned(book, edge.id, place, edge.properties)
    return row | {name: at for name, at in (("since", edge.since), ("until", edge.until)) if at is not None}


def node_from_row(row: Mapping[str, Any]) -> GraphNode:
    """The node of a result with the columns NODE; StoreCorrupt when it cannot be read back."""
    kinds = [label for label in row["labels"] if label != "AmbNode"]
    return GraphNode(_read(row["id"]), kinds[0] if kinds else "AmbNode", _properties(row))


def edge_from_row(row: Mapping[str, Any]) -> GraphEdge:
    """The edge of a result with the columns EDGE; StoreCorrupt when it cannot be read back."""
    start, end = _read(row["source"]), _read(row["target"])
    return GraphEdge(_read(row["id"]), row["kind"], start, end, _properties(row), row["since"], row["until"])


def _owned(book: str, id: str, place: int, properties: Mapping[str, JsonValue]) -> Row:
    text = encode(properties)
    kept = text if isinstance(text, str) else _escaped(text)
    return {"key": key_of(book, id), "id": written(id), "book": written(book), "place": place, "properties": kept}


def _escaped(text: bytes) -> str:
    """JSON with its lone surrogates in JSON's own notation."""
    return re.sub(r"[\ud800-\udfff]", lambda odd: f"\\u{ord(odd[0]):04x}", text.decode("utf-8", "surrogatepass"))


def _surrogate(odd: re.Match[str]) -> str:
    return odd[1] + chr(int(odd[2], 16))


def _readable(properties: Mapping[str, JsonValue]) -> Row:
    return {
        name: written(value) if isinstance(value, str) else value
        for name, value in properties.items()
        if name not in _OURS and is_name(name) and _is_plain(value)
    }


def _is_plain(value: JsonValue) -> bool:
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return isinstance(value, float) or (isinstance(value, str) and len(value) <= _LONGEST_TEXT)


def _properties(row: Mapping[str, Any]) -> dict[str, JsonValue]:
    try:
        return decode(_JSON_ODD.sub(_surrogate, str(row["properties"])).encode("utf-8", "surrogatepass"))
    except ValueError:
        raise StoreCorrupt(f"the properties of {row['id']!r} cannot be read back; put it again or remove it.") from None
