"""Writing statements into the fact graph: one settlement at a time, whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from amb_book.entities import (
    ALSO_CALLED,
    HAS,
    HAS_STATUS,
    SETTLEMENT,
    Entity,
    entity_of,
    kind_of_object,
    label_of,
    value_node,
)
from amb_book.graphs import GraphEdge, GraphNode, GraphStore
from amb_book.name_book import NameBook
from amb_book.statements import (
    EntityKind,
    EntityStatement,
    HookStatement,
    OfTheStory,
    RelationStatement,
    Statement,
    StatusStatement,
)
from amb_book.timeline import ENDED, STORY_TIME, SYMMETRIC, rescheduled, said_by, same_fact, slot_of
from amb_core.errors import InvalidInput, SettlementConflict

__all__ = ["FactWriter", "as_written"]

_VALUES = frozenset({"status", "value", "name"})
"""What the ids of nodes that are no entities begin with."""

_NAMED, _GUESSED = "named", "guessed"
"""Properties: of a settlement, the ids of the entities it names and says no more of; of an entity, that nobody has said
its kind."""


class FactWriter:
    """Writes one settlement; `settlement` is its id, which every edge carries. Use it inside a transaction.

    `newest` says that nothing is settled of a later chapter: then what ended before need not be looked at.
    """

    def __init__(
        self,
        graph: GraphStore,
        names: NameBook,
        *,
        chapter: int,
        settlement: str,
        replace_others: bool = False,
        newest: bool = False,
    ) -> None:
        self._graph, self._names = graph, names
        self._chapter, self._settlement = chapter, settlement
        self._replace = replace_others
        self._at = chapter if newest else None
        self._written = 0
        self.named: dict[str, None] = {}
        self.created: list[Entity] = []
        self.ended: list[GraphEdge] = []

    def write(self, statement: Statement) -> None:
        """Write one statement; those on plan and lore are not for facts and are passed over."""
        match statement:
            case EntityStatement():
                self._write_entity(statement)
            case StatusStatement():
                self._write_status(statement)
            case HookStatement():
                self._write_hook(statement)
            case RelationStatement():
                self._write_relation(statement)
            case _:
                return

    # --- kinds of statements -----------------------------------------------------------------------------------------

    def _write_entity(self, statement: EntityStatement) -> None:
        entity = self._entity(statement.entity, statement.kind, as_told=True)
        if not statement.aliases and not statement.properties:
            self.named[entity.id] = None
        for alias in statement.aliases:
            self._to_value(entity, ALSO_CALLED, "Name", alias, _said(statement))
        for attribute, value in statement.properties.items():
            self._to_value(entity, HAS, "Value", as_written(value), {"attribute": attribute, **_said(statement)})

    def _write_status(self, statement: StatusStatement) -> None:
        entity = self._entity(statement.status.of, "character")
        if statement.until:
            self._end(entity.id, HAS_STATUS, self._value("Status", statement.status.is_), _said(statement))
        else:
            self._to_value(entity, HAS_STATUS, "Status", statement.status.is_, _said(statement))

    def _write_hook(self, statement: HookStatement) -> None:
        hook = self._entity(statement.hook, "hook", as_told=True)
        if statement.text:
            self._to_value(hook, HAS, "Value", statement.text, {"attribute": "text", **_said(statement)})
        self._to_value(hook, HAS_STATUS, "Status", statement.status, _said(statement))

    def _write_relation(self, statement: RelationStatement) -> None:
        subject = self._entity(statement.subject, "location" if statement.relation == "LOCATED_IN" else "character")
        target = self._entity(statement.object, kind_of_object(statement.relation))
        given = {**statement.properties, **_said(statement)}
        if statement.until:
            self._end(subject.id, statement.relation, target.id, given)
        else:
            self._add(subject.id, statement.relation, target.id, given)

    # --- entities ----------------------------------------------------------------------------------------------------

    def _entity(self, name: str, kind: EntityKind, *, as_told: bool = False) -> Entity:
        """The entity of a name, new if there is none; `as_told` wants one of exactly this kind."""
        known = self._names.named(name, kind if as_told else None)
        if len(known) > 1:
            kinds = ", ".join(entity.id for entity in known)
            raise InvalidInput(f"{name!r:.80} may be any of {kinds}; write one of these ids instead of the name.")
        if not known:
            return self._told_kind(name, kind) if as_told else self._new_entity(name, kind, guessed=True)
        entity = known[0]
        if entity.since > self._chapter:
            node = self._node(entity.id)
            entity = replace(entity, since=self._chapter)
            self._graph.put(nodes=[replace(node, properties={**node.properties, "since": self._chapter})])
        return entity

    def _told_kind(self, name: str, kind: EntityKind) -> Entity:
        """An entity of a kind an author said: the one whose kind was a guess so far, or a new one."""
        nodes = [self._node(entity.id) for entity in self._names.named(name)]
        guessed = [node for node in nodes if node.properties.get(_GUESSED)]
        if len(nodes) != 1 or not guessed:
            return self._new_entity(name, kind)
        fields = {field: value for field, value in guessed[0].properties.items() if field != _GUESSED}
        self._graph.put(nodes=[GraphNode(guessed[0].id, label_of(kind), fields)])
        return self._entity(name, kind, as_told=True)

    def _new_entity(self, name: str, kind: EntityKind, *, guessed: bool = False) -> Entity:
        fields: dict[str, JsonValue] = {"name": name, "since": self._chapter, "settlement": self._settlement}
        node = GraphNode(
            self._names.free_id(name, kind), label_of(kind), {**fields, _GUESSED: True} if guessed else fields
        )
        self._graph.put(nodes=[node])
        entity = entity_of(node)
        assert entity is not None
        self.created.append(entity)
        return entity

    def _node(self, id: str) -> GraphNode:
        node = self._graph.node(id)
        assert node is not None
        return node

    # --- edges -------------------------------------------------------------------------------------------------------

    def _to_value(
        self, entity: Entity, relation: str, kind: str, text: str, properties: Mapping[str, JsonValue]
    ) -> None:
        self._add(entity.id, relation, self._value(kind, text), properties)

    def _value(self, kind: str, text: str) -> str:
        """The id of the node of a state, value or name, which is made where it is not there."""
        node = value_node(kind, text)
        if self._graph.node(node.id) is None:
            self._graph.put(nodes=[node])
        return node.id

    def _add(self, start: str, kind: str, end: str, properties: Mapping[str, JsonValue]) -> None:
        """Write a fact, and end what it takes the place of; one that holds already is said again."""
        edge = self._new_edge(start, kind, end, properties)
        slot = slot_of(edge)
        others = self._beside(edge) if slot is None else self._slot(edge)
        if slot is not None:
            self._check_chapter(edge, others)
        self._graph.put(edges=[edge])
        self._reschedule([*others, edge])

    def _beside(self, edge: GraphEdge) -> list[GraphEdge]:
        """Where the same was said of what may hold beside other facts."""
        found = self._graph.edges(start=edge.start, end=edge.end, kind=edge.kind, at=self._at)
        if edge.kind in SYMMETRIC:
            found += self._graph.edges(start=edge.end, end=edge.start, kind=edge.kind, at=self._at)
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
            holds = known.since == self._chapter and known.until != self._chapter
            if holds and foreign and not self._replace:
                raise SettlementConflict(
                    f"chapter {self._chapter} is settled with {self._told(known)}, and now with {self._told(edge)}; "
                    "leave one out, or settle with replace=True if the new one holds."
                )

    def _end(self, start: str, relation: str, end: str, properties: Mapping[str, JsonValue]) -> None:
        """Write that a fact ended; what said the same before ends with it, also what is settled of it later."""
        mark = self._new_edge(start, relation, end, {**properties, ENDED: True})
        mark = replace(mark, until=self._chapter)
        others = self._beside(mark)
        self._graph.put(edges=[mark])
        if slot_of(mark) is not None:
            others = self._slot(mark)
        self._reschedule([*(each for each in others if each.id != mark.id), mark])

    def _slot(self, edge: GraphEdge) -> list[GraphEdge]:
        wanted = slot_of(edge)
        assert wanted is not None
        start, end = (None, edge.end) if wanted[1] == edge.end else (edge.start, None)
        found = self._graph.edges(kind=edge.kind, start=start, end=end, at=self._at)
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
        self._graph.remove(edges=[edge.id for edge in mine])
        self._reschedule_all({slot_of(edge) or said_by(edge) for edge in mine})
        ends = dict.fromkeys(end for edge in mine for end in (edge.start, edge.end))
        named = [node.id for node in self._graph.nodes() if self._settlement == _first(node)]
        others = [node for node in self._graph.nodes(kind=SETTLEMENT) if node.id != f"settlement:{self._settlement}"]
        chapters: dict[str, list[int]] = {}
        for node in others:
            for each in _named(node):
                chapters.setdefault(each, []).append(int(str(node.properties["chapter"])))
        own = self._graph.node(f"settlement:{self._settlement}")
        for each in dict.fromkeys([*ends, *named, *(_named(own) if own is not None else ())]):
            self._forget(each, chapters.get(each, ()))
        return len(mine)

    def _forget(self, id: str, named_in: Sequence[int]) -> None:
        """Take this settlement out of a node; the node goes when no other tells of it, as those in `named_in` do."""
        node = self._graph.node(id)
        if node is None:
            return
        edges = [edge for edge, _ in self._graph.neighbours(id) if "settlement" in edge.properties]
        if entity_of(node) is None:
            if not edges and id.partition(":")[0] in _VALUES and not self._graph.neighbours(id):
                self._graph.remove(nodes=[id])
            return
        told = [edge.since for edge in edges if edge.since is not None]
        told += named_in
        if not told:
            self._graph.remove(nodes=[id])
            return
        fields: dict[str, JsonValue] = {**node.properties, "since": min(told)}
        self._graph.put(nodes=[replace(node, properties=fields)])

    def _reschedule_all(self, touched: Collection[tuple[str, ...]]) -> None:
        """End anew what stands where something was taken away."""
        left = [edge for edge in self._graph.edges() if (slot_of(edge) or said_by(edge)) in touched]
        self._graph.put(edges=rescheduled(left))

    def _told(self, edge: GraphEdge) -> str:
        ends = [self._graph.node(name) for name in (edge.start, edge.end)]
        one, other = (str(node.properties.get("name", node.id)) if node else "?" for node in ends)
        return f"{one} {edge.kind} {other}"


def _said(statement: OfTheStory) -> dict[str, JsonValue]:
    """What an edge has of every statement: the sentence it was read off, and when in the story it is."""
    told = {"evidence": statement.evidence, STORY_TIME: statement.time}
    return {name: value for name, value in told.items() if value}


def as_written(value: JsonValue) -> str:
    """The value of an attribute as the graph keeps it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "unknown"}[value]
    return ", ".join(map(as_written, value)) if isinstance(value, list) else str(value)


def _named(node: GraphNode) -> list[str]:
    found = node.properties.get(_NAMED)
    return [str(name) for name in found] if isinstance(found, list) else []


def _first(node: GraphNode) -> JsonValue:
    """The settlement an entity is new with."""
    return node.properties.get("settlement") if entity_of(node) is not None else None
