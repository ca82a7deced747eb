"""Options that were looked up, judged and written anew; with a model whose answers are given."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from amb_book.creativity import CreativityEngine, StoryTools
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_chat.usage_meter import Budget
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.errors import InvalidParameter, ModelRefused, ModelUnavailable

ASKED = [{"role": "system", "content": "You help."}, {"role": "user", "content": "How does the siege begin?"}]


@dataclass(frozen=True)
class Problem:
    message: str


class NoDragons:
    """Knows one contradiction."""

    def check(
        self, draft: str, *, facts: Any, plan: Any, episodes: Any, lore: Any, at: int | None
    ) -> Sequence[Problem]:
        return [Problem("there are no dragons")] if "dragon" in draft else []


def reviews(request: ChatRequest, scores: Mapping[str, float]) -> str:
    """A review by the words an option has."""
    told = json.loads(str(request.messages[-1]["content"]))["options"]
    rows = []
    for each in told:
        score = max((value for word, value in scores.items() if word in each["text"]), default=5)
        rows.append({"option": each["option"], **dict.fromkeys(("style", "tension", "plan", "consistency"), score)})
    return json.dumps({"reviews": [{**row, "reason": f"worth {row['style']}"} for row in rows]})


def scripted(texts: Sequence[str], **scores: float) -> ScriptedChatModel:
    """Writes the texts one after the other, reviews by words."""
    left = iter(texts)
    return ScriptedChatModel(
        lambda request: reviews(request, scores) if request.purpose == "creative_review" else next(left)
    )


@pytest.fixture
def story() -> Story:
    book = Story(None)
    book.plan.add("general_outline", title="War")
    book.plan.add("long_outline", title="The siege")
    book.plan.add("short_outline", title="Walls", id="walls")
    book.plan.add("step", title="Garrod opens the gate")
    book.settle(
        chapter=1,
        statements=[
            {"entity": "Garrod", "kind": "character"},
            {"status": {"of": "Garrod", "is": "wounded"}},
            {"lore": "the Gate", "text": "It opens only from within."},
            {"hook": "the broken jade", "status": "Unresolved"},
        ],
    )
    book.put_chapter(1, "Garrod lay under the wall of Sarn.", entities=["Garrod"])
    return book


def test_it_answers_at_the_desk(story: Story) -> None:
    desk = story.desk(workshop=CreativityEngine(scripted(["洪水", "大火"], 大火=9), story, options=2))
    reply = desk.send("/new 大纲：围城\n围城怎样开始？")
    assert reply.options == ("大火", "洪水")
    assert reply.text.startswith("方案1：\n大火\n[文风 9")


def test_a_model_without_tools_asks_in_words(story: Story) -> None:
    def answer(request: ChatRequest) -> str | Exception:
        if request.tools:
            return ModelRefused("no tools here", malformed=True)
        if request.purpose == "creative_review":
            return reviews(request, {})
        asked = any("opens only from within" in str(each["content"]) for each in request.messages)
        return "It opens from within." if asked else 'LOOK: lore {"query": "the Gate"}'

    (option,) = CreativityEngine(ScriptedChatModel(answer), story, options=1).options(ASKED).options
    assert option.text == "It opens from within."
    assert option.looked_up[0].tool == "lore"


def test_looking_up_has_an_end(story: Story) -> None:
    def answer(request: ChatRequest) -> ChatReply | str:
        if request.purpose == "creative_review":
            return reviews(request, {})
        calls = tuple(ToolCall(f"c{number}", "plan", "{}") for number in range(4))
        return ChatReply("at last", calls if request.tools else (), "tool_calls")

    chat = ScriptedChatModel(answer)
    (option,) = CreativityEngine(chat, story, options=1, lookups=6).options(ASKED).options
    assert option.text == "at last"
    assert len(option.looked_up) == 6


def test_spending_is_counted_by_purpose_and_ends_with_the_budget(story: Story) -> None:
    engine = CreativityEngine(scripted(["one", "two", "three"]), story, budget=Budget(calls=2))
    found = engine.options(ASKED).options
    assert [each.text for each in found] == ["one", "two"]
    assert found[0].review.style is None
    assert {name: each.calls for name, each in engine.meter.by_purpose.items()} == {"creative": 2}


def test_without_any_text_the_error_of_the_model_comes_through(story: Story) -> None:
    chat = ScriptedChatModel(lambda request: ModelUnavailable("it is down"))
    with pytest.raises(ModelUnavailable):
        CreativityEngine(chat, story).options(ASKED)
    with pytest.raises(InvalidParameter):
        CreativityEngine(chat, story).options([{"role": "system", "content": "x"}])
    with pytest.raises(InvalidParameter):
        CreativityEngine(chat, story, options=0)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("facts_about", '{"name": "Garrod"}', "wounded"),
        ("timeline", '{"name": "Garrod"}', "since 1"),
        ("lore", '{"query": "the Gate"}', "from within"),
        ("passages", '{"query": "wall", "entities": ["Garrod"]}', "[chapter 1]"),
        ("plan", "{}", "[planned] Garrod opens the gate"),
        ("hooks", "", "the broken jade"),
        ("facts_about", '{"name": "Nobody"}', "nothing is known"),
        ("facts_about", "{}", "needs name"),
        ("facts_about", "not json", "no JSON"),
        ("facts_about", "[1]", "no JSON"),
        ("delete_all", "{}", "no tool"),
    ],
)
def test_tools_answer_whatever_is_asked(name: str, arguments: str, told: str, story: Story) -> None:
    assert told in StoryTools(story).call(name, arguments)


def test_an_option_is_reworked_with_what_speaks_against_it(story: Story) -> None:
    chat = scripted(["a small dragon"])
    engine = CreativityEngine(chat, story, checker=NoDragons())
    found = engine.rework(ASKED, "a dragon", feedback="make it smaller")
    assert (found.text, found.note) == ("a small dragon", "! there are no dragons")
    assert chat.requests[0].messages[-2] == {"role": "assistant", "content": "a dragon"}
    assert "make it smaller" in str(chat.requests[0].messages[-1]["content"])
