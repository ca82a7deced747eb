"""How much of what the authors of the test stories settled is read off their chapters, and how much is noise."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from amb_book.extraction import LocalExtractor
from amb_book.facts import FactGraph
from amb_book.statements import EntityStatement, RelationStatement, Statement, StatusStatement, parsed


def key(statement: Statement, facts: FactGraph) -> tuple[str, ...] | None:
    """What is compared: new entities, relations that begin, and states."""

    def named(name: str) -> str:
        found = facts.resolve(name)
        return found[0].name if len(found) == 1 else name.removeprefix("the ")

    match statement:
        case EntityStatement():
            return ("entity", statement.kind, named(statement.entity))
        case RelationStatement() if not statement.until:
            return (statement.relation, *sorted((named(statement.subject), named(statement.object))))
        case StatusStatement():
            return ("status", named(statement.status.of), statement.status.is_)
        case _:
            return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("story", "precision", "recall"), [("en/ninth_rope", 0.7, 0.12), ("zh/homeward_lamp", 0.65, 0.12)]
)
def test_what_is_read_off_the_test_stories_is_mostly_right(
    story: str, precision: float, recall: float, facts: FactGraph
) -> None:
    place = files("amb_bench.narrative") / "stories" / story / "story.json"
    right = read = there = 0
    for chapter in json.loads(place.read_text(encoding="utf-8"))["chapters"]:
        known = {entity.name for entity in facts.entities()}
        found = LocalExtractor().extract(chapter["text"], known=facts, chapter=chapter["id"])
        facts.settle(chapter=chapter["id"], statements=chapter["settled"])
        settled = _told(parsed(chapter["settled"]), facts, known)
        told = _told([each.statement for each in found], facts, known)
        right, read, there = right + len(settled & told), read + len(told), there + len(settled)
    assert right / read > precision
    assert right / there > recall


def _told(statements: Any, facts: FactGraph, known: set[str]) -> set[tuple[str, ...]]:
    keys = {key(each, facts) for each in statements}
    return {each for each in keys if each is not None and not (each[0] == "entity" and each[2] in known)}
