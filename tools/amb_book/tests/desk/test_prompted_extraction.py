"""Statements read off a text by a model: believed only as far as the text itself says them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from amb_book.facts import FactGraph
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.statements import parsed

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.text import estimate_tokens


@pytest.fixture
def book(facts: FactGraph) -> FactGraph:
    facts.settle(
        chapter=1,
        statements=[
            {"entity": "Lin Yue", "kind": "character"},
            {"entity": "Garrod", "kind": "character"},
            {"entity": "the Jade Seal", "kind": "item"},
            {"entity": "林月", "kind": "character"},
        ],
    )
    return facts


TEXT = "The old man put the seal into her hand. “Mine no more,” said Garrod.\nLin Yue wept. She had\nbeen crowned."


def read(book: FactGraph, *told: dict[str, Any], text: str = TEXT) -> list[dict[str, Any]]:
    chat = ScriptedChatModel([json.dumps({"statements": list(told)}, ensure_ascii=False)] * 2)
    told_of = PromptedExtractor(chat).told(text, known=book, chapter=2)
    assert not told_of.problem
    assert len(told_of.found) + told_of.dropped == len(told)
    assert all(each.evidence in text for each in told_of.found)
    return [parsed([each.statement])[0].model_dump(by_alias=True, exclude_defaults=True) for each in told_of.found]


DEAD = {"subject": "Garrod", "attribute": "DEAD", "value": "died", "quote": "Garrod died."}


def test_many_statements_of_one_line_are_bounded_and_counted(book: FactGraph) -> None:
    words = [f"word{number}" for number in range(50)]
    text = f"Garrod said {' '.join(words)}."
    said = [{**DEAD, "quote": text, "attribute": f"word {each}", "value": each} for each in words]
    told = PromptedExtractor(ScriptedChatModel([json.dumps({"statements": said})])).told(text, known=book, chapter=2)
    assert (len(told.found), told.dropped) == (8, 42)


def last_line(request: ChatRequest) -> str:
    """The death that the last line tells of, as a model has it that reads to the end of what it is shown."""
    shown = json.loads(str(request.messages[-1]["content"]))["text"]
    return json.dumps({"statements": [DEAD] if shown.endswith("Garrod died.") else []})


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chapter_of_200_000_characters_is_read_to_its_end_in_bounded_questions(
    language: str, book: FactGraph
) -> None:
    line = "Lin Yue walked on through the rain. " if language == "en" else "林月冒着大雨往前走。"
    text = line * (200_000 // len(line)) + "\n Garrod died."
    chat = ScriptedChatModel(last_line)
    told = PromptedExtractor(chat).told(text, known=book, chapter=2)
    shown = [json.loads(str(request.messages[1]["content"]))["text"] for request in chat.requests]
    assert "".join(shown) == text
    assert max(map(estimate_tokens, shown)) <= 3_000
    assert told.problem == ""
    assert [each.evidence for each in told.found] == ["Garrod died."]


def test_who_came_in_an_earlier_piece_is_known_in_the_next(book: FactGraph) -> None:
    text = "They saw Mara Voss. " + "It rained on and on. " * 800 + "She died."
    seen = {"subject": "Mara Voss", "attribute": "CHARACTER", "value": "Mara Voss", "quote": "They saw Mara Voss."}
    died = {**DEAD, "subject": "Mara Voss", "quote": "She died."}

    def reads(request: ChatRequest) -> str:
        shown = json.loads(str(request.messages[-1]["content"]))["text"]
        return json.dumps({"statements": [each for each in (seen, died) if each["quote"] in shown]})

    told = PromptedExtractor(ScriptedChatModel(reads)).told(text, known=book, chapter=2)
    assert [each.evidence for each in told.found] == ["They saw Mara Voss.", "She died."]
