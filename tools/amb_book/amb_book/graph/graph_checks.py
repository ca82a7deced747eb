"""What every graph store checks before it writes or searches, and private copies of what passes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from pydantic import JsonValue

from amb_book.graphs import GraphEdge, GraphNode
from amb_core.errors import InvalidParameter
from amb_core.stores.record_codec import checked_data

__all__ = [
    "admitted_edges",
    "admitted_nodes",
    "check_chapter",
    "check_direction",
    "check_kinds",
    "checked_where",
    "is_name",
    "no_such_node",
]

_NAME = re.compile(r"[^\W\d]\w{0,99}")
_FURTHEST = 2**53


def admitted_nodes(nodes: Iterable[GraphNode]) -> dict[str, GraphNode]:
    """Private copies by id, the last of two with one id; InvalidParameter for the first that cannot be kept."""
    admitted: dict[str, GraphNode] = {}
    for node in nodes:
        what = f"the node {node.id!r}"
        _check_ids(what, node.id)
        _check_kind(node.kind, of=what)
        admitted[node.id] = GraphNode(node.id, node.kind, checked_data(node.properties, of=what))
    return admitted


def admitted_edges(edges: Iterable[GraphEdge]) -> dict[str, GraphEdge]:
    """Private copies by id, the last of two with one id; InvalidParameter for the first that cannot be kept."""
    admitted: dict[str, GraphEdge] = {}
    for edge in edges:
        what = f"the edge {edge.id!r}"
        _check_ids(what, edge.id, edge.start, edge.end)
        _check_kind(edge.kind, of=what)
        check_chapter(edge.since, of=what)
        check_chapter(edge.until, of=what)
        properties = checked_data(edge.properties, of=what)
        admitted[edge.id] = GraphEdge(edge.id, edge.kind, edge.start, edge.end, properties, edge.since, edge.until)
    return admitted


def no_such_node(edge: GraphEdge, end: str) -> InvalidParameter:
    """The error for an edge without its node."""
    return InvalidParameter(f"the edge {edge.id!r} needs the node {end!r}, which is not there; put the node as well.")


def is_name(text: str) -> bool:
    """Whether it may be a kind: letters, digits and `_`, no digit first, at most 100."""
    return isinstance(text, str) and _NAME.fullmatch(text) is not None


def check_kinds(kinds: Collection[str]) -> frozenset[str]:
    """The kinds as a set; InvalidParameter for a text, whose letters would be taken for kinds."""
    if isinstance(kinds, str):
        raise InvalidParameter(f"kinds is the text {kinds!r}; pass a collection of kinds, such as ({kinds!r},).")
    return frozenset(kinds)


def check_chapter(chapter: int | None, *, of: str) -> None:
    """InvalidParameter unless the chapter is None or a whole number that every engine can hold."""
    if chapter is None or (type(chapter) is int and -_FURTHEST <= chapter <= _FURTHEST):
        return
    raise InvalidParameter(f"the chapter {chapter!r} of {of} is no whole number; pass one, or None for no bound.")


def check_direction(direction: str) -> None:
    """InvalidParameter unless it is one of the three."""
    if direction not in ("out", "in", "both"):
        raise InvalidParameter(f"direction is {direction!r}; pass 'out', 'in' or 'both'.")


def checked_where(where: Mapping[str, JsonValue] | None) -> dict[str, JsonValue]:
    """A private copy of the properties to compare with; InvalidParameter when they are no JSON."""
    return checked_data(where or {}, of="`where`")


def _check_kind(kind: str, *, of: str) -> None:
    if not is_name(kind):
        raise InvalidParameter(
            f"the kind {kind!r} of {of} is no name; use letters, digits and _, beginning with a letter, at most 100."
        )


def _check_ids(what: str, *ids: str) -> None:
    if not all(isinstance(each, str) for each in ids):
        raise InvalidParameter(f"{what} has an id that is no text; pass text.")
