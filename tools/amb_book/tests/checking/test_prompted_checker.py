"""The model may confirm, reject, or add what it quotes; the rules' findings stand when it gives no usable answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

import pytest
from amb_book.checking import Finding, PromptedChecker
from amb_book.episodes import EpisodeArchive
from amb_book.facts import FactGraph
from amb_book.lore import LoreBase
from amb_book.plan import PlanGraph

from amb_chat import ScriptedChatModel
from amb_core.clock import SystemClock
from amb_core.errors import ModelUnavailable
from amb_core.stores import InMemoryStore

DRAFT = '"The oil is low," said Old Pellam.\n\nHer late friend trimmed the lamps, humming.'
ADDED = {
    "kind": "dead_acts",
    "quote": "Her late friend trimmed the lamps, humming.",
    "id": "f1",
    "fact_quote": "Old Pellam HAS_STATUS dead",
    "reason": "Old Pellam died in chapter 2.",
}


class Book(Protocol):
    facts: FactGraph
    plan: PlanGraph


Books = Callable[[str], Book]


def checked(book: Book, *answers: dict[str, Any] | Exception, draft: str = DRAFT) -> list[Finding]:
    told = [each if isinstance(each, Exception) else json.dumps(each, ensure_ascii=False) for each in answers]
    return PromptedChecker(ScriptedChatModel(told)).check(draft, facts=book.facts, plan=book.plan)


def fact_of(book: Book, text: str) -> str:
    """The id under which the model is shown a fact."""
    asked = ScriptedChatModel(['{"verdicts": [], "added": []}'])
    PromptedChecker(asked).check(DRAFT, facts=book.facts, plan=book.plan)
    shown = json.loads(str(asked.requests[0].messages[-1]["content"]))
    return str(next(each["id"] for each in (*shown["facts"], *shown["plan"]) if text in each["text"]))


@pytest.mark.parametrize("quote", ["", "It was a dream."])
def test_a_finding_is_not_rejected_without_a_true_quote(quote: str, book: Books) -> None:
    verdict = {"n": 1, "holds": False, "quote": quote, "reason": "a letter"}
    assert len(checked(book("en"), {"verdicts": [verdict]})) == 1


def test_what_the_model_adds_is_believed_when_draft_and_fact_are_quoted(book: Books) -> None:
    added = {**ADDED, "id": fact_of(book("en"), "Old Pellam HAS_STATUS dead")}
    found = checked(book("en"), {"verdicts": [], "added": [added]})
    assert [each.sentence for each in found][1] == ADDED["quote"]
    assert found[1].evidence[0].chapter == 2


def test_the_model_sees_lore_and_text_and_may_quote_them_against_a_draft(book: Books) -> None:
    lore, archive = LoreBase(InMemoryStore(), clock=SystemClock()), EpisodeArchive(InMemoryStore(), clock=SystemClock())
    lore.put("oil", "No oil burns in Harrow; the lamps are lit with resin.")
    archive.put_chapter(1, "Pellam kept the lamps of Harrow trimmed.")
    added = {**ADDED, "kind": "status", "quote": "The oil is low", "id": "l1", "fact_quote": "No oil burns in Harrow"}
    rejected = {"n": 1, "holds": False, "quote": "The oil is low"}
    chat = ScriptedChatModel([json.dumps({"verdicts": [rejected], "added": [added]})])
    [found] = PromptedChecker(chat).check(DRAFT, facts=book("en").facts, episodes=archive, lore=lore)
    assert "resin" in found.evidence[0].fact
    shown = json.loads(str(chat.requests[0].messages[-1]["content"]))
    assert [each["text"] for each in shown["passages"]] == ["Pellam kept the lamps of Harrow trimmed."]


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "Her late friend danced."},
        {"fact_quote": "Old Pellam HAS_STATUS alive"},
        {"id": "f99"},
        {"quote": ""},
        {"fact_quote": " "},
    ],
)
def test_what_is_not_quoted_word_for_word_is_thrown_away(change: dict[str, str], book: Books) -> None:
    added = {**ADDED, "id": fact_of(book("en"), "Old Pellam HAS_STATUS dead"), **change}
    assert len(checked(book("en"), {"verdicts": [], "added": [added]})) == 1


def test_a_step_of_the_plan_can_be_quoted_too(book: Books) -> None:
    step = fact_of(book("en"), "The siege lifted")
    draft = DRAFT + " The siege of the town was a thing of the past."
    added = {
        "kind": "plan_as_past",
        "quote": "The siege of the town was a thing of the past.",
        "id": step,
        "fact_quote": "Edda lifts the siege of Saltgate",
    }
    assert "plan_as_past" in {each.kind for each in checked(book("en"), {"added": [added]}, draft=draft)}


def test_the_rules_findings_stand_when_the_model_does_not_answer(book: Books) -> None:
    assert [each.kind for each in checked(book("en"), ModelUnavailable("busy"))] == ["dead_acts"]


def test_an_empty_draft_asks_nothing(book: Books) -> None:
    assert checked(book("en"), draft="  ") == []
