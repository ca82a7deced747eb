"""Nodes and edges as the data of records, and back."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from amb_book.graphs import GraphEdge, GraphNode
from amb_core.protocols import Record
from amb_core.stores.record_codec import encode

__all__ = ["GraphElement", "data_of", "edge_from", "is_same", "node_from"]

GraphElement = GraphNode | GraphEdge


def data_of(element: GraphElement) -> dict[str, JsonValue]:
    """All but the id; what is empty is left out."""
    data: dict[str, JsonValue] = {"kind": element.kind}
    if isinstance(element, GraphEdge):
        data |= {"start": element.start, "end": element.end}
        data |= {name: at for name, at in (("since", element.since), ("until", element.until)) if at is not None}
    if element.properties:
        data["properties"] = dict(element.properties)
    return data


def node_from(record: Record) -> GraphNode:
    """The node whose data these are."""
    return GraphNode(record.id, str(record.data.get("kind")), _properties(record.data))


def edge_from(record: Record) -> GraphEdge:
    """The edge whose data these are."""
    data = record.data
    kind, start, end = (str(data.get(name)) for name in ("kind", "start", "end"))
    since, until = _chapter(data, "since"), _chapter(data, "until")
    return GraphEdge(record.id, kind, start, end, _properties(data), since, until)


def is_same(old: GraphElement | None, new: GraphElement) -> bool:
    """Whether writing it would change nothing; true and 1 are not the same."""
    return old == new and encode(data_of(new)) == encode(data_of(new if old is None else old))


def _properties(data: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    properties = data.get("properties")
    return properties if isinstance(properties, dict) else {}


def _chapter(data: Mapping[str, JsonValue], name: str) -> int | None:
    chapter = data.get(name)
    return chapter if isinstance(chapter, int) else None
