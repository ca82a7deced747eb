"""Several memories as one short text: nothing made up, both versions named, a model held to the sources."""

from __future__ import annotations

import pytest

from amb_chat import ScriptedChatModel
from amb_core.errors import InvalidParameter, ModelUnavailable
from amb_core.text import estimate_tokens
from amb_longterm.summary import summarize

MEMORIES = (
    "Reports always in EUR, two decimals. The board meets on Mondays.",
    "An active customer has an order in the last 90 days.",
    "The office plants are watered on Fridays.",
)
GOAL = "How is an active customer defined?"


def test_every_sentence_of_a_local_summary_is_a_memory() -> None:
    text = summarize(MEMORIES, goal=GOAL)
    joined = " ".join(MEMORIES)
    assert text
    assert all(line in joined for line in text.splitlines())


@pytest.mark.parametrize("goal", [GOAL, "活跃客户怎么定义？"])
@pytest.mark.parametrize("budget", [1, 15, 40, 400])
def test_the_budget_holds(goal: str, budget: int) -> None:
    assert (
        estimate_tokens(
            summarize([*MEMORIES, "活跃客户是近 90 天内下过单的客户。" * 30], goal=goal, budget_tokens=budget)
        )
        <= budget
    )


def test_what_bears_on_the_goal_comes_before_the_rest() -> None:
    assert summarize(MEMORIES, goal=GOAL, budget_tokens=16) == MEMORIES[1]
    chinese = ["报告用欧元。", "活跃客户是近90天内下过单的客户。", "绿植周五浇水。"]
    assert summarize(chinese, goal="活跃客户怎么定义？", budget_tokens=20) == chinese[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "An active customer has an order in the last 90 days.",
            "An active customer has an order in the last 60 days.",
        ),
        ("活跃客户是近90天下过单的客户。", "活跃客户是近60天下过单的客户。"),
    ],
)
def test_conflicting_versions_are_both_named_side_by_side(old: str, new: str) -> None:
    text = summarize([old, "Plants.", new], goal="customer 活跃客户")
    assert any(old in line and new in line for line in text.splitlines())


def test_the_same_is_said_once() -> None:
    assert summarize([MEMORIES[1]] * 5, goal=GOAL) == MEMORIES[1]


def test_nothing_gives_nothing_and_a_budget_is_at_least_1() -> None:
    assert summarize(["", "  "], goal=GOAL) == summarize([], goal=GOAL) == ""
    with pytest.raises(InvalidParameter, match="budget_tokens"):
        summarize(MEMORIES, goal=GOAL, budget_tokens=0)


def test_a_model_may_put_it_in_its_own_words() -> None:
    chat = ScriptedChatModel(['{"summary": "Active means an order within 90 days; amounts in EUR."}'])
    assert summarize(MEMORIES, goal=GOAL, chat=chat) == "Active means an order within 90 days; amounts in EUR."


@pytest.mark.parametrize(
    "answer",
    [
        '{"summary": "Active means an order within 45 days."}',
        '{"summary": "Ask Ingrid Vale."}',
        '{"summary": ""}',
        "Sorry.",
    ],
)
def test_what_no_memory_says_is_not_taken_from_a_model(answer: str) -> None:
    chat = ScriptedChatModel([answer, answer])
    assert summarize(MEMORIES, goal=GOAL, chat=chat) == summarize(MEMORIES, goal=GOAL)


def test_a_model_that_chooses_between_two_versions_is_not_heard() -> None:
    told = [
        "An active customer has an order in the last 90 days.",
        "An active customer has an order in the last 60 days.",
    ]
    chat = ScriptedChatModel(['{"summary": "An active customer has an order in the last 60 days."}'] * 2)
    text = summarize(told, goal=GOAL, chat=chat)
    assert "90" in text
    assert "60" in text


def test_a_model_that_is_down_is_no_hindrance() -> None:
    chat = ScriptedChatModel([ModelUnavailable("down")])
    assert summarize(MEMORIES, goal=GOAL, chat=chat) == summarize(MEMORIES, goal=GOAL)
