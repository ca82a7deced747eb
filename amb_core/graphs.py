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

    Ids are opaque, case-sensitive strings. What is put replaces what had its id, keeping its place; an edge whose nodes
    are not there is an InvalidParameter, and so are `kind`s that are no names (letters, digits, `_`). Order is that in
    which things were first put. `at` leaves out edges that are not valid in that chapter. All writes inside
    `transaction()` become visible together or, when the block raises, not at all; an inner block ends with the
    outermost. Other openings of the same place see what was committed. Errors of the engine are `StoreError`s.
    """

    def put(self, *, nodes: Sequence[GraphNode] = (), edges: Sequence[GraphEdge] = ()) -> None:
        """Insert or replace all of them or none, nodes first."""
        ...

    def remove(self, *, nodes: Sequence[str] = (), edges: Sequence[str] = ()) -> int:
        """Take nodes with their edges, and edges, out; returns how many nodes and edges there were."""
        ...

    def node(self, id: str) -> GraphNode | None: ...

    def edge(self, id: str) -> GraphEdge | None: ...

    def nodes(self, *, kind: str | None = None, where: Mapping[str, JsonValue] | None = None) -> list[GraphNode]:
        """Nodes of a kind whose top-level properties equal those of `where`."""
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
        """The edges of a node with what is at their other end; any kind without `kinds`."""
        ...

    def paths(
        self,
        start: str,
        end: str,
        *,
        kinds: Collection[str] = (),
        at: int | None = None,
        longest: int = 4,
        most: int = 20,
    ) -> list[list[GraphEdge]]:
        """Ways over edges in either direction that visit no node twice, the shortest first, at most `longest` edges."""
        ...

    def chain(self, start: str, kind: str, *, most: int = 10_000) -> list[GraphNode]:
        """The nodes one reaches by following the first edge of a kind again and again; ends where one comes round."""
        ...

    def transaction(self) -> AbstractContextManager[None]: ...

    def close(self) -> None:
        """Release what is open; calling twice is no error; any other call afterwards raises StoreError."""
        ...
