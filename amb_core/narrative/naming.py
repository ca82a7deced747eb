"""Which entity a name means, and where a text names one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from amb_core.graphs import GraphNode, GraphStore
from amb_core.narrative.entities import ALSO_CALLED, Entity, entity_id, entity_of, label_of
from amb_core.narrative.fact_answers import Mention
from amb_core.narrative.statements import EntityKind

__all__ = ["NameBook"]

_ALL_KINDS: tuple[EntityKind, ...] = ("character", "location", "item", "faction", "ability", "hook", "thing")
_HAN = re.compile(r"[\u3400-\u9fff]")


class NameBook:
    """Reads names off a fact graph; it keeps nothing, so it never lags behind the graph."""

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph

    def named(self, name: str, kind: EntityKind | None = None, *, at: int | None = None) -> list[Entity]:
        """The entities of a name: those called so themselves, else those also called so; an id names itself.

        `at` leaves out entities, and other names, that no chapter up to then tells of.
        """
        wanted = " ".join(name.split())
        by_id = self._graph.node(wanted)
        found = self._entities([by_id] if by_id is not None else [], kind, at)
        return found or self._called(wanted, kind, at) or self._also_called(wanted, kind, at)

    def entity(self, node: GraphNode, *, at: int | None = None) -> Entity | None:
        """The entity of a node with the names known by then; None for what is no entity, or not yet there."""
        bare = entity_of(node)
        if bare is None or (at is not None and bare.since > at):
            return None
        edges = self._graph.neighbours(node.id, kinds=(ALSO_CALLED,), direction="out")
        known = [str(name.properties["name"]) for edge, name in edges if at is None or (edge.since or 0) <= at]
        return entity_of(node, aliases=tuple(known))

    def free_id(self, name: str, kind: EntityKind) -> str:
        """An id for a new entity that no node has."""
        wanted = entity_id(name, kind)
        tried, number = wanted, 1
        while self._graph.node(tried) is not None:
            number += 1
            tried = f"{wanted}#{number}"
        return tried

    def mentions(self, text: str, *, at: int | None = None) -> list[Mention]:
        """Where a text names entities, in order; of names that overlap the longest counts.

        A character may also be named by the first or last part of a name of several words that nobody else shares.
        """
        names = self._names(at)
        if not names:
            return []
        pattern = "|".join(_bounded(name) for name in sorted(names, key=lambda each: (-len(each), each)))
        return [
            Mention(
                found.start(),
                found.end(),
                found.group(),
                tuple(names[found.group()]),
                alias=not any(entity.name == found.group() for entity in names[found.group()]),
            )
            for found in re.finditer(pattern, text)
        ]

    def _names(self, at: int | None) -> Mapping[str, list[Entity]]:
        """Every name with the entities it may mean."""
        names: dict[str, list[Entity]] = {}
        parts: dict[str, list[Entity]] = {}
        for kind in _ALL_KINDS:
            for node in self._graph.nodes(kind=label_of(kind)):
                entity = self.entity(node, at=at)
                if entity is None:
                    continue
                for name in (entity.name, *entity.aliases):
                    names.setdefault(name, []).append(entity)
                for part in _parts(entity) if kind == "character" else ():
                    parts.setdefault(part, []).append(entity)
        for part, entities in parts.items():
            if len(entities) == 1 and part not in names:
                names[part] = entities
        return names

    def _called(self, name: str, kind: EntityKind | None, at: int | None) -> list[Entity]:
        direct = [self._graph.node(entity_id(name, each)) for each in ((kind,) if kind else _ALL_KINDS)]
        found = [node for node in direct if node is not None and node.properties.get("name") == name]
        return self._entities(found or self._graph.nodes(where={"name": name}), kind, at)

    def _also_called(self, name: str, kind: EntityKind | None, at: int | None) -> list[Entity]:
        edges = self._graph.neighbours(f"name:{name}", kinds=(ALSO_CALLED,), direction="in")
        nodes = [node for edge, node in edges if at is None or (edge.since or 0) <= at]
        return self._entities(nodes, kind, at)

    def _entities(self, nodes: list[GraphNode], kind: EntityKind | None, at: int | None) -> list[Entity]:
        found = [self.entity(node, at=at) for node in nodes]
        return [entity for entity in found if entity is not None and kind in (None, entity.kind)]


def _parts(entity: Entity) -> Iterator[str]:
    """The words of a name of several that may stand for it."""
    words = entity.name.split()
    if len(words) > 1:
        yield from (word for word in dict.fromkeys((words[0], words[-1])) if word[:1].isupper() and len(word) > 2)


def _bounded(name: str) -> str:
    """A pattern for a name: whole words, where its script has spaces between them."""
    head = r"(?<!\w)" if name[:1].isalnum() and not _HAN.match(name) else ""
    tail = r"(?!\w)" if name[-1:].isalnum() and not _HAN.match(name[-1]) else ""
    return f"{head}{re.escape(name)}{tail}"
