"""The checker reports what contradicts the book, and nothing that only looks like it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.episodes import EpisodeArchive
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.lore import LoreBase

from amb_core.clock import SystemClock
from amb_core.stores import InMemoryStore

EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))
LANGUAGES = ("en", "zh")


class Book(Protocol):
    facts: FactGraph

    def check(self, draft: str) -> list[Finding]: ...


Books = Callable[[str], Book]


@pytest.mark.parametrize(
    ("language", "kind", "draft"), [(each, *error) for each in LANGUAGES for error in EXAMPLES["errors"][each]]
)
def test_an_error_is_found_with_its_kind(language: str, kind: str, draft: str, book: Books) -> None:
    found = book(language).check(draft)
    assert kind in {each.kind for each in found}
    assert all(each.sentence == draft[each.start : each.end] and each.evidence for each in found)


@pytest.mark.parametrize(
    ("language", "draft"), [(each, draft) for each in LANGUAGES for draft in EXAMPLES["right"][each]]
)
def test_what_only_looks_like_an_error_is_not_reported(language: str, draft: str, book: Books) -> None:
    assert book(language).check(draft) == []


def test_the_evidence_names_the_chapter_and_the_sentence_it_was_settled_by(book: Books) -> None:
    found = book("en").check('"The oil is low," said Old Pellam.')
    assert found[0].evidence[0].chapter == 2
    assert found[0].evidence[0].source == "Old Pellam died before the lamps were lit."
    assert "chapter 2" in found[0].message


def test_a_chinese_draft_is_answered_in_chinese(book: Books) -> None:
    assert "第2章" in book("zh").check("“灯油不多了。”孟长河说。")[0].message


def test_chinese_prose_with_half_width_punctuation_is_read_alike_and_quoted_as_it_stands(book: Books) -> None:
    found = book("zh").check("孟长河推开门,说道:“灯油不多了。”")
    assert [(each.kind, each.sentence) for each in found] == [("dead_acts", "孟长河推开门,说道:“灯油不多了。”")]


def test_before_the_chapter_in_which_somebody_dies_they_may_speak(book: Books) -> None:
    facts = book("en").facts
    assert ConsistencyChecker().check('"The oil is low," said Old Pellam.', facts=facts, at=1) == []


def test_a_ghost_that_the_lore_allows_is_no_error(book: Books) -> None:
    lore = LoreBase(InMemoryStore(), clock=SystemClock())
    lore.put("Lampnight", "On one night of the year the dead of Harrow may answer at the well, if their lamp is lit.")
    draft = 'On Lampnight the lamp was lit at the well. "The oil is low," said Old Pellam.'
    assert ConsistencyChecker().check(draft, facts=book("en").facts, lore=lore) == []
    assert [each.kind for each in book("en").check(draft)] == ["dead_acts"]


def test_the_source_of_a_fact_is_looked_for_in_the_text_of_its_chapter(book: Books) -> None:
    episodes = EpisodeArchive(InMemoryStore(), clock=SystemClock())
    episodes.put_chapter(2, "It rained. Pellam the keeper is dead. Nobody spoke.")
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    facts.settle(chapter=1, statements=[{"entity": "Pellam", "kind": "character"}])
    facts.settle(chapter=2, statements=[{"status": {"of": "Pellam", "is": "dead"}}])
    [found] = ConsistencyChecker().check('"The oil is low," said Pellam.', facts=facts, episodes=episodes)
    assert found.evidence[0].source == "Pellam the keeper is dead."


def test_nothing_is_found_in_an_empty_draft(book: Books) -> None:
    assert book("en").check(" \n") == []


def test_checking_twice_finds_the_same(book: Books) -> None:
    draft = "".join(draft for _, draft in EXAMPLES["errors"]["en"])
    assert book("en").check(draft) == book("en").check(draft)
