"""What a reader's statements are in a book: facts, lore, hooks, and parts of the plan with their places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from amb_book.desk.read_off import Extracted
from amb_book.plan import PlanGraph, PlanPart
from amb_book.statements import EntityKind, PlanKind, PlanStatement, parsed
from amb_core.agent_io import Statement
from amb_core.errors import InvalidInput

if TYPE_CHECKING:
    from amb_book.facts import FactGraph

__all__ = ["BookForms", "Formed", "PlanPlaces"]

_STATES = ("DEAD", "ALIVE", "MISSING", "IMPRISONED", "WOUNDED", "DESTROYED")
_KINDS = frozenset(kind.upper() for kind in get_args(EntityKind)) - {"HOOK"}
_HOOK = "HOOK"
_HOOKS = {_HOOK: "Unresolved", "HOOK_RESOLVED": "Resolved"}
_OWN = {*_STATES, *_KINDS, *_HOOKS, "STATUS", "ALSO_CALLED"}
"""Attributes that are no relation, in the words of the prompts."""
_OVER = "WAS_"
"""Stands before a state that is over."""
_OF_A_RELATION = re.compile(r"(?P<relation>[A-Z][A-Z_]+)\W+(?P<name>[^\WA-Z][\w ]*)")
_PLANNED: dict[str, PlanKind] = {kind.upper(): kind for kind in get_args(PlanKind)}
_OF_A_PART = ("TEXT", "STORYLINE")
_PROGRESS = {"PENDING": "Pending", "IN_PROGRESS": "InProgress", "COMPLETED": "Completed"}
_INSIDE: dict[PlanKind, PlanKind] = {
    "short_outline": "step",
    "long_outline": "short_outline",
    "general_outline": "long_outline",
}
_SURE = 0.9


class Formed(NamedTuple):
    """What statements came to, and how many of them are none of a book."""

    found: list[Extracted]
    dropped: int


class PlanPlaces:
    """The parts of a plan by id and title, those of the book and those a text adds; says where a new one belongs."""

    def __init__(self, plan: PlanGraph | None) -> None:
        self._is_there = plan is not None
        self._parts: list[PlanPart] = plan.parts() if plan is not None else []

    @property
    def told(self) -> list[dict[str, str]]:
        """The parts for a model, what is open first."""
        first = sorted(self._parts, key=lambda part: part.status == "Completed")
        return [
            {"id": part.id, "part": part.kind, "title": part.title, "status": part.status, "within": part.within}
            for part in first
        ]

    @property
    def names(self) -> list[tuple[str, ...]]:
        """The id and the title of each part."""
        return [(part.id, part.title) for part in self._parts]

    def named(self, name: str) -> PlanPart | None:
        """The part of an id or title, in whatever case."""
        wanted = name.casefold().strip()
        ways = (lambda part: part.id == name, lambda part: wanted in (part.id.casefold(), part.title.casefold()))
        return next((part for way in ways for part in self._parts if way(part)), None) if wanted else None

    def add(self, statement: PlanStatement) -> None:
        """Know a part that was added before."""
        if statement.kind is not None and self.named(statement.plan) is None:
            title, within = statement.title or statement.plan, statement.within or ""
            self._parts.append(PlanPart(statement.plan, statement.kind, title, "Pending", within=within))

    def form(self, told: Statement, attribute: str) -> dict[str, Any]:
        """A state or property of a part that is there, or a new part in its place of the tree; {} for neither."""
        outer = self.named(told.subject)
        if attribute in _PROGRESS:
            return {"plan": outer.id, "status": _PROGRESS[attribute]} if outer is not None else {}
        if attribute in _OF_A_PART:
            return {"plan": outer.id, "text": told.value} if outer is not None and attribute == "TEXT" else {}
        bare = outer is not None or told.subject in told.value
        line = told.value if bare else f"{told.subject}: {told.value}"
        title = f"{line} ({told.time})" if told.time and told.time not in line else line
        kind, within = self._place(_PLANNED.get(attribute), outer)
        self._parts.append(PlanPart(title, kind, title, "Pending", within=within or ""))
        return {"plan": title, "kind": kind, "title": title, "within": within}

    def _place(self, wanted: PlanKind | None, outer: PlanPart | None) -> tuple[PlanKind, str | None]:
        """Its kind and what it is in: as told where that is there, else the deepest outline there is."""
        if outer is not None:
            inner = _INSIDE.get(outer.kind)
            if inner is not None and wanted in (None, inner):
                return inner, outer.id
        if not self._is_there:
            return wanted or "step", None
        if wanted == "general_outline":
            return "general_outline", None
        for kind, inner in _INSIDE.items():
            there = [part for part in self._parts if part.kind == kind]
            if there and wanted in (None, inner):
                begun = [part for part in there if part.status == "InProgress"]
                return inner, (begun or there)[-1].id
        return self._place(None, None) if wanted else ("general_outline", None)


class BookForms:
    """Turns what a reader found into statements of a book, as the book is at a chapter.

    `kinds` are those of who came before in the same text, and gets those of whom these statements name.
    """

    def __init__(self, known: FactGraph, chapter: int, *, places: PlanPlaces, kinds: dict[str, str]) -> None:
        self._known, self._chapter, self._places, self._kinds = known, chapter, places, kinds

    def of(self, told: Sequence[Statement]) -> Formed:
        """The statements of the book, each with its quote; what was supposed or dreamt is none, nor what it has."""
        kinds = {each.subject: each.attribute.lower() for each in told if each.attribute in _KINDS}
        self._kinds |= {each.subject: self._kinds.get(each.subject, "character") for each in told} | kinds
        found: list[Extracted] = []
        dropped = 0
        begun: dict[tuple[str, str], int] = {}
        for each in told:
            if each.modality not in ("said", "planned"):
                continue
            place, plain = self._more(each, found, begun)
            if plain is None and (plain := self._plain(each)) is None:
                continue
            try:
                found[place : place + 1] = [Extracted(parsed([plain])[0], each.text, _SURE)]
            except InvalidInput:
                dropped += 1
                continue
            if "relation" in plain or ("plan" in plain and "kind" in plain):
                begun[plain.get("plan", each.subject), plain.get("relation", "")] = place
            elif "hook" in plain:
                begun[each.subject, _HOOK] = place
        return Formed(found, dropped)

    def _more(
        self, told: Statement, found: Sequence[Extracted], begun: Mapping[tuple[str, str], int]
    ) -> tuple[int, dict[str, Any] | None]:
        """Where a statement belongs, and the relation, hook or part of the plan that it adds to, with it."""
        match, part = _OF_A_RELATION.fullmatch(told.attribute), self._places.named(told.subject)
        if match is not None:
            place = begun.get((told.subject, match["relation"]))
        else:
            place = begun.get((part.id, "")) if part is not None and told.attribute in _OF_A_PART else None
        if place is None:  # a property of a relation that nobody told is none
            return len(found), None if match is None else {}
        before: dict[str, Any] = found[place].statement.model_dump(by_alias=True)
        if match is None:
            return place, before | {told.attribute.lower(): told.value}
        if match["relation"] == _HOOK:  # a hook has a text, and no other properties
            return place, before | {"text": told.value} if match["name"] == "text" else {}
        return place, before | {"properties": {**before["properties"], match["name"]: told.value}}

    def _plain(self, told: Statement) -> dict[str, Any] | None:
        """The JSON form; None for what the book has or does not keep, {} for what is no statement."""
        attribute = re.sub(r"\W+", "_", told.attribute.strip())
        name, there = attribute.upper(), self._known.resolve(told.subject, at=self._chapter)
        denied = told.polarity == "denied"
        if told.modality == "planned" or name in _PROGRESS or (name in _OF_A_PART and not there):
            return None if denied else self._places.form(told, name)
        if name == "LORE":
            return None if denied else {"lore": told.subject, "text": told.text}
        when = {"time": told.time}
        if name in _HOOKS:
            hook = told.value if name == _HOOK else told.subject
            return {"hook": hook, "status": _HOOKS[name], **when} if name == _HOOK or there else {}
        over, state = name.startswith(_OVER), name.removeprefix(_OVER)
        names_two = attribute == name or self._known.resolve(told.value, at=self._chapter)
        if state not in _OWN and name.isascii() and names_two:
            return {"subject": told.subject, "relation": name, "object": told.value, "until": denied, **when}
        if denied or (name in _KINDS and there):
            return None
        if state == "STATUS" or state in _STATES:
            is_now = told.value if state == "STATUS" else state.lower()
            return {"status": {"of": told.subject, "is": is_now}, "until": over, **when}
        kind = there[0].kind if there else self._kinds[told.subject]
        entity: dict[str, Any] = {"entity": told.subject, "kind": kind, **when}
        if name == "ALSO_CALLED":
            return {**entity, "aliases": [told.value]}
        return entity if name in _KINDS else {**entity, "properties": {told.attribute: told.value}}
