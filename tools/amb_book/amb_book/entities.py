"""The people, places and things of a book, as nodes of its fact graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from amb_book.graphs import GraphNode
from amb_book.statements import EntityKind

__all__ = [
    "ALSO_CALLED",
    "CHAPTER",
    "HAS",
    "HAS_STATUS",
    "SETTLEMENT",
    "Entity",
    "chapter_id",
    "entity_id",
    "entity_of",
    "kind_of_object",
    "label_of",
    "value_node",
]

CHAPTER, SETTLEMENT = "Chapter", "Settlement"
HAS_STATUS, HAS, ALSO_CALLED = "HAS_STATUS", "HAS", "ALSO_CALLED"
"""Edges to what is no entity: a Status, the Value of an attribute, another Name."""

_LABELS: dict[EntityKind, str] = {
    "character": "Character",
    "location": "Location",
    "item": "Item",
    "faction": "Faction",
    "ability": "Ability",
    "hook": "Hook",
    "thing": "Thing",
}
_KINDS: dict[str, EntityKind] = {label: kind for kind, label in _LABELS.items()}
_OF_OBJECT: dict[str, EntityKind] = {
    "IS_AT": "location",
    "LOCATED_IN": "location",
    "FOUND_IN": "location",
    "OWNS": "item",
    "MEMBER_OF": "faction",
    "LEADS": "faction",
    "HAS_ABILITY": "ability",
    "LEARNT": "ability",
    **dict.fromkeys(
        ("MARRIED_TO", "PARENT_OF", "CHILD_OF", "SIBLING_OF", "ALLY_OF", "ENEMY_OF", "LOVES", "HATES", "KNOWS"),
        "character",
    ),
}


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something of the book; `since` is the chapter that first tells of it, `aliases` those known then."""

    id: str
    name: str
    kind: EntityKind
    since: int
    aliases: tuple[str, ...] = ()


def label_of(kind: EntityKind) -> str:
    """The label of a kind's nodes."""
    return _LABELS[kind]


def entity_id(name: str, kind: EntityKind) -> str:
    """The id of a new entity; it stays when the name changes."""
    return f"{kind}:{name}"


def entity_of(node: GraphNode, *, aliases: tuple[str, ...] = ()) -> Entity | None:
    """The entity a node is; None for a node of another kind."""
    kind = _KINDS.get(node.kind)
    if kind is None:
        return None
    fields: Any = node.properties
    return Entity(node.id, str(fields["name"]), kind, int(fields["since"]), aliases)


def kind_of_object(relation: str) -> EntityKind:
    """What the object of a relation is taken for when nobody said."""
    return _OF_OBJECT.get(relation, "thing")


def chapter_id(number: int) -> str:
    """The id of a chapter's node."""
    return f"chapter:{number}"


def value_node(kind: str, text: str) -> GraphNode:
    """The node of a state, value or name; equal texts are one node."""
    return GraphNode(f"{kind.casefold()}:{text}", kind, {"name": text})
