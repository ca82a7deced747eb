"""Statements read off a text by a model: believed only as far as the text itself says them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from amb_book.facts import FactGraph
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.statements import parsed

from amb_core.chat.scripted_model import ScriptedChatModel
from amb_core.chat.usage_meter import UsageMeter
from amb_core.errors import ModelUnavailable


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


OWNS = {"kind": "relation", "name": "Lin Yue", "relation": "owns", "other": "the Jade Seal"}


def test_what_stands_in_the_text_is_kept(book: FactGraph) -> None:
    crowned = {"kind": "status", "name": "Lin Yue", "value": "crowned", "evidence": "She had been crowned."}
    found = read(book, {**OWNS, "evidence": "The old man put the seal into her hand."}, crowned)
    assert {"subject": "Lin Yue", "relation": "OWNS", "object": "the Jade Seal"} in found
    assert {"status": {"of": "Lin Yue", "is": "crowned"}} in found


@pytest.mark.parametrize(
    "told",
    [
        {**OWNS, "evidence": "Garrod gave her the Jade Seal."},
        {**OWNS, "evidence": ""},
        {**OWNS, "name": "Queen Nobody", "evidence": "Lin Yue wept."},
        {**OWNS, "relation": "", "evidence": "Lin Yue wept."},
        {"kind": "hook", "name": "a hook nobody laid", "value": "Resolved", "evidence": "Lin Yue wept."},
        {"kind": "entity", "name": "Garrod", "attribute": "age", "value": "70", "evidence": "Lin Yue wept."},
        {**OWNS, "evidence": "Lin Yue wept."},
        {**OWNS, "name": "Garrod", "evidence": "Lin Yue wept."},
        {"kind": "status", "name": "Garrod", "value": "dead", "evidence": "Lin Yue wept."},
        {"kind": "status", "name": "林月", "value": "dead", "evidence": "Lin Yue wept."},
    ],
)
def test_what_does_not_stand_in_the_text_is_dropped(told: dict[str, Any], book: FactGraph) -> None:
    assert read(book, told) == []


def test_plans_are_parts_of_the_plan_and_never_facts(book: FactGraph) -> None:
    found = read(book, {"kind": "plan", "name": "林月登基", "evidence": "以后林月登基。"}, text="以后林月登基。")
    assert [each for each in found if "plan" in each] == [{"plan": "林月登基", "kind": "step", "title": "林月登基"}]


A_HUNDRED = json.dumps(
    {"statements": [{"kind": "status", "name": "Garrod", "value": "dead", "evidence": "died"}] * 100}
)


@pytest.mark.parametrize(
    "answer",
    ["", "I cannot do that.", ModelUnavailable("it is down"), '{"statements": 3}', '{"weather": "fine"}', A_HUNDRED],
)
def test_where_the_model_fails_nothing_is_told_and_why(answer: Any, book: FactGraph) -> None:
    told = PromptedExtractor(ScriptedChatModel([answer] * 8)).told("Garrod died.", known=book, chapter=2)
    assert told.found == []
    assert told.problem


def test_what_is_asked_is_counted(book: FactGraph) -> None:
    meter = UsageMeter()
    dead = {"kind": "status", "name": "林月", "value": "dead", "evidence": "林月死了。", "confidence": 0.99}
    chat = ScriptedChatModel([json.dumps({"statements": [dead]}, ensure_ascii=False)])
    [found] = PromptedExtractor(chat, meter=meter).told("林月死了。", known=book, chapter=2).found
    assert found.confidence == 0.99
    assert meter.by_purpose["extraction"].calls == 1
    assert "林月" in str(chat.requests[0].messages[1]["content"])


@pytest.mark.slow
def test_a_long_text_is_asked_in_pieces(book: FactGraph) -> None:
    chat = ScriptedChatModel(lambda request: '{"statements": []}')
    PromptedExtractor(chat).told("Lin Yue walked on through the rain. " * 1_500, known=book, chapter=2)
    assert 2 < len(chat.requests) <= 12
