"""Which of the offered options a message takes."""

from __future__ import annotations

from amb_book.desk import Turn
from amb_book.desk.workshop import Taken, has_open_options, taken_option


def offered(message: str) -> list[Turn]:
    offers = Turn("desk", "…", 1.0, context={"kind": "answer", "options": ["by boat", "on foot"]})
    return [offers, Turn("author", message, 2.0)]


def test_options_are_open_until_one_is_taken() -> None:
    turns = offered("I take option 2.")
    assert has_open_options(turns)
    assert not has_open_options([*turns, Turn("desk", "on foot", 3.0, context={"kind": "answer", "options": []})])
    assert taken_option([]) is None


def test_of_a_single_answer_option_1_is_all_of_it() -> None:
    alone = Turn("desk", "by boat", 1.0, context={"kind": "answer", "options": []})
    assert taken_option([alone, Turn("author", "I take option 1.", 2.0)]) == Taken(1, "by boat", "")
    assert taken_option([alone, Turn("author", "I take option 2.", 2.0)]) is None
