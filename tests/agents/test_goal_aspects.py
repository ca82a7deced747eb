"""What a goal asks, part by part, and when memory covers it."""

from __future__ import annotations

import pytest

from amb_core.agent_io import NodeView
from amb_core.agents.goal_aspects import aspects_of, is_covered
from amb_core.agents.planning_phrases import PHRASES


def labels(goal: str, language: str = "en") -> list[str]:
    phrases = PHRASES["zh" if language == "zh" else "en"]
    return [aspect.label for aspect in aspects_of(goal, phrases, chinese=language == "zh")]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("What is the height of the Eiffel Tower?", ["Eiffel Tower: height"]),
        ("Which battery chemistry should we choose?", ["battery chemistry"]),
        ("Compare the cycle life of LFP and NMC cells.", ["LFP: cycle life cells", "NMC: cycle life cells"]),
        (
            "When was the Riverton Bridge opened and how much did it cost?",
            ["Riverton Bridge: opened", "Riverton Bridge: cost"],
        ),
        ("", []),
    ],
)
def test_english_goals_fall_into_their_questions(goal: str, expected: list[str]) -> None:
    assert labels(goal) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("埃菲尔铁塔的高度是多少？", ["“埃菲尔铁塔”的高度"]),
        ("长江大桥和黄河大桥哪一座更长？", ["“长江大桥”的长", "“黄河大桥”的长"]),
        ("我们应该选择哪种电池？", ["电池"]),
        ("请问？", []),
    ],
)
def test_chinese_goals_fall_into_their_questions(goal: str, expected: list[str]) -> None:
    assert labels(goal, "zh") == expected


@pytest.mark.parametrize(
    ("summary", "covered"),
    [
        ("The Eiffel Tower has a height of 330 metres.", True),
        ("The Eiffel Tower stands in Paris.", False),
        ("The height of the bridge is 20 metres.", False),
    ],
)
def test_a_node_covers_an_aspect_that_it_names_and_answers(summary: str, covered: bool) -> None:
    (aspect,) = aspects_of("What is the height of the Eiffel Tower?", PHRASES["en"], chinese=False)
    assert is_covered(aspect, [NodeView(id="n1", summary=summary, context="")]) is covered
