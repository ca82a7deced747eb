"""Each prompt ends with worked examples that are answers in the very form that is asked for, and pass its checks."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest
from pydantic import BaseModel

from amb_agents.prompted import shapes
from amb_agents.prompts import prompt
from amb_chat import ScriptedChatModel
from amb_core.text import estimate_tokens, find_quote
from amb_experience.insights import read_insights
from amb_experience.run_steps import RunStep
from amb_longterm.summary import SummaryShape
from amb_values import find_unsupported

SHAPES: dict[str, type[BaseModel]] = {
    "analysis": shapes.AnalysisShape,
    "classification": shapes.ClassificationShape,
    "digest": shapes.DigestShape,
    "integration": shapes.IntegrationShape,
    "judge": shapes.JudgeShape,
    "planning": shapes.PlanningShape,
    "reading_message": shapes.ReadingShape,
    "reading_page": shapes.ReadingShape,
    "structure": shapes.StructureShape,
    "summarizing": SummaryShape,
}
QUOTED = ("quote_new", "quote_candidate", "value_new", "value_candidate", "quote_earlier", "quote_later")


def examples(role: str, language: str) -> list[tuple[str, dict[str, Any]]]:
    """What is asked and what is answered, in turn."""
    text = prompt(role, language)  # type: ignore[arg-type]
    lines = text[text.index("Examples." if language == "en" else "示例。") :].splitlines()[1:]
    return [(asked, json.loads(answer)) for asked, answer in zip(lines[::2], lines[1::2], strict=True)]


def strings(value: Any, names: tuple[str, ...]) -> list[str]:
    """The texts under some names, however deep."""
    if isinstance(value, dict):
        own = [text for name in names if isinstance(text := value.get(name), str) and text]
        return own + [text for each in value.values() for text in strings(each, names)]
    return [text for each in value for text in strings(each, names)] if isinstance(value, list) else []


def test_every_prompt_is_looked_at() -> None:
    there = {each.name.removesuffix(".md") for each in (files("amb_agents.prompts") / "en").iterdir()}
    assert there == {*SHAPES, "reading", "insights"}  # the one has examples with each kind, those of the other follow


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_example_of_insights_is_believed_of_the_run_it_is_drawn_from(language: str) -> None:
    text = prompt("insights", language)  # type: ignore[arg-type]
    head, run = ("Examples.\n", "Goal: ") if language == "en" else ("示例。\n", "目标：")
    shown = [run + each for each in text[text.index(head) + len(head) :].split(run)[1:]]
    assert len(shown) == 2
    for each in shown:
        goal, *calls, answer = each.strip().splitlines()
        parted = [re.fullmatch(r"(\d)\. (\w+) (\{.*?\}) (.*)", line) for line in calls]
        told = [one.groups() for one in parted if one is not None]
        steps = [
            RunStep(number=int(n), tool=tool, arguments=given, output=came, call="c") for n, tool, given, came in told
        ]
        found = read_insights(ScriptedChatModel([answer]), goal=goal.removeprefix(run), steps=steps)
        assert [insight.text for insight in found] == [one["text"] for one in json.loads(answer)["insights"]]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("role", ["analysis", "digest", "integration", "judge"])
def test_examples_quote_word_for_word(role: str, language: str) -> None:
    for asked, answer in examples(role, language):
        material = "\n".join(strings(json.loads(asked), ("text", "verification")))
        quotes = [*strings(answer, QUOTED), *answer.get("evidence", []), *answer.get("dropped", [])]
        assert all(find_quote(each, material) for each in quotes)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("role", ["structure", "summarizing"])
def test_example_summaries_are_short_and_invent_nothing(role: str, language: str) -> None:
    for asked, answer in examples(role, language):
        told = json.loads(asked)
        sources = [told["content"], told["topic"]] if role == "structure" else told["memories"]
        assert find_unsupported(answer["summary"], sources) is None
        assert estimate_tokens(answer["summary"]) < 0.85 * estimate_tokens("\n".join(sources))
