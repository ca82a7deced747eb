"""The dead who act in short scenes of ordinary wording, and scenes in which nobody does what they cannot."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.checking.states import says_dead
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
    ("said", "dead"),
    [("drowned at sea", True), ("病逝", True), ("in custody", False), ("presumed dead", False), ("误传已死", False)],
)
def test_which_words_for_a_state_say_death(said: str, dead: bool) -> None:
    assert says_dead(said) == dead
