"""What an author settles, as statements: the one form in which facts, plans and lore reach the book's memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints, TypeAdapter, ValidationError

from amb_core.errors import InvalidInput
from amb_core.frozen import Frozen

__all__ = [
    "EntityKind",
    "EntityStatement",
    "HookStatement",
    "LoreStatement",
    "OfTheStory",
    "PlanKind",
    "PlanStatement",
    "PlanStatus",
    "RelationStatement",
    "Statement",
    "StatusOf",
    "StatusStatement",
    "parsed",
]

EntityKind = Literal["character", "location", "item", "faction", "ability", "hook", "thing"]
PlanKind = Literal["general_outline", "long_outline", "short_outline", "step"]
PlanStatus = Literal["Pending", "InProgress", "Completed"]


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def _one_line(name: str) -> str:
    said = " ".join(name.split())
    if not said:
        raise ValueError("it cannot be blank")
    if _CONTROL.search(said):
        raise ValueError("it holds a control character; write it without")
    return said


def _joined(told: str) -> str:
    return _CONTROL.sub(" ", " ".join(told.split()))


def _no_form_of_its_own(relation: str) -> str:
    if relation in _OWN_FORMS:
        raise ValueError(f"{relation} has a form of its own: {_OWN_FORMS[relation]}")
    return relation


def _not_ours(properties: dict[str, JsonValue]) -> dict[str, JsonValue]:
    taken = sorted(_TAKEN & properties.keys())
    if taken:
        raise ValueError(f"{', '.join(taken)} is a name AMB keeps for itself; give the property another one")
    return properties


_OWN_FORMS = {
    "HAS_STATUS": "{'status': {'of': …, 'is': …}}",
    "HAS": "{'entity': …, 'kind': …, 'properties': {…}}",
    "ALSO_CALLED": "{'entity': …, 'kind': …, 'aliases': […]}",
}
_TAKEN = {"settlement", "evidence", "attribute", "ended", "story_time"}

Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_one_line)]
Relation = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]{0,59}$"), AfterValidator(_no_form_of_its_own)]


class Settled(Frozen):
    """What all statements have: `evidence` is the sentence it was read off, "" when the author just said so."""

    evidence: str = ""

    def plain(self) -> dict[str, JsonValue]:
        """Its JSON form, without what it does not say."""
        told: dict[str, JsonValue] = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return told


class OfTheStory(Settled):
    """What all statements of facts have: `time` is when it is in the story, in its own words ("the third winter")."""

    time: Annotated[str, StringConstraints(max_length=120), AfterValidator(_joined)] = ""


class EntityStatement(OfTheStory):
    """Somebody or something there is, with names and properties known from this chapter on."""

    entity: Name
    kind: EntityKind
    aliases: tuple[Name, ...] = ()
    properties: dict[str, JsonValue] = Field(default_factory=dict)


class RelationStatement(OfTheStory):
    """How one entity stands to another from this chapter on; with `until`, that it no longer does."""

    subject: Name
    relation: Relation
    object: Name
    properties: Annotated[dict[str, JsonValue], AfterValidator(_not_ours)] = Field(default_factory=dict)
    until: bool = False


class StatusOf(Frozen):
    """Whose state, and what it is now: alive, dead, missing, imprisoned, destroyed …"""

    of: Name
    is_: Annotated[str, StringConstraints(min_length=1, max_length=80), AfterValidator(_one_line)] = Field(alias="is")


class StatusStatement(OfTheStory):
    """The state somebody or something is in from this chapter on; with `until`, that it no longer is."""

    status: StatusOf
    until: bool = False


class HookStatement(OfTheStory):
    """A hook (foreshadowing) that is laid, or resolved, in this chapter."""

    hook: Name
    status: Literal["Unresolved", "Resolved"]
    text: str = ""


class PlanStatement(Settled):
    """A part of the plan that is new, or in another state: what will happen, never what has happened."""

    plan: Name
    kind: PlanKind | None = None
    title: str | None = None
    text: str | None = None
    status: PlanStatus | None = None
    within: Name | None = None
    after: Name | None = None
    storyline: Name | None = None


class LoreStatement(Settled):
    """An authoritative entry on how this world is."""

    lore: Name
    kind: Name = "setting"
    text: Annotated[str, StringConstraints(min_length=1)]


Statement = EntityStatement | RelationStatement | StatusStatement | HookStatement | PlanStatement | LoreStatement

_IN_WORDS = {
    "string_pattern_mismatch": "write it in capitals with _ between the words, such as OWNS or IS_AT",
    "string_too_short": "it cannot be empty",
    "missing": "it is missing",
}

_BY_FIELD: dict[str, TypeAdapter[Any]] = {
    "entity": TypeAdapter(EntityStatement),
    "subject": TypeAdapter(RelationStatement),
    "hook": TypeAdapter(HookStatement),
    "plan": TypeAdapter(PlanStatement),
    "lore": TypeAdapter(LoreStatement),
    "status": TypeAdapter(StatusStatement),
}


def parsed(statements: Iterable[Statement | Mapping[str, Any]]) -> tuple[Statement, ...]:
    """Statements from their JSON forms, which tell themselves apart by their first field; InvalidInput names the first
    that is none.
    """
    if isinstance(statements, str | Mapping) or not isinstance(statements, Iterable):
        raise InvalidInput(f"statements come as a list of them, not as {type(statements).__name__}.")
    return tuple(_parsed(number, each) for number, each in enumerate(statements, 1))


def _parsed(number: int, given: Statement | Mapping[str, Any]) -> Statement:
    if isinstance(given, Settled):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(
            f"statement {number} is no object; pass one like {{'subject': …, 'relation': …, 'object': …}}."
        )
    found = next((reader for name, reader in _BY_FIELD.items() if name in given), None)
    if found is None:
        known = ", ".join(_BY_FIELD)
        raise InvalidInput(f"statement {number} says nothing AMB knows; it needs one of the fields {known}.")
    try:
        statement: Statement = found.validate_python(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "it"
        problem = _IN_WORDS.get(first["type"], first["msg"].removeprefix("Value error, "))
        raise InvalidInput(f"statement {number} cannot be settled: {where}: {problem}.") from None
    return statement
