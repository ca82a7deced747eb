"""Which of the offered options a message takes."""

from __future__ import annotations

import pytest
from amb_book.desk import Turn
from amb_book.desk.workshop import Taken, has_open_options, taken_option


def offered(message: str) -> list[Turn]:
    offers = Turn("desk", "…", 1.0, context={"kind": "answer", "options": ["by boat", "on foot"]})
    return [offers, Turn("author", message, 2.0)]


@pytest.mark.parametrize(
    ("message", "number", "feedback"),
    [
        ("I take option 2.", 2, ""),
        ("I take option 1. But at night.", 1, "But at night."),
        ("Let's go with the option 2: slower, please", 2, "slower, please"),
        ("option 2, but shorter", 2, "but shorter"),
        ("Option 1", 1, ""),
        ("我选方案 2。", 2, ""),
        ("就用方案一吧，再短一些", 1, "再短一些"),
        ("选第二个", 2, ""),
        ("方案二，但要在夜里", 2, "但要在夜里"),
    ],
)
def test_an_option_is_taken_where_a_message_begins_with_it(message: str, number: int, feedback: str) -> None:
    text = ("by boat", "on foot")[number - 1]
    assert taken_option(offered(message)) == Taken(number, text, feedback)


@pytest.mark.parametrize(
    "message",
    [
        "Option 2 and option 1 are both dull.",
        "I do not take option 2",
        "I take option 3.",
        "I want 2 armies",
        "take 2 days",
        "Is option 2 better?",
        "方案二和方案一都不好",
        "我不选方案一",
        "选一个月夜",
        "我要两个刺客",
        "",
    ],
)
def test_what_only_speaks_of_options_takes_none(message: str) -> None:
    assert taken_option(offered(message)) is None


def test_options_are_open_until_one_is_taken() -> None:
    turns = offered("I take option 2.")
    assert has_open_options(turns)
    assert not has_open_options([*turns, Turn("desk", "on foot", 3.0, context={"kind": "answer", "options": []})])
    assert taken_option([]) is None


def test_of_a_single_answer_option_1_is_all_of_it() -> None:
    alone = Turn("desk", "by boat", 1.0, context={"kind": "answer", "options": []})
    assert taken_option([alone, Turn("author", "I take option 1.", 2.0)]) == Taken(1, "by boat", "")
    assert taken_option([alone, Turn("author", "I take option 2.", 2.0)]) is None
