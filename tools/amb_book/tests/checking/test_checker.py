"""The checker reports what contradicts the book, and nothing that only looks like it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from amb_book.checking import Finding
from amb_book.facts import FactGraph

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


def test_chinese_prose_with_half_width_punctuation_is_read_alike_and_quoted_as_it_stands(book: Books) -> None:
    found = book("zh").check("孟长河推开门,说道:“灯油不多了。”")
    assert [(each.kind, each.sentence) for each in found] == [("dead_acts", "孟长河推开门,说道:“灯油不多了。”")]
