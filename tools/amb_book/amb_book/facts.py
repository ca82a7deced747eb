"""FactGraph: what has happened in the book, as far as its author has settled it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from pydantic import JsonValue

from amb_book.entities import (
    CHAPTER,
    SETTLEMENT,
    Entity,
    chapter_id,
)
from amb_book.fact_answers import ChapterInfo, EntityFacts, Fact, Hook, Mention, Settlement
from amb_book.fact_reader import facts_ever, facts_now, facts_of, hooks_of
from amb_book.fact_writer import FactWriter
from amb_book.graphs import GraphNode, GraphStore
from amb_book.name_book import NameBook
from amb_book.statements import EntityKind, LoreStatement, PlanStatement, Statement, parsed
from amb_book.timeline import merged
from amb_core.errors import InvalidInput, InvalidParameter, UnknownId

__all__ = ["FactGraph"]


class FactGraph:
    """Settled facts, each valid from a chapter on; questions are asked as of a chapter, by default the last settled.

    Nothing planned is in it, and nothing of a later chapter is in an answer.
    """

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph
        self._names = NameBook(graph)

    # --- settling ----------------------------------------------------------------------------------------------------

    def settle(
        self,
        *,
        chapter: int,
        statements: Iterable[Statement | Mapping[str, Any]],
        title: str | None = None,
        settlement: str = "",
        replace: bool = False,
    ) -> Settlement:
        """Write what is true from a chapter on; all of it or nothing.

        Statements on plan and lore are passed over: Story.settle carries those, too. `settlement` is an id: the same
        one again changes nothing. Raises InvalidInput for statements that cannot be
        read, and SettlementConflict when another settlement of this chapter says otherwise, unless `replace` lets the
        new one hold.
        """
        number = _checked_chapter(chapter, most=_MOST_CHAPTERS)
        read = parsed(statements)
        _check_text(title or "", "a title")
        name = settlement or self._next_id(number)
        with self._graph.transaction():
            if self._graph.node(f"settlement:{name}") is not None:
                return Settlement(name, number)
            if title is not None or not read or any(not isinstance(each, _NO_FACTS) for each in read):
                self._note_chapter(number, title)  # what is only planned makes no chapter
            self._graph.put(nodes=[GraphNode(f"settlement:{name}", SETTLEMENT, {"name": name, "chapter": number})])
            newest = number >= self.last_chapter
            writer = FactWriter(
                self._graph, self._names, chapter=number, settlement=name, replace_others=replace, newest=newest
            )
            for statement in read:
                writer.write(statement)
            if writer.named:  # kept here, so that an entity named in every chapter does not grow with each
                fields: dict[str, JsonValue] = {"name": name, "chapter": number, "named": list(writer.named)}
                self._graph.put(nodes=[GraphNode(f"settlement:{name}", SETTLEMENT, fields)])
        return Settlement(name, number, read, tuple(writer.created), tuple(facts_of(self._graph, writer.ended)))

    def undo(self, settlement: str) -> int:
        """Take a settlement back: what it wrote goes, what it ended goes on; returns how many facts went."""
        _check_text(settlement, "the id of a settlement")
        node = self._graph.node(f"settlement:{settlement}")
        if node is None:
            raise UnknownId("settlement", settlement)
        with self._graph.transaction():
            chapter = int(str(node.properties["chapter"]))
            gone = FactWriter(self._graph, self._names, chapter=chapter, settlement=settlement).take_back()
            self._graph.remove(nodes=[node.id])
            if not self._graph.nodes(kind=SETTLEMENT, where={"chapter": chapter}):
                self._graph.remove(nodes=[chapter_id(chapter)])
        return gone

    # --- asking ------------------------------------------------------------------------------------------------------

    @property
    def last_chapter(self) -> int:
        """The last settled chapter; 0 before the first."""
        return max((_number(node) for node in self._graph.nodes(kind=CHAPTER)), default=0)

    def chapters(self, *, at: int | None = None) -> list[ChapterInfo]:
        """The settled chapters in order."""
        until = None if at is None else _checked_chapter(at, least=0)
        found = [ChapterInfo(_number(node), _named(node)) for node in self._graph.nodes(kind=CHAPTER)]
        return sorted((each for each in found if until is None or each.number <= until), key=lambda each: each.number)

    def about(self, name: str, *, at: int | None = None) -> EntityFacts:
        """What holds of an entity; UnknownId for one of which no chapter has told by then."""
        until = self._at(at)
        entity = self.entity(name, at=until)
        return EntityFacts(entity, until, tuple(facts_now(self._graph, entity, at=until)))

    def timeline(self, name: str, *, at: int | None = None) -> list[Fact]:
        """All that held of an entity up to a chapter, in order; what ends later is told as still holding."""
        until = self._at(at)
        entity = self.entity(name, at=until)
        return facts_ever(self._graph, entity, at=until)

    def facts(
        self, *, relation: str | None = None, subject: str = "", object: str = "", at: int | None = None
    ) -> list[Fact]:
        """The facts that hold and fit everything given."""
        until = self._at(at)
        start = self.entity(subject, at=until).id if subject else None
        end = self.entity(object, at=until).id if object else None
        edges = merged(self._graph.edges(kind=relation, start=start, end=end), at=until)
        return facts_of(self._graph, [edge for edge in edges if edge.until is None])

    def entities(self, kind: EntityKind | None = None, *, at: int | None = None) -> list[Entity]:
        """Everybody and everything told of up to a chapter."""
        if kind is not None and kind not in get_args(EntityKind):
            raise InvalidParameter(f"entities are of the kinds {', '.join(get_args(EntityKind))}, not {kind!r:.40}.")
        return self._names.entities(kind, at=self._at(at))

    def entity(self, name: str, *, at: int | None = None) -> Entity:
        """The one entity of a name or id; UnknownId when there is none yet, InvalidInput when several are called so."""
        until = self._at(at)
        found = self.resolve(name, at=until)
        if not found:
            near = [each.name for each in self.entities(at=until) if name.casefold() in each.name.casefold()]
            told = f"entity in chapters 1 to {until}" if until else "entity"
            raise UnknownId(told, name, near=near[:3])
        if len(found) > 1:
            ids = ", ".join(each.id for each in found)
            raise InvalidInput(f"{name!r:.80} may be any of {ids}; ask for one of these ids.")
        return found[0]

    def resolve(self, name: str, *, at: int | None = None) -> list[Entity]:
        """The entities a name may mean; empty when no chapter has told of one."""
        _check_text(name, "a name")
        return self._names.named(name, at=self._at(at))

    def mentions(self, text: str, *, at: int | None = None) -> list[Mention]:
        """Where a text names entities told of up to a chapter."""
        _check_text(text, "a text")
        return self._names.mentions(text, at=self._at(at))

    def hooks(self, status: str | None = None, *, at: int | None = None) -> list[Hook]:
        """The hooks laid up to a chapter, with what had become of them by then."""
        if status not in (None, "Unresolved", "Resolved"):
            raise InvalidParameter(f"a hook is Unresolved or Resolved, not {status!r:.40}.")
        until = self._at(at)
        found = hooks_of(self._graph, self.entities("hook", at=until), at=until)
        return [hook for hook in found if status in (None, hook.status)]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _at(self, at: int | None) -> int:
        return self.last_chapter if at is None else _checked_chapter(at, least=0)

    def _next_id(self, chapter: int) -> str:
        """An id no settlement had, whatever was undone."""
        taken = {node.id for node in self._graph.nodes(kind=SETTLEMENT)}
        number = 1
        while f"settlement:{chapter}-{number}" in taken:
            number += 1
        return f"{chapter}-{number}"

    def _note_chapter(self, number: int, title: str | None) -> None:
        known = self._graph.node(chapter_id(number))
        if known is None or (title is not None and known.properties.get("name") != title):
            fields: dict[str, JsonValue] = {"name": title or "", "number": number, "since": number}
            self._graph.put(nodes=[GraphNode(chapter_id(number), CHAPTER, fields)])


_MOST_CHAPTERS = 1_000_000
_NO_FACTS = (PlanStatement, LoreStatement)


def _checked_chapter(chapter: int, *, least: int = 1, most: int | None = None) -> int:
    if isinstance(chapter, bool) or not isinstance(chapter, int) or chapter < least:
        raise InvalidParameter(f"a chapter is a whole number from {least} on, not {chapter!r:.40}.")
    if most is not None and chapter > most:
        raise InvalidParameter(f"a book has at most {most:,} chapters; {chapter!r:.40} is none of them.")
    return chapter


def _check_text(given: object, what: str) -> None:
    if not isinstance(given, str):
        raise InvalidParameter(f"{what} is text, not {type(given).__name__}.")


def _number(node: GraphNode) -> int:
    return int(str(node.properties["number"]))


def _named(node: GraphNode) -> str:
    return str(node.properties.get("name", ""))
