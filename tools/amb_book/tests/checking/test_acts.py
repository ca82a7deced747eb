"""The dead in short scenes of ordinary wording; scenes in which nothing is wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.checking.known import is_death
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph

from amb_core.stores import InMemoryStore

ACTS = json.loads((Path(__file__).parent / "acts.json").read_text(encoding="utf-8"))
LANGUAGES = ("en", "zh")


@cache
def book(language: str) -> FactGraph:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    for chapter, statements in ACTS["book"][language]:
        facts.settle(chapter=chapter, statements=statements)
    return facts


def found(language: str, draft: str) -> list[Finding]:
    return ConsistencyChecker().check(draft, facts=book(language))


@pytest.mark.parametrize(
    ("language", "kind", "draft"), [(each, *error) for each in LANGUAGES for error in ACTS["errors"][each]]
)
def test_what_somebody_cannot_do_is_found(language: str, kind: str, draft: str) -> None:
    assert kind in {each.kind for each in found(language, draft)}


@pytest.mark.parametrize(("language", "draft"), [(each, draft) for each in LANGUAGES for draft in ACTS["right"][each]])
def test_memories_pictures_dreams_and_ways_told_are_left_alone(language: str, draft: str) -> None:
    assert found(language, draft) == []


@pytest.mark.parametrize(
    ("said", "dead"),
    [
        ("drowned at sea", True),
        ("病逝", True),
        ("in custody", False),
        ("presumed dead", False),
        ("误传已死", False),
        ("suspended", False),
    ],
)
def test_words_for_death_are_told_from_others(said: str, dead: bool) -> None:
    assert is_death(said) == dead
