"""Reading facts and hooks off the edges of a fact graph, with as few looks at the graph as they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from amb_book.entities import ALSO_CALLED, HAS, HAS_STATUS, Entity, value_node
from amb_book.fact_answers import Fact, Hook
from amb_book.graphs import GraphEdge, GraphNode, GraphStore
from amb_book.timeline import OUR_OWN, STORY_TIME, SYMMETRIC, merged, said_by

__all__ = ["facts_ever", "facts_now", "facts_of", "hooks_of"]

_FEW = 32
"""As many are asked for one by one; of more all are fetched at once."""


def facts_now(graph: GraphStore, entity: Entity, *, at: int) -> list[Fact]:
    """What holds of an entity in a chapter, oldest first."""
    nodes, holding = {entity.id: graph.node(entity.id)}, list[GraphEdge]()
    for edge, node in graph.neighbours(entity.id, at=at):
        holding.append(edge)
        nodes[node.id] = node
    sayings = {edge.id: edge for edge in _sayings(graph, entity.id, holding)}
    now = [edge for edge in merged(sayings.values(), at=at) if edge.until is None]
    order = {said_by(edge): place for place, edge in reversed(list(enumerate(holding)))}
    return _facts(sorted(now, key=lambda edge: (edge.since or 0, order.get(said_by(edge), 0))), nodes)


def facts_ever(graph: GraphStore, entity: Entity, *, at: int) -> list[Fact]:
    """What was said of an entity up to a chapter, oldest first."""
    nodes, edges = {entity.id: graph.node(entity.id)}, dict[str, GraphEdge]()
    for edge, node in graph.neighbours(entity.id):
        edges[edge.id], nodes[node.id] = edge, node
    return sorted(_facts(merged(edges.values(), at=at), nodes), key=_since)


def _sayings(graph: GraphStore, entity: str, holding: Iterable[GraphEdge]) -> Iterator[GraphEdge]:
    """All that says what these say, whenever: a fact began where it was first said."""
    kinds: dict[str, list[GraphEdge]] = {}
    for edge in holding:
        kinds.setdefault(edge.kind, []).append(edge)
    for kind, edges in kinds.items():
        if kind in SYMMETRIC:  # in one order, whoever is named first
            yield from (edge for edge, _ in graph.neighbours(entity, kinds=(kind,)))
        elif len(edges) > _FEW:
            yield from graph.edges(start=entity, kind=kind)
            yield from graph.edges(end=entity, kind=kind)
        else:
            for edge in edges:
                yield from graph.edges(start=edge.start, end=edge.end, kind=kind)


def facts_of(graph: GraphStore, edges: Sequence[GraphEdge]) -> list[Fact]:
    """The facts that edges tell, in their order."""
    ends = dict.fromkeys(end for edge in edges for end in (edge.start, edge.end))
    if len(ends) > _FEW:
        return _facts(edges, {node.id: node for node in graph.nodes()})
    return _facts(edges, {end: graph.node(end) for end in ends})


def hooks_of(graph: GraphStore, entities: Iterable[Entity], *, at: int) -> list[Hook]:
    """What had become of hooks by a chapter."""
    hooks = list(entities)
    told: dict[str, list[GraphEdge]] = {entity.id: [] for entity in hooks}
    for edge in _of_hooks(graph) if hooks else ():
        if edge.start in told:
            told[edge.start].append(edge)
    return [_hook(entity, told[entity.id], at) for entity in hooks]


def _of_hooks(graph: GraphStore) -> Iterator[GraphEdge]:
    """What may tell of hooks: their states are two, and other states are those of people."""
    for status in ("Unresolved", "Resolved"):
        yield from graph.edges(end=value_node("Status", status).id, kind=HAS_STATUS)
    yield from graph.edges(kind=HAS)


def _hook(entity: Entity, edges: Sequence[GraphEdge], at: int) -> Hook:
    facts = sorted(merged(edges, at=at), key=lambda edge: edge.since or 0)
    texts = [_value(edge) for edge in facts if edge.properties.get("attribute") == "text"]
    now = next((edge for edge in facts if edge.kind == HAS_STATUS and edge.until is None), None)
    status = _value(now) if now is not None else "Unresolved"
    resolved = now.since if now is not None and status == "Resolved" else None
    return Hook(entity.name, status, entity.since, resolved, texts[-1] if texts else "")


def _value(edge: GraphEdge) -> str:
    """The text of a state or value, which is in the id of its node."""
    return edge.end.partition(":")[2]


def _since(fact: Fact) -> int:
    return fact.since


def _facts(edges: Iterable[GraphEdge], nodes: Mapping[str, GraphNode | None]) -> list[Fact]:
    facts = (_fact(edge, nodes.get(edge.start), nodes.get(edge.end)) for edge in edges)
    return [fact for fact in facts if fact is not None]


def _fact(edge: GraphEdge, start: GraphNode | None, end: GraphNode | None) -> Fact | None:
    """The fact an edge tells; None for one that is no fact, such as another name."""
    if start is None or end is None or edge.kind == ALSO_CALLED:
        return None
    told = {name: value for name, value in edge.properties.items() if name not in OUR_OWN}
    return Fact(
        edge.id,
        str(start.properties.get("name", start.id)),
        edge.kind,
        str(end.properties.get("name", end.id)),
        edge.since or 0,
        edge.until,
        attribute=str(edge.properties.get("attribute", "")) if edge.kind == HAS else "",
        properties=told,
        evidence=str(edge.properties.get("evidence", "")),
        settlement=str(edge.properties.get("settlement", "")),
        time=str(edge.properties.get(STORY_TIME, "")),
    )
