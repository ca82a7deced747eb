"""The protocol of graph stores, with nodes and with edges that are valid by chapter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from pydantic import JsonValue

__all__ = ["GraphEdge", "GraphNode", "GraphStore"]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node: `kind` is its label (`Character`), `properties` are JSON."""

    id: str
    kind: str
    properties: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A typed edge from `start` to `end`, valid from chapter `since` on and until chapter `until`, which is outside.

    Without `since` it was always so, without `until` it still is.
    """

    id: str
    kind: str
    start: str
    end: str
    properties: Mapping[str, JsonValue] = field(default_factory=dict)
    since: int | None = None
    until: int | None = None

    def holds(self, at: int | None) -> bool:
        """Whether it is valid in a chapter; None asks for no chapter in particular."""
        return at is None or ((self.since is None or self.since <= at) and (self.until is None or at < self.until))


class GraphStore(Protocol):
    """A property graph of nodes and typed edges that are valid by chapter.

    Ids are opaque, case-sensitive strings; nodes and edges have ids apart from each other. What is put replaces the
    whole of what had its id, keeping its place; order is that in which things were first put. `at` leaves out edges
    that are not valid in that chapter; an id nobody has is no error. Refused with InvalidParameter, nothing being
    changed: an edge whose nodes are not there, a kind that is no name (letters, digits and `_`, no digit first, at most
    100), properties that are no JSON, chapters that are no whole numbers.

    All writes inside `transaction()` become visible together or, when the block raises, not at all; an inner block ends
    with the outermost one. Nothing of an inner block that raised is ever seen; where the engine cannot go on after it,
    the outermost block raises StoreError at its end and leaves nothing. Transactions of threads that share a store do
    not mix. Other openings of the same place see what was committed; where two write at once, the later may raise
    StoreLocked and leave nothing: run it again. Errors of the engine are `StoreError`s.
    """

    def put(self, *, nodes: Sequence[GraphNode] = (), edges: Sequence[GraphEdge] = ()) -> None:
        """Insert or replace all of them or none, nodes first; of two with one id the last."""
        ...

    def remove(self, *, nodes: Sequence[str] = (), edges: Sequence[str] = ()) -> int:
        """Take out nodes with all their edges, and edges; returns how many nodes and edges went, those included."""
        ...

    def node(self, id: str) -> GraphNode | None: ...

    def nodes(self, *, kind: str | None = None, where: Mapping[str, JsonValue] | None = None) -> list[GraphNode]:
        """Nodes of a kind that have every property of `where`, equal as JSON: 1 is 1.0, true is not 1."""
        ...

    def edges(
        self,
        *,
        start: str | None = None,
        end: str | None = None,
        kind: str | None = None,
        at: int | None = None,
    ) -> list[GraphEdge]:
        """Edges that fit everything given."""
        ...

    def neighbours(
        self,
        id: str,
        *,
        kinds: Collection[str] = (),
        direction: Literal["out", "in", "both"] = "both",
        at: int | None = None,
    ) -> list[tuple[GraphEdge, GraphNode]]:
        """The edges of a node with what is at their other end, an edge to itself once; any kind without `kinds`."""
        ...

    def transaction(self) -> AbstractContextManager[None]: ...

    def close(self) -> None:
        """Release what is open; calling twice is no error; any other call afterwards raises StoreError."""
        ...
