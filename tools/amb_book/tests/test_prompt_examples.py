"""The worked examples of the book's prompts: in the form that is asked for, and believed as they stand."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from amb_book.checking.prompted_checker import CheckingShape
from amb_book.desk import Turn
from amb_book.desk.talk_reader import TalkReader
from amb_book.facts import FactGraph
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.prompts import book_prompt
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
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
        material = [*asked["facts"], *asked["plan"], *asked["lore"], *asked["passages"]]
        sources = [asked["draft"], *(each[name] for each in material for name in ("text", "source") if name in each)]
        quotes = [each["quote"] for each in (*answer["verdicts"], *answer["added"])]
        quotes += [each["fact_quote"] for each in answer["added"]]
        assert all(any(find_quote(quote, source) for source in sources) for quote in quotes)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_decision_of_an_example_of_settling_is_believed(language: str) -> None:
    shapes = {"siege": ("general_outline", "long_outline", "short_outline")}
    for asked, answer in examples("reading_talk", language):
        story = Story(None)
        story.settle(chapter=1, statements=[{"entity": name, "kind": "character"} for name in KNOWN[language]])
        for part in shapes["siege"]:
            story.plan.add(part, title=part, id="siege" if part == "short_outline" else part)  # type: ignore[arg-type]
        for part in asked["plan"]:
            story.plan.add("step", title=part["title"], id=part["id"], within=part["within"])
        turns = [
            Turn(role, text.strip(), 0.0, number=int(number), context={"options": ["a", "b"]} if options else {})  # type: ignore[arg-type]
            for number, role, options, text in re.findall(
                r"\[(\d+) (author|desk)(, options)?\]\n(.*?)(?=\n\n\[|\Z)", asked["talk"], re.DOTALL
            )
        ]
        chat = ScriptedChatModel([json.dumps(answer, ensure_ascii=False)])
        read = TalkReader(chat).extract(turns, story=story, chapter=asked["chapter"])
        told = [each for each in answer["statements"] if " " not in each["attribute"]]  # else of the relation before it
        assert (len(read), read.dropped) == (len(told), 0)
        assert bool(read.draft) == bool(answer["chapter_turns"])
        assert all(any(each["quote"] in turn.text for turn in turns) for each in answer["gone"])
