"""How statements that are to be settled stand to what is settled already; only looked up, nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from amb_book.desk.proposals import Clash, Row
from amb_book.entities import Entity
from amb_book.fact_answers import Fact
from amb_book.fact_writer import as_written
from amb_book.statements import (
    EntityStatement,
    HookStatement,
    LoreStatement,
    PlanStatement,
    RelationStatement,
    Statement,
    StatusStatement,
    parsed,
)
from amb_book.timeline import ONE_PER_OBJECT, ONE_PER_SUBJECT
from amb_core.errors import AmbError, InvalidInput

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["examined"]


def examined(story: Story, rows: Sequence[Row], *, chapter: int, settlement: str) -> tuple[Row, ...]:
    """The rows with whom they bring in and how they stand to what is settled in and before `chapter`.

    What the settlement of the id `settlement` wrote itself is no clash.
    """
    seen: set[str] = set()
    return tuple(_examined(story, row, chapter, settlement, seen) for row in rows)


def _examined(story: Story, row: Row, chapter: int, settlement: str, seen: set[str]) -> Row:
    evidence, confidence = row.evidence, row.confidence
    try:
        statement = parsed([row.statement])[0]
        new = tuple(name for name in _names(statement) if name not in seen and not story.facts.resolve(name))
        clashes = tuple(each for each in _clashes(story, statement, chapter) if each.settlement != settlement)
    except AmbError as error:
        text = str(error).removeprefix("statement 1 ").removeprefix("cannot be settled: ")
        return Row(row.statement, evidence, confidence, (), (Clash("invalid", text),))
    seen.update(new)
    return Row(row.statement, evidence, confidence, new, clashes)


def _names(statement: Statement) -> tuple[str, ...]:
    match statement:
        case EntityStatement():
            return (statement.entity,)
        case RelationStatement():
            return (statement.subject, statement.object)
        case StatusStatement():
            return (statement.status.of,)
        case HookStatement():
            return (statement.hook,)
    return ()


def _clashes(story: Story, statement: Statement, chapter: int) -> Iterator[Clash]:
    match statement:
        case EntityStatement():
            yield from _of_attributes(story, statement.entity, statement.properties, chapter)
        case RelationStatement():
            yield from _of_relation(story, statement, chapter)
        case StatusStatement(until=True):
            return
        case StatusStatement():
            own = _own(story, statement.status.of, "HAS_STATUS", chapter)
            yield from _told(own, statement.status.is_, chapter, by_object=True)
        case HookStatement():
            own = _own(story, statement.hook, "HAS_STATUS", chapter)
            yield from _told(own, statement.status, chapter, by_object=True)
        case LoreStatement():
            yield from _of_lore(story, statement)
        case PlanStatement():
            yield from _of_plan(story, statement)


def _of_attributes(story: Story, name: str, properties: Mapping[str, JsonValue], chapter: int) -> Iterator[Clash]:
    for attribute, value in properties.items():
        facts = [fact for fact in _own(story, name, "HAS", chapter) if fact.attribute == attribute]
        yield from _told(facts, as_written(value), chapter, by_object=True)


def _of_relation(story: Story, statement: RelationStatement, chapter: int) -> Iterator[Clash]:
    subject, target = (_known(story, name) for name in (statement.subject, statement.object))
    if statement.until:
        return
    if statement.relation in ONE_PER_OBJECT:
        there = target is not None and target.since <= chapter
        facts = story.facts.facts(relation=statement.relation, object=target.id, at=chapter) if target and there else []
        yield from _told(facts, subject.name if subject else statement.subject, chapter, by_object=False)
        return
    facts = _own(story, statement.subject, statement.relation, chapter)
    wanted = target.name if target else statement.object
    if statement.relation not in ONE_PER_SUBJECT:
        facts = [fact for fact in facts if fact.object == wanted]
    yield from _told(facts, wanted, chapter, by_object=True)


def _of_lore(story: Story, statement: LoreStatement) -> Iterator[Clash]:
    if statement.lore in story.lore:
        before = story.lore.get(statement.lore).text
        same = before == statement.text.strip()
        yield Clash("known" if same else "replaces", f"{statement.lore}: {before}", "book:lore")


def _of_plan(story: Story, statement: PlanStatement) -> Iterator[Clash]:
    known = {part.id: part for part in story.plan.parts()}
    part = known.get(statement.plan)
    if part is None and statement.kind is None:
        raise InvalidInput(f"the plan has no part {statement.plan!r:.80}; say which kind the new one is.")
    if part is not None and statement.status not in (None, part.status):
        yield Clash("replaces", f"{part.title}: {part.status}", "book:plan")


def _told(facts: Sequence[Fact], wanted: str, chapter: int, *, by_object: bool) -> Iterator[Clash]:
    """What one value would do to those that stand in its place."""
    for fact in facts:
        now = fact.object if by_object else fact.subject
        if now == wanted:
            yield Clash("known", fact.text, fact.settlement)
        elif fact.since == chapter:
            yield Clash("contradicts", fact.text, fact.settlement)
        else:
            yield Clash("replaces", fact.text, fact.settlement)


def _own(story: Story, name: str, relation: str, chapter: int) -> list[Fact]:
    """The facts of one relation that hold of an entity in a chapter; none of one that comes in later."""
    entity = _known(story, name)
    if entity is None or entity.since > chapter:
        return []
    facts = story.facts.facts(relation=relation, subject=entity.id, at=chapter)
    return [fact for fact in facts if fact.until is None or fact.until > chapter]


def _known(story: Story, name: str) -> Entity | None:
    """The one entity of a name as of any chapter; InvalidInput when it may be several."""
    found = story.facts.resolve(name)
    if len(found) > 1:
        ids = ", ".join(entity.id for entity in found)
        raise InvalidInput(f"{name!r:.80} may be any of {ids}; write one of these ids instead of the name.")
    return found[0] if found else None
