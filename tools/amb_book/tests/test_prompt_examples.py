"""The worked examples of the book's prompts: in the form that is asked for, and believed as they stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from amb_book.checking.prompted_checker import CheckingShape
from amb_book.facts import FactGraph
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.prompts import book_prompt

from amb_core.chat.scripted_model import ScriptedChatModel
from amb_core.text import find_quote

KNOWN = {"en": ("Oda Kell", "the Salt Key", "Marrow Keep", "Sim"), "zh": ("柯月", "盐钥", "寒骨堡", "柯深")}


def examples(role: str, language: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    text = book_prompt(role, language)  # type: ignore[arg-type]
    lines = text[text.index("Examples." if language == "en" else "示例。") :].splitlines()[1:]
    return [(json.loads(asked), json.loads(answer)) for asked, answer in zip(lines[::2], lines[1::2], strict=True)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_statement_of_an_example_is_believed(language: str, facts: FactGraph) -> None:
    kinds = ("character", "item", "location", "character")
    known = [{"entity": name, "kind": kind} for name, kind in zip(KNOWN[language], kinds, strict=True)]
    facts.settle(chapter=1, statements=known)
    for asked, answer in examples("reading_book", language):
        chat = ScriptedChatModel([json.dumps(answer, ensure_ascii=False)])
        told = PromptedExtractor(chat).told(
            asked["text"], known=facts, chapter=int(asked["goal"].strip("chapter 第章"))
        )
        believed = [each for each in answer["statements"] if each.get("modality", "said") in ("said", "planned")]
        assert len(told.found) == len(believed)
        assert told.dropped == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_example_of_checking_quotes_word_for_word(language: str) -> None:
    for asked, answer in examples("checking", language):
        CheckingShape.model_validate(answer)
        sources = [asked["draft"], *(fact["text"] for fact in asked["facts"])]
        quotes = [each["quote"] for each in (*answer["verdicts"], *answer["added"])]
        quotes += [each["fact_quote"] for each in answer["added"]]
        assert all(any(find_quote(quote, source) for source in sources) for quote in quotes)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("role", "field"), [("creative_review", "reviews"), ("task_summary", "summary")])
def test_the_other_examples_have_the_form_that_is_asked_for(role: str, field: str, language: str) -> None:
    for _, answer in examples(role, language):
        assert list(answer) == [field]
