"""Writing statements into the fact graph: one settlement at a time, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from amb_core.errors import InvalidInput, SettlementConflict
from amb_core.graphs import GraphEdge, GraphNode, GraphStore
from amb_core.narrative.entities import (
    ALSO_CALLED,
    HAS,
    HAS_STATUS,
    Entity,
    entity_of,
    kind_of_object,
    label_of,
    value_node,
)
from amb_core.narrative.naming import NameBook
from amb_core.narrative.statements import (
    EntityKind,
    EntityStatement,
    HookStatement,
    RelationStatement,
    Statement,
    StatusStatement,
)
from amb_core.narrative.timeline import ENDED, SYMMETRIC, alone, rescheduled, same_fact, slot_of

__all__ = ["FactWriter"]

_VALUES = frozenset({"status", "value", "name"})
"""What the ids of nodes that are no entities begin with."""


class FactWriter:
    """Writes one settlement; `settlement` is its id, which every edge carries. Use it inside a transaction."""

    def __init__(
        self, graph: GraphStore, names: NameBook, *, chapter: int, settlement: str, replace_others: bool = False
    ) -> None:
        self._graph, self._names = graph, names
        self._chapter, self._settlement = chapter, settlement
        self._replace = replace_others
        self._written = 0
        self.created: list[Entity] = []
        self.ended: list[GraphEdge] = []

    def write(self, statement: Statement) -> None:
        """Write one statement; those on plan and lore are not for facts and are passed over."""
        match statement:
            case EntityStatement():
                self._write_entity(statement)
            case StatusStatement():
                entity = self._entity(statement.status.of, "character")
                self._to_value(entity, HAS_STATUS, "Status", statement.status.is_, evidence=statement.evidence)
            case HookStatement():
                self._write_hook(statement)
            case RelationStatement():
                self._write_relation(statement)
            case _:
                return

    # --- kinds of statements -----------------------------------------------------------------------------------------

    def _write_entity(self, statement: EntityStatement) -> None:
        entity = self._entity(statement.entity, statement.kind, as_told=True)
        for alias in statement.aliases:
            self._to_value(entity, ALSO_CALLED, "Name", alias, evidence=statement.evidence)
        for attribute, value in statement.properties.items():
            self._to_value(entity, HAS, "Value", _told(value), {"attribute": attribute}, evidence=statement.evidence)

    def _write_hook(self, statement: HookStatement) -> None:
        hook = self._entity(statement.hook, "hook", as_told=True)
        if statement.text:
            self._to_value(hook, HAS, "Value", statement.text, {"attribute": "text"}, evidence=statement.evidence)
        self._to_value(hook, HAS_STATUS, "Status", statement.status, evidence=statement.evidence)

    def _write_relation(self, statement: RelationStatement) -> None:
        subject = self._entity(statement.subject, "character")
        target = self._entity(statement.object, kind_of_object(statement.relation))
        if statement.until:
            self._end(subject, statement.relation, target)
            return
        given = {**statement.properties, **({"evidence": statement.evidence} if statement.evidence else {})}
        self._add(subject.id, statement.relation, target.id, given)

    # --- entities ----------------------------------------------------------------------------------------------------

    def _entity(self, name: str, kind: EntityKind, *, as_told: bool = False) -> Entity:
        """The entity of a name, new if there is none; `as_told` wants one of exactly this kind."""
        known = self._names.named(name, kind if as_told else None)
        if len(known) > 1:
            kinds = ", ".join(entity.id for entity in known)
            raise InvalidInput(f"{name!r:.80} may be any of {kinds}; write one of these ids instead of the name.")
        if not known:
            return self._new_entity(name, kind)
        entity = known[0]
        if entity.since > self._chapter:
            node = self._graph.node(entity.id)
            assert node is not None
            entity = replace(entity, since=self._chapter)
            self._graph.put(nodes=[replace(node, properties={**node.properties, "since": self._chapter})])
        return entity

    def _new_entity(self, name: str, kind: EntityKind) -> Entity:
        node = GraphNode(
            self._names.free_id(name, kind),
            label_of(kind),
            {"name": name, "since": self._chapter, "settlement": self._settlement},
        )
        self._graph.put(nodes=[node])
        entity = entity_of(node)
        assert entity is not None
        self.created.append(entity)
        return entity

    # --- edges -------------------------------------------------------------------------------------------------------

    def _to_value(
        self,
        entity: Entity,
        relation: str,
        kind: str,
        text: str,
        properties: Mapping[str, JsonValue] | None = None,
        *,
        evidence: str,
    ) -> None:
        node = value_node(kind, text)
        if self._graph.node(node.id) is None:
            self._graph.put(nodes=[node])
        self._add(entity.id, relation, node.id, {**(properties or {}), **({"evidence": evidence} if evidence else {})})

    def _add(self, start: str, kind: str, end: str, properties: Mapping[str, JsonValue]) -> None:
        """Write a fact, and end what it takes the place of; one that holds already is said again."""
        edge = self._new_edge(start, kind, end, properties)
        slot = slot_of(edge)
        others = self._beside(edge) if slot is None else self._slot(edge)
        edge = _ending_with(edge, others)
        if slot is None:
            self._graph.put(edges=[edge])
            return
        self._check_chapter(edge, others)
        self._graph.put(edges=[edge])
        self._reschedule([*others, edge])

    def _beside(self, edge: GraphEdge) -> list[GraphEdge]:
        """Where the same was said of what may hold beside other facts."""
        found = self._graph.edges(start=edge.start, end=edge.end, kind=edge.kind)
        if edge.kind in SYMMETRIC:
            found += self._graph.edges(start=edge.end, end=edge.start, kind=edge.kind)
        return found

    def _new_edge(self, start: str, kind: str, end: str, properties: Mapping[str, JsonValue]) -> GraphEdge:
        self._written += 1
        name = f"{self._settlement}.{self._written}"
        told = {**properties, "settlement": self._settlement}
        return GraphEdge(name, kind, start, end, told, since=self._chapter)

    def _check_chapter(self, edge: GraphEdge, others: Sequence[GraphEdge]) -> None:
        """Two settlements of a chapter may not say different things of one slot, unless an author says which holds."""
        for known in others:
            foreign = known.properties.get("settlement") != self._settlement and not same_fact(known, edge)
            if known.since == self._chapter and foreign and known.until != self._chapter and not self._replace:
                raise SettlementConflict(
                    f"chapter {self._chapter} is settled with {self._told(known)}, and now with {self._told(edge)}; "
                    "leave one out, or settle with replace=True if the new one holds."
                )

    def _end(self, subject: Entity, relation: str, target: Entity) -> None:
        found = self._beside(GraphEdge("", relation, subject.id, target.id))
        open_edges = [edge for edge in found if edge.holds(self._chapter)]
        if not open_edges and not any(edge.until == self._chapter for edge in found):
            open_edges = [self._new_edge(subject.id, relation, target.id, {})]  # it held before anybody said so
        for edge in open_edges:
            marks: dict[str, JsonValue] = {ENDED: self._chapter, "ended_by": self._settlement}
            ended = replace(edge, until=self._chapter, properties={**edge.properties, **marks})
            self._graph.put(edges=[ended])
            self.ended.append(ended)

    def _slot(self, edge: GraphEdge) -> list[GraphEdge]:
        wanted = slot_of(edge)
        assert wanted is not None
        start, end = (None, edge.end) if wanted[1] == edge.end else (edge.start, None)
        found = self._graph.edges(kind=edge.kind, start=start, end=end)
        return [known for known in found if slot_of(known) == wanted]

    def _reschedule(self, slot: Sequence[GraphEdge]) -> None:
        changed = rescheduled(slot)
        self._graph.put(edges=changed)
        self.ended += [
            edge for edge in changed if edge.until is not None and not edge.id.startswith(f"{self._settlement}.")
        ]

    # --- taking back -------------------------------------------------------------------------------------------------

    def take_back(self) -> int:
        """Undo this settlement: its facts go, what it ended goes on, and its entities go where nothing else needs them.

        Returns how many facts went.
        """
        mine = [edge for edge in self._graph.edges() if edge.properties.get("settlement") == self._settlement]
        touched = {slot for edge in mine if (slot := slot_of(edge)) is not None}
        self._graph.remove(edges=[edge.id for edge in mine])
        for edge in self._graph.edges():
            if edge.properties.get("ended_by") == self._settlement:
                kept = {name: value for name, value in edge.properties.items() if name not in (ENDED, "ended_by")}
                self._graph.put(edges=[replace(edge, properties=kept)])
                touched |= {slot} if (slot := slot_of(edge)) is not None else set()
        self._reschedule_all(touched)
        ours = [node.id for node in self._graph.nodes() if node.properties.get("settlement") == self._settlement]
        ends = [edge.end for edge in mine if edge.end.partition(":")[0] in _VALUES]
        alone_now = [name for name in dict.fromkeys([*ours, *ends]) if not self._graph.neighbours(name)]
        self._graph.remove(nodes=alone_now)
        return len(mine)

    def _reschedule_all(self, slots: Iterable[tuple[str, str, str]]) -> None:
        by_slot: dict[tuple[str, str, str], list[GraphEdge]] = {}
        free: list[GraphEdge] = []
        for edge in self._graph.edges():
            slot = slot_of(edge)
            if slot is None:
                free.append(edge)
            else:
                by_slot.setdefault(slot, []).append(edge)
        for slot in slots:
            self._graph.put(edges=rescheduled(by_slot.get(slot, [])))
        self._graph.put(edges=alone(free))

    def _told(self, edge: GraphEdge) -> str:
        ends = [self._graph.node(name) for name in (edge.start, edge.end)]
        one, other = (str(node.properties.get("name", node.id)) if node else "?" for node in ends)
        return f"{one} {edge.kind} {other}"


def _told(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "unknown"}[value]
    return ", ".join(map(_told, value)) if isinstance(value, list) else str(value)


def _ending_with(edge: GraphEdge, others: Sequence[GraphEdge]) -> GraphEdge:
    """The fact with the end that an author gave to what says the same and holds at its beginning."""
    for known in others:
        ended = known.properties.get(ENDED)
        if ended is not None and same_fact(known, edge) and known.holds(edge.since) and known.since != edge.since:
            marks = {ENDED: ended, "ended_by": known.properties["ended_by"]}
            return replace(edge, until=known.until, properties={**edge.properties, **marks})
    return edge
