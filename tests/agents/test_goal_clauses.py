"""What a goal asks, in its own words, and when memory covers it."""

from __future__ import annotations

import pytest

from amb_agents.goal_clauses import clauses_of, unanswered


@pytest.mark.parametrize(
    ("goal", "answer", "missing"),
    [
        ("How high is the dam? Who built it? When was it opened?", "86 metres", [1, 2]),
        ("How high is the dam? Who built it? When was it opened?", "It was opened in 1932.", [0, 1]),
        ("How high is the dam? Who built it? When was it opened?", "86 metres, Harlan Moss, 1932", []),
        ("How high is the dam and who built it?", "The dam is 86 metres high.", [1]),
        ("水库坝高多少？由谁修建？哪年建成？", "86 米", [1, 2]),
        ("水库坝高多少？由谁修建？哪年建成？", "坝高86米，由青江公司修建，1932年建成。", []),
        ("Who built the dam?", "1932", []),
        ("马岭水坝有多高？何时建成？由谁设计？", "马岭水坝高71米，1974年建成。", [2]),
        ("马岭水坝有多高？何时建成？由谁设计？", "高71米，1974年建成，罗英设计。", []),
        (
            "What is the fee of the Elm card, and how long is it valid?",
            "The fee is 12 euros; it is valid for 3 years.",
            [],
        ),
        ("What is the fee of the Elm card, and what is its colour?", "12 euros", [1]),
        ("Who wrote the report and in which city was it printed?", "The report was written by Ada Krol.", [1]),
        ("Who founded Elm Ltd and who owns it now?", "Ada Krol founded and still owns it.", []),
    ],
)
def test_a_goal_of_several_questions_is_answered_when_each_is(goal: str, answer: str, missing: list[int]) -> None:
    clauses = clauses_of(goal)
    assert unanswered(clauses, answer) == tuple(clauses[number] for number in missing)


@pytest.mark.parametrize(
    ("goal", "parts"),
    [
        ("How high is the dam, who built it, and when was it opened?", 3),
        ("海燕水库坝高多少，谁设计的，哪年建成？", 3),
        ("Who is the director, who also wrote Dune?", 1),
        ("在2020年，谁赢了？", 1),
    ],
)
def test_questions_that_commas_join_are_told_apart_and_other_commas_stay(goal: str, parts: int) -> None:
    assert len(clauses_of(goal)) == parts
