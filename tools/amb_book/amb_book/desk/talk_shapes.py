"""What a model answers about a talk, and the statements it comes to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from amb_book.plan import PlanGraph, PlanPart
from amb_book.statements import PlanKind, PlanStatement, Statement, parsed
from amb_core.errors import InvalidInput

__all__ = ["DecisionShape", "PlanPlaces", "TalkShape", "statement_of"]

_Name = Annotated[str, Field(max_length=200)]
_Text = Annotated[str, Field(max_length=2_000)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class DetailShape(_Shape):
    """One property."""

    name: _Name
    value: _Name


class DecisionShape(_Shape):
    """One decision of a talk, as a model tells it."""

    kind: Literal["entity", "relation", "status", "hook", "plan", "lore"]
    evidence: _Text
    name: _Name
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.7
    entity_kind: Literal["character", "location", "item", "faction", "ability", "thing"] = "character"
    aliases: Annotated[list[_Name], Field(max_length=6)] = []
    properties: Annotated[list[DetailShape], Field(max_length=6)] = []
    value: _Name = ""
    relation: Annotated[str, Field(max_length=60)] = ""
    other: _Name = ""
    ended: bool = False
    time: Annotated[str, Field(max_length=120)] = ""
    text: _Text = ""
    part: Literal["", "general_outline", "long_outline", "short_outline", "step"] = ""
    within: _Name = ""
    storyline: _Name = ""


class GoneShape(_Shape):
    """An earlier decision that was withdrawn or replaced, and the words that say so."""

    n: int
    evidence: _Text


class TalkShape(_Shape):
    """What a model answers: decisions, earlier ones that hold no more, and the turns in which the chapter stands."""

    statements: Annotated[list[DecisionShape], Field(max_length=60)]
    gone: Annotated[list[GoneShape], Field(max_length=60)] = []
    chapter_turns: Annotated[list[int], Field(max_length=40)] = []


_INSIDE: tuple[tuple[PlanKind, PlanKind], ...] = (
    ("short_outline", "step"),
    ("long_outline", "short_outline"),
    ("general_outline", "long_outline"),
)
_STATES = {"pending": "Pending", "inprogress": "InProgress", "completed": "Completed"}


class PlanPlaces:
    """The parts of a plan by id and title, those of the book and those a talk adds; says where a new one belongs."""

    def __init__(self, plan: PlanGraph | None) -> None:
        self._parts: list[PlanPart] = plan.parts() if plan is not None else []

    @property
    def told(self) -> list[dict[str, str]]:
        """The parts for a model, what is open first."""
        first = sorted(self._parts, key=lambda part: part.status == "Completed")
        return [
            {"id": part.id, "part": part.kind, "title": part.title, "status": part.status, "within": part.within}
            for part in first
        ]

    def named(self, name: str) -> PlanPart | None:
        """The part of an id or title, in whatever case."""
        wanted = name.casefold().strip()
        ways = (lambda part: part.id == name, lambda part: wanted in (part.id.casefold(), part.title.casefold()))
        return next((part for way in ways for part in self._parts if way(part)), None) if wanted else None

    def add(self, statement: Statement | Mapping[str, Any]) -> None:
        """Know a part that the talk added before."""
        if isinstance(statement, PlanStatement) and statement.kind is not None and self.named(statement.plan) is None:
            title = statement.title or statement.plan
            self._parts.append(
                PlanPart(statement.plan, statement.kind, title, "Pending", within=statement.within or "")
            )

    def statement(self, told: DecisionShape) -> PlanStatement | None:
        """A state of a part that is there, or a new part in its place of the tree; None where nothing is new."""
        status: Any = _STATES.get(re.sub(r"\W|_", "", told.value).casefold())
        known = self.named(told.name)
        if known is not None:
            if status is None and not told.text:
                return None
            return PlanStatement(plan=known.id, status=status, text=told.text or None)
        kind, within = self._place(told)
        line = told.storyline or None if kind == "short_outline" else None
        self._parts.append(PlanPart(told.name, kind, told.name, "Pending", within=within or ""))
        return PlanStatement(
            plan=told.name,
            kind=kind,
            title=told.name,
            text=told.text or None,
            status=status,
            within=within,
            storyline=line,
        )

    def _place(self, told: DecisionShape) -> tuple[PlanKind, str | None]:
        """Its kind and what it is in: as told where that is there, else the deepest outline there is."""
        outer = self.named(told.within)
        if outer is not None:
            fitting: PlanKind | None = next((inner for kind, inner in _INSIDE if kind == outer.kind), None)
            if fitting is not None and told.part in ("", fitting):
                return fitting, outer.id
        wanted = told.part or None
        if wanted == "general_outline":
            return "general_outline", None
        for kind, inner in _INSIDE:
            there = [part for part in self._parts if part.kind == kind]
            if there and wanted in (None, inner):
                begun = [part for part in there if part.status == "InProgress"]
                return inner, (begun or there)[-1].id
        return self._place(told.model_copy(update={"part": "", "within": ""})) if wanted else ("general_outline", None)


def statement_of(told: DecisionShape, places: PlanPlaces) -> Statement | None:
    """The statement a decision comes to; None for one that says nothing that can be settled."""
    try:
        if told.kind == "plan":
            return places.statement(told)
        return parsed([_plain(told)])[0]
    except (InvalidInput, ValueError):
        return None


def _plain(told: DecisionShape) -> dict[str, Any]:
    """A decision in the JSON form of statements."""
    properties = {each.name: each.value for each in told.properties if each.name.strip() and each.value.strip()}
    when = {"time": told.time} if told.time else {}
    match told.kind:
        case "entity":
            kind = {"entity": told.name, "kind": told.entity_kind, "aliases": told.aliases}
            return {**kind, "properties": properties, **when}
        case "relation":
            relation = re.sub(r"\W+", "_", told.relation.strip()).upper()
            ends = {"subject": told.name, "relation": relation, "object": told.other, "properties": properties}
            return {**ends, "until": told.ended, **when}
        case "status":
            return {"status": {"of": told.name, "is": told.value}, "until": told.ended, **when}
        case "hook":
            return {"hook": told.name, "status": told.value.title(), "text": told.text, **when}
        case _:
            return {
                "lore": told.name,
                "text": told.text or told.evidence,
                **({"kind": told.value} if told.value else {}),
            }
