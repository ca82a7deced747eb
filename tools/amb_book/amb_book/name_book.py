"""Which entity a name means, and where a text names one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from amb_book.entities import ALSO_CALLED, Entity, entity_id, entity_of, label_of
from amb_book.fact_answers import Mention
from amb_book.graphs import GraphNode, GraphStore
from amb_book.statements import EntityKind

__all__ = ["NameBook", "NameIndex", "bare", "find_names"]

_ALL_KINDS: tuple[EntityKind, ...] = ("character", "location", "item", "faction", "ability", "hook", "thing")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NUMERAL = re.compile(r"[一二三四五六七八九十百千万两半]")
_NO_NAME = frozenset(
    "Young Old King Queen Lord Lady Mother Father Brother Sister Captain General Sir Saint Master Doctor Aunt Uncle "
    "Little Big Prince Princess Duke Duchess Count Countess Baron Baroness Mister Madam Dame Emperor Empress Colonel "
    "Major Sergeant Judge Bishop Abbot Abbess Chief Elder Widow Cousin Nurse Miss The".split()
)
"""First words of names that name nobody by themselves."""


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

    def entities(self, kind: EntityKind | None = None, *, at: int | None = None) -> list[Entity]:
        """All entities, or those of a kind, with the names known by then."""
        aliases: dict[str, list[str]] = {}
        for edge in self._graph.edges(kind=ALSO_CALLED):
            if at is None or (edge.since or 0) <= at:
                aliases.setdefault(edge.start, []).append(edge.end.partition(":")[2])
        found = []
        for each in (kind,) if kind else _ALL_KINDS:
            for node in self._graph.nodes(kind=label_of(each)):
                entity = entity_of(node, aliases=tuple(aliases.get(node.id, ())))
                if entity is not None and (at is None or entity.since <= at):
                    found.append(entity)
        return found

    def free_id(self, name: str, kind: EntityKind) -> str:
        """An id for a new entity that no node has."""
        wanted = entity_id(name, kind)
        tried, number = wanted, 1
        while self._graph.node(tried) is not None:
            number += 1
            tried = f"{wanted}#{number}"
        return tried

    def mentions(self, text: str, *, at: int | None = None) -> list[Mention]:
        """Where a text names entities, in order."""
        return NameIndex(self.entities(at=at)).mentions(text)

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


class NameIndex:
    """The names of entities, with and without their articles, and the parts of names that mean one person alone."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._names: dict[str, list[Entity]] = {}
        parts: dict[str, list[Entity]] = {}
        for entity in entities:
            names = (entity.name, *entity.aliases)
            for name in dict.fromkeys((*names, *map(bare, names))):
                self._names.setdefault(name, []).append(entity)
            for part in dict.fromkeys(_parts(entity)) if entity.kind == "character" else ():
                parts.setdefault(part, []).append(entity)
        for part, owners in parts.items():
            if len(owners) == 1:
                self._names.setdefault(part, owners)

    def mentions(self, text: str) -> list[Mention]:
        """Where a text names them, in order; of names that overlap the longest counts."""
        return [
            _mention(text, start, end, self._names[text[start:end]]) for start, end in find_names(text, self._names)
        ]


def bare(name: str) -> str:
    """A name without its article."""
    return _ARTICLE.sub("", name)


def find_names(text: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where names stand in a text as whole words (in a script without spaces, anywhere), the longest first."""
    lengths: dict[str, set[int]] = {}
    for name in names:
        lengths.setdefault(name[:1], set()).add(len(name))
    longest_first = {head: sorted(found, reverse=True) for head, found in lengths.items()}
    place = 0
    while place < len(text):
        pieces = (text[place : place + length] for length in longest_first.get(text[place], ()))
        end = next((place + len(piece) for piece in pieces if piece in names and _stands_at(text, place, piece)), None)
        if end is not None:
            yield place, end
        place = place + 1 if end is None else end


def _stands_at(text: str, start: int, name: str) -> bool:
    end = start + len(name)
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return text.startswith(name, start) and not (_joins(before, name[0]) or _joins(name[-1], after))


def _joins(one: str, other: str) -> bool:
    """Whether two characters belong to one word."""
    return one.isalnum() and other.isalnum() and not (_HAN.match(one) or _HAN.match(other))


def _mention(text: str, start: int, end: int, entities: Sequence[Entity]) -> Mention:
    said = text[start:end]
    alias = not any(bare(said) == bare(entity.name) for entity in entities)
    return Mention(start, end, said, tuple(entities), alias)


def _parts(entity: Entity) -> Iterator[str]:
    """What stands for a person without the whole name: a first or last name; the given name of a Chinese one."""
    words = entity.name.split()
    if len(words) > 1:
        yield from (
            word for word in (words[0], words[-1]) if word[0].isupper() and len(word) > 2 and word not in _NO_NAME
        )
        if words[0] in _NO_NAME and len(words) > 2 and words[-1][0].isupper():
            yield f"{words[0]} {words[-1]}"
    elif len(entity.name) == 3 and all(map(_HAN.match, entity.name)) and not _NUMERAL.search(entity.name[1:]):
        yield entity.name[1:]
