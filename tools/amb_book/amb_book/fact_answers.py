"""What the fact graph answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from amb_book.entities import Entity
from amb_book.statements import Statement

__all__ = ["ChapterInfo", "EntityFacts", "Fact", "Hook", "Mention", "Settlement"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something settled: valid from chapter `since` on, and until chapter `until`, in which it ended.

    `object` is a name, or the value of a state or attribute; `evidence` the sentence it was read off, `time` when in
    the story it is, in its own words.
    """

    id: str
    subject: str
    relation: str
    object: str
    since: int
    until: int | None = None
    attribute: str = ""
    properties: Mapping[str, JsonValue] = field(default_factory=dict)
    evidence: str = ""
    settlement: str = ""
    time: str = ""

    @property
    def text(self) -> str:
        """The fact in one line."""
        what = f"{self.relation} {self.attribute} = " if self.attribute else f"{self.relation} "
        ends = "" if self.until is None else f", until {self.until}"
        more = [self.time, *(f"{name}: {value}" for name, value in self.properties.items())]
        told = "; ".join([f"since {self.since}{ends}", *filter(None, more)])
        return f"{self.subject} {what}{self.object} ({told})"


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """Everything that holds of one entity in a chapter: `facts` about it as subject or object, oldest first."""

    entity: Entity
    at: int
    facts: tuple[Fact, ...] = ()

    @property
    def status(self) -> str:
        """Its state, "" when none was settled."""
        return next((fact.object for fact in reversed(self.facts) if self._own(fact, "HAS_STATUS")), "")

    @property
    def place(self) -> str:
        """Where it is, "" when that was not settled."""
        return next((fact.object for fact in reversed(self.facts) if self._own(fact, "IS_AT")), "")

    @property
    def properties(self) -> dict[str, str]:
        """Its attributes with their values."""
        return {fact.attribute: fact.object for fact in self.facts if self._own(fact, "HAS")}

    def _own(self, fact: Fact, relation: str) -> bool:
        return fact.relation == relation and fact.subject == self.entity.name


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook that was laid: in which chapter, and in which it was resolved."""

    name: str
    status: str
    laid: int
    resolved: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names an entity; `alias` when by another name than its own, several entities when it is unclear."""

    start: int
    end: int
    text: str
    entities: tuple[Entity, ...]
    alias: bool = False

    @property
    def sole(self) -> Entity | None:
        """Whom it means when that is beyond doubt."""
        return self.entities[0] if len(self.entities) == 1 else None


@dataclass(frozen=True, slots=True)
class ChapterInfo:
    """A settled chapter."""

    number: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What settling did: the statements, the entities that are new with it, and the facts that ended."""

    id: str
    chapter: int
    statements: tuple[Statement, ...] = ()
    created: tuple[Entity, ...] = ()
    ended: tuple[Fact, ...] = ()
