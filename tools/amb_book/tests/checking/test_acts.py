"""The dead and captives in short scenes of ordinary wording; scenes in which nothing is wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.checking.known import is_captivity, is_death
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
    ("said", "dead", "bound"),
    [
        ("drowned at sea", True, False),
        ("病逝", True, False),
        ("in custody", False, True),
        ("幽禁", False, True),
        ("presumed dead", False, False),
        ("误传已死", False, False),
        ("suspended", False, False),
    ],
)
def test_words_for_a_state_come_down_to_its_kind(said: str, dead: bool, bound: bool) -> None:
    assert (is_death(said), is_captivity(said)) == (dead, bound)
