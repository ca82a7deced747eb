"""What a goal asks, in its own words, and when memory covers it."""

from __future__ import annotations

import pytest

from amb_agents.goal_clauses import answering_sentences, clauses_of, is_covered, shortened, unanswered
from amb_core.agent_io import NodeView


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("What is the height of the Eiffel Tower?", ["What is the height of the Eiffel Tower?"]),
        (
            "When was the Riverton Bridge opened, and how much did it cost?",
            ["When was the Riverton Bridge opened", "how much did it cost?"],
        ),
        ("Who built it? In which year?", ["Who built it?", "In which year?"]),
        ("埃菲尔铁塔的高度是多少？", ["埃菲尔铁塔的高度是多少？"]),
        ("海燕水库坝高？由谁修建？", ["海燕水库坝高？", "由谁修建？"]),
        ("长江大桥是哪一年通车的？造价是多少？", ["长江大桥是哪一年通车的？", "造价是多少？"]),
    ],
)
def test_a_goal_of_questions_falls_into_them_word_for_word(goal: str, expected: list[str]) -> None:
    assert list(clauses_of(goal)) == expected


@pytest.mark.parametrize(
    "goal",
    [
        "",
        "?",
        "请问？",
        "Compare the cycle life of LFP and NMC cells.",
        "Hi, I need to change my flights. Can you assist me with that?",
        "2048 tile-merging puzzle: the agent selects moves to slide tiles.",
        "我想改签机票，可以帮我吗？",
        "What is it? " * 50,
    ],
)
def test_any_other_goal_is_not_cut_into_pieces(goal: str) -> None:
    assert clauses_of(goal) == ()


@pytest.mark.parametrize(
    ("clause", "summary", "covered"),
    [
        ("What is the height of the Eiffel Tower?", "The Eiffel Tower has a height of 330 metres.", True),
        ("What is the height of the Eiffel Tower?", "The Eiffel Tower stands in Paris.", False),
        ("What is the height of the Eiffel Tower?", "The height of the bridge is 20 metres.", False),
        ("长江大桥是哪一年通车的？", "长江大桥于1957年通车。", True),
        ("长江大桥是哪一年通车的？", "长江大桥的造价为1.38亿元。", False),
    ],
)
def test_a_node_covers_a_question_when_it_has_all_its_words(clause: str, summary: str, covered: bool) -> None:
    assert is_covered(clause, [NodeView(id="n1", summary=summary, context="")]) is covered


def test_only_a_statement_answers_a_question() -> None:
    text = "What is the height of the mast? It is painted red. The mast has a height of 20 m."
    assert answering_sentences("What is the height of the mast?", text) == ["The mast has a height of 20 m."]


def test_a_long_goal_keeps_its_beginning_and_its_end() -> None:
    short = shortened(f"Fix the parser. {'Details. ' * 100}Run the tests.")
    assert short.startswith("Fix the parser.")
    assert short.endswith("Run the tests.")
    assert len(short) < 260


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
    ],
)
def test_a_goal_of_several_questions_is_answered_when_each_is(goal: str, answer: str, missing: list[int]) -> None:
    clauses = clauses_of(goal)
    assert unanswered(clauses, answer) == tuple(clauses[number] for number in missing)
