"""The dead who act in short scenes of ordinary wording, and scenes in which nobody does what they cannot."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.checking.states import state_kind
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
def test_the_dead_who_act_are_found(language: str, kind: str, draft: str) -> None:
    assert kind in {each.kind for each in found(language, draft)}


@pytest.mark.parametrize(("language", "draft"), [(each, draft) for each in LANGUAGES for draft in ACTS["right"][each]])
def test_memories_pictures_dreams_and_ways_told_are_left_alone(language: str, draft: str) -> None:
    assert found(language, draft) == []


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("drowned at sea", "dead"),
        ("病逝", "dead"),
        ("in a coma", "senseless"),
        ("in custody", None),
        ("重伤", None),
        ("presumed dead", None),
        ("误传已死", None),
        ("suspended", None),
    ],
)
def test_words_for_a_state_come_down_to_its_kind(said: str, kind: str | None) -> None:
    assert state_kind(said) == kind


def test_a_description_that_fits_two_people_names_nobody() -> None:
    statements = [
        {"entity": "Ann Dale", "kind": "character"},
        {"subject": "Ann Dale", "relation": "SIBLING_OF", "object": "Tom Dale"},
        {"subject": "Ann Dale", "relation": "SIBLING_OF", "object": "Will Dale"},
        {"status": {"of": "Tom Dale", "is": "dead"}},
    ]
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    facts.settle(chapter=1, statements=statements)
    assert ConsistencyChecker().check("Ann's brother laughed and lit the lamp.", facts=facts) == []
    assert ConsistencyChecker().check("Tom laughed and lit the lamp.", facts=facts)


def test_of_two_with_one_surname_the_title_tells_which() -> None:
    statements = [
        {"entity": "周国梁", "kind": "character", "properties": {"职务": "支队长"}},
        {"entity": "周敏", "kind": "character", "properties": {"职务": "法医"}},
        {"status": {"of": "周国梁", "is": "牺牲"}},
    ]
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    facts.settle(chapter=1, statements=statements)
    assert [each.entities for each in ConsistencyChecker().check("周支推门进来，拉开椅子坐下。", facts=facts)] == [
        ("周国梁",)
    ]
    assert ConsistencyChecker().check("周法医推门进来，拉开椅子坐下。", facts=facts) == []
