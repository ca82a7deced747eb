"""How two people stand to each other by what is settled, and by what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amb_book.checking.known import Known
from amb_book.checking.roles import OPPOSITE
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["direct", "follows", "parents", "siblings", "spouses"]

_FORWARD = {
    "MARRIED_TO": "spouse",
    "BETROTHED_TO": "spouse",
    "PARENT_OF": "parent",
    "CHILD_OF": "child",
    "SIBLING_OF": "sibling",
    "GRANDPARENT_OF": "grandparent",
    "UNCLE_OF": "uncle",
    "AUNT_OF": "uncle",
    "COUSIN_OF": "cousin",
    "STUDENT_OF": "pupil",
    "TEACHER_OF": "teacher",
    "ALLY_OF": "ally",
    "ENEMY_OF": "enemy",
}
"""What the subject of a relation is to its object."""
_ATTRIBUTES = {
    "grandson_of": "grandchild",
    "granddaughter_of": "grandchild",
    "grandchild_of": "grandchild",
    "son_of": "child",
    "daughter_of": "child",
    "widow_of": "spouse",
    "widower_of": "spouse",
}


def direct(known: Known, one: Entity, other: Entity) -> list[tuple[str, Fact]]:
    """What `one` is settled to be of `other`, with the fact."""
    found: list[tuple[str, Fact]] = []
    for relation, role in _FORWARD.items():
        for fact in known.related(one, relation):
            if (fact.subject, fact.object) == (one.name, other.name):
                found.append((role, fact))
            elif (fact.subject, fact.object) == (other.name, one.name):
                found.append((OPPOSITE[role], fact))
    for holder, meant, turned in ((one, other, False), (other, one, True)):
        for fact in known.properties(holder):
            side = _ATTRIBUTES.get(fact.attribute)
            if side is not None and fact.object == meant.name:
                found.append((OPPOSITE[side] if turned else side, fact))
    return found


def _named(known: Known, names: Iterable[str]) -> Iterator[Entity]:
    for name in names:
        yield from (each for each in known.by_name.get(name, ()) if each.kind == "character")


def _sides(known: Known, person: Entity, *wanted: str) -> dict[str, Fact]:
    """Those who are something to a person, by name, with the fact that says so."""
    found: dict[str, Fact] = {}
    for relation, role in _FORWARD.items():
        for fact in known.related(person, relation):
            as_object = fact.object == person.name
            name = fact.subject if as_object else fact.object
            if (role if as_object else OPPOSITE[role]) in wanted and name != person.name:
                found.setdefault(name, fact)
    return found


def parents(known: Known, person: Entity) -> dict[str, Fact]:
    """The settled parents of somebody."""
    return _sides(known, person, "parent")


def siblings(known: Known, person: Entity) -> dict[str, Fact]:
    """The settled brothers and sisters of somebody."""
    return _sides(known, person, "sibling")


def spouses(known: Known, person: Entity) -> dict[str, Fact]:
    """Whom somebody is married to."""
    return _sides(known, person, "spouse")


def follows(known: Known, one: Entity, other: Entity) -> dict[str, list[Fact]]:
    """What else `one` must or may be of `other`, by two settled steps, with both facts."""
    found: dict[str, list[Fact]] = {}
    steps = {
        ("parent", "parent"): "grandparent",
        ("sibling", "parent"): "uncle",
        ("parent", "sibling"): "parent",
        ("child", "parent"): "sibling",
        ("sibling", "sibling"): "sibling",
        ("spouse", "parent"): "parent",
        ("child", "sibling"): "nephew",
        ("child", "child"): "grandchild",
        ("sibling", "child"): "child",
        ("child", "spouse"): "child",
        ("parent", "spouse"): "inlaw",
        ("sibling", "spouse"): "inlaw",
        ("spouse", "sibling"): "inlaw",
        ("spouse", "child"): "inlaw",
    }
    for (near, far), role in steps.items():
        for name, fact in _sides(known, other, far).items():
            for middle in _named(known, [name]):
                second = next((settled for side, settled in direct(known, one, middle) if side == near), None)
                if second is not None and middle.id != one.id:
                    found.setdefault(role, [second, fact])
    return found
