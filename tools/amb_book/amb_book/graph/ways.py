"""Ways between two nodes, over edges that are fetched as far as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from amb_book.graphs import GraphEdge

__all__ = ["EdgesOf", "ways"]

EdgesOf = Callable[[Collection[str]], Mapping[str, Sequence[GraphEdge]]]
"""The edges of some nodes in either direction, in order, by node."""


def ways(start: str, end: str, edges_of: EdgesOf, *, longest: int, most: int) -> list[list[GraphEdge]]:
    """At most `most` ways of at most `longest` edges that visit no node twice, the shortest first.

    Edges are fetched around both ends only, for as many nodes at once as are equally far away.
    """
    if start == end:
        return []
    known: dict[str, Sequence[GraphEdge]] = {}
    _spread(start, (longest + 1) // 2, edges_of, known)
    _spread(end, longest // 2, edges_of, known)
    # A node in the middle may be known from its neighbours alone, which says nothing of the order of its edges.
    middle = [node for node, edges in _both_ways(known).items() if node not in known and len(edges) > 1]
    known.update(edges_of(middle) if middle else {})
    about = _both_ways(known)
    left = _distances(end, about, longest)
    found: list[list[GraphEdge]] = []
    for length in range(left.get(start, longest + 1), longest + 1):
        _walk(start, end, [], {start}, length, about, left, found, most)
    return found


def _spread(centre: str, rounds: int, edges_of: EdgesOf, known: dict[str, Sequence[GraphEdge]]) -> None:
    """Fetch the edges of all nodes that are less than `rounds` edges away."""
    seen, front = {centre}, [centre]
    for _ in range(rounds):
        missing = [node for node in front if node not in known]
        if missing:
            fetched = edges_of(missing)
            known.update((node, fetched.get(node, ())) for node in missing)
        reached = dict.fromkeys(_other(edge, node) for node in front for edge in known[node])
        front = [node for node in reached if node not in seen]
        seen.update(front)


def _both_ways(known: Mapping[str, Sequence[GraphEdge]]) -> dict[str, list[tuple[GraphEdge, str]]]:
    """For every node the edges that were fetched with what is at their other end; edges of a node stay in order."""
    about: dict[str, list[tuple[GraphEdge, str]]] = {
        node: [(edge, _other(edge, node)) for edge in edges] for node, edges in known.items()
    }
    for node, edges in known.items():
        for edge in edges:
            other = _other(edge, node)
            if other not in known:
                about.setdefault(other, []).append((edge, node))
    return about


def _distances(end: str, about: Mapping[str, Sequence[tuple[GraphEdge, str]]], longest: int) -> dict[str, int]:
    distances, front = {end: 0}, [end]
    for distance in range(1, longest + 1):
        reached = dict.fromkeys(other for node in front for _, other in about.get(node, ()))
        front = [node for node in reached if node not in distances]
        distances.update((node, distance) for node in front)
    return distances


def _walk(
    node: str,
    end: str,
    way: list[GraphEdge],
    visited: set[str],
    length: int,
    about: Mapping[str, Sequence[tuple[GraphEdge, str]]],
    left: Mapping[str, int],
    found: list[list[GraphEdge]],
    most: int,
) -> None:
    """Add the ways that have exactly `length` edges more, as long as fewer than `most` were found."""
    if node == end:
        if not length:
            found.append(list(way))
        return
    for edge, other in about.get(node, ()):
        if len(found) >= most:
            return
        if other in visited or left.get(other, length) > length - 1:
            continue
        way.append(edge)
        visited.add(other)
        _walk(other, end, way, visited, length - 1, about, left, found, most)
        visited.discard(other)
        way.pop()


def _other(edge: GraphEdge, node: str) -> str:
    return edge.end if edge.start == node else edge.start
