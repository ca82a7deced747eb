"""From what was read to statements: each once, the last word of a chapter, and nothing the facts say already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from amb_book.extraction.ages import number_of
from amb_book.extraction.claims import Claim
from amb_book.extraction.marking import Actor
from amb_book.extraction.reading import Reading
from amb_book.statements import EntityStatement, RelationStatement, Statement, StatusOf, StatusStatement
from amb_book.timeline import SYMMETRIC

if TYPE_CHECKING:
    from amb_book.facts import FactGraph

__all__ = ["readings_of"]

_NAMED = 0.7


def readings_of(
    claims: Sequence[Claim], first: Mapping[Actor, str], *, known: FactGraph, chapter: int
) -> list[Reading]:
    """Statements in an order in which they can be settled: who and what there is, then how it stands."""
    held = _Held(known, chapter)
    told = [each for each in _last_words(claims) if not held.says(each)]
    entities = dict(first)
    for claim in told:
        for actor in (claim.subject, claim.object):
            if actor is not None and not actor.known and not known.resolve(actor.name, at=chapter):
                entities.setdefault(actor, claim.evidence)
    properties, aliases = _described(told)
    sure = {actor: claim.confidence for claim in told for actor in (claim.subject, claim.object) if actor is not None}
    readings = [
        Reading(
            EntityStatement(
                entity=actor.name,
                kind=actor.kind,
                aliases=tuple(name for name, said in aliases.get(actor, ()) if said == evidence),
                properties={name: value for name, value, said in properties.get(actor, ()) if said == evidence},
            ),
            evidence,
            max(_NAMED, sure.get(actor, 0.0) - 0.05),
        )
        for actor, evidence in entities.items()
    ]
    readings += _further(entities, properties, aliases)
    return [*readings, *(Reading(_statement(each), each.evidence, each.confidence) for each in told if _stands(each))]


def _further(
    entities: Mapping[Actor, str],
    properties: Mapping[Actor, Sequence[tuple[str, JsonValue, str]]],
    aliases: Mapping[Actor, Sequence[tuple[str, str]]],
) -> Iterator[Reading]:
    """Properties and other names that are told elsewhere than where somebody is first named."""
    for actor, told_of in properties.items():
        for name, value, evidence in told_of:
            if entities.get(actor) != evidence:
                statement = EntityStatement(entity=actor.name, kind=actor.kind, properties={name: value})
                yield Reading(statement, evidence, 0.8)
    for actor, names in aliases.items():
        for name, evidence in names:
            if entities.get(actor) != evidence:
                statement = EntityStatement(entity=actor.name, kind=actor.kind, aliases=(name,))
                yield Reading(statement, evidence, 0.75)


class _Held:
    """What the facts say of somebody in a chapter, looked up once."""

    def __init__(self, known: FactGraph, chapter: int) -> None:
        self._known, self._chapter = known, chapter
        self._told: dict[str, frozenset[tuple[str, str, str]]] = {}

    def says(self, claim: Claim) -> bool:
        """Whether a claim is nothing new; what ends something is new only while that holds."""
        if not claim.subject.known:
            return claim.ends
        other = claim.object.name if claim.object is not None else ""
        about = self._of(claim.subject.name)
        if claim.relation == "STATUS":
            return ("HAS_STATUS", claim.subject.name, claim.value) in about
        if claim.relation == "HAS":
            return any(each == (f"HAS {claim.attribute}", claim.subject.name, str(_value(claim))) for each in about)
        if claim.relation == "ALIAS":
            return ("ALIAS", claim.subject.name, claim.value) in about
        holds = (claim.relation, claim.subject.name, other) in about
        if claim.relation in SYMMETRIC:
            holds = holds or (claim.relation, other, claim.subject.name) in about
        return holds != claim.ends

    def _of(self, name: str) -> frozenset[tuple[str, str, str]]:
        if name not in self._told:
            entities = self._known.resolve(name, at=self._chapter)
            self._told[name] = frozenset(self._facts(entities[0].id)) if len(entities) == 1 else frozenset()
        return self._told[name]

    def _facts(self, id: str) -> Iterator[tuple[str, str, str]]:
        told = self._known.about(id, at=self._chapter)
        yield ("ALIAS", told.entity.name, told.entity.name)
        yield from (("ALIAS", told.entity.name, alias) for alias in told.entity.aliases)
        for fact in told.facts:
            if fact.until is None or fact.until > self._chapter:
                relation = f"HAS {fact.attribute}" if fact.attribute else fact.relation
                yield (relation, fact.subject, fact.object)


def _last_words(claims: Sequence[Claim]) -> list[Claim]:
    """Each claim once, by its surest evidence; of places, owners and states of one chapter the last."""
    by_slot: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        slot = _slot(claim)
        before = by_slot.pop(slot, None)
        same = before is not None and (before.object, before.value, before.ends) == (
            claim.object,
            claim.value,
            claim.ends,
        )
        surest = before if before is not None and same and before.confidence >= claim.confidence else claim
        if before is not None and not same and claim.ends:
            surest = before if before.object != claim.object else claim
        by_slot[slot] = surest
    return list(by_slot.values())


def _slot(claim: Claim) -> tuple[object, ...]:
    if claim.relation in ("IS_AT", "LOCATED_IN", "STATUS"):
        return (claim.relation, claim.subject)
    if claim.relation == "HAS":
        return (claim.relation, claim.subject, claim.attribute)
    if claim.relation == "OWNS":
        return (claim.relation, claim.object)
    if claim.relation in SYMMETRIC or claim.relation == "BETROTHED_TO":
        return (claim.relation, frozenset((claim.subject, claim.object)))
    return (claim.relation, claim.subject, claim.object, claim.value)


def _described(
    claims: Sequence[Claim],
) -> tuple[dict[Actor, list[tuple[str, JsonValue, str]]], dict[Actor, list[tuple[str, str]]]]:
    """Properties and other names, by whose they are."""
    properties: dict[Actor, list[tuple[str, JsonValue, str]]] = {}
    aliases: dict[Actor, list[tuple[str, str]]] = {}
    for claim in claims:
        if claim.relation == "HAS":
            properties.setdefault(claim.subject, []).append((claim.attribute, _value(claim), claim.evidence))
        elif claim.relation == "ALIAS" and claim.value != claim.subject.name:
            aliases.setdefault(claim.subject, []).append((claim.value, claim.evidence))
    return properties, aliases


def _value(claim: Claim) -> JsonValue:
    """A number for an age, else what was said."""
    if claim.attribute != "age":
        return claim.value
    number = number_of(claim.value)
    return claim.value if number is None else number


def _stands(claim: Claim) -> bool:
    return claim.relation not in ("HAS", "ALIAS")


def _statement(claim: Claim) -> Statement:
    if claim.relation == "STATUS":
        return StatusStatement(status=StatusOf.model_validate({"of": claim.subject.name, "is": claim.value}))
    assert claim.object is not None
    return RelationStatement(
        subject=claim.subject.name, relation=claim.relation, object=claim.object.name, until=claim.ends
    )
