"""Notes made of dialogue: whole turns are chosen, read with the turns around them, and dated."""

from __future__ import annotations

import pytest

from amb_core.rendering import Language, render_memory
from amb_core.rendering.excerpts import pieces_of
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import dialogue_heading

TALK = "\n".join(
    f"{name}: {said}"
    for number in range(12)
    for name, said in (
        ("Anna", f"Shall we paint wall number {number} of the long corridor today?"),
        ("Ben", f"I would rather paint it on day {number}, when the new brushes are here. They are better."),
    )
)
NEEDLE = "Anna: Where does your sister work now?\nBen: At the aquarium. She feeds the penguins there."
TALK_ZH = "\n".join(
    f"{name}：{said}"
    for number in range(12)
    for name, said in (
        ("小王", f"我们今天要不要粉刷走廊的第{number}面墙？"),
        ("老李", f"我想等到第{number}天再刷，那时新刷子就到了。新的好用。"),
    )
)
NEEDLE_ZH = "小王：你姐姐现在在哪里上班？\n老李：在水族馆。她负责喂企鹅。"
CASES = pytest.mark.parametrize(
    ("language", "talk", "needle", "query"),
    [
        ("en", TALK, NEEDLE, "Where does Ben's sister work?"),
        ("zh", TALK_ZH, NEEDLE_ZH, "老李的姐姐在哪里上班？"),
    ],
)


@CASES
def test_a_question_and_its_answer_are_found_in_a_long_talk(
    make_item, language: Language, talk: str, needle: str, query: str
) -> None:
    item = make_item(1, f"{talk}\n{needle}\n{talk}")
    block = render_memory([item], query=query, budget_tokens=150, language=language)
    assert needle.replace("\n", "\n  ") in block.text


@CASES
def test_turns_are_shown_whole_and_the_session_is_named(
    make_item, language: Language, talk: str, needle: str, query: str
) -> None:
    text = f"4 May 2024\n{talk}\n{needle}"
    block = render_memory(
        [make_item(1, text, heading="4 May 2024", topic="walls, brushes")],
        query=query,
        budget_tokens=200,
        language=language,
    )
    lines = block.text.split("\n")[2:-1]
    assert lines[0] == "[n1] 4 May 2024"
    assert set(lines[1:]) <= {f"  {line}" for line in text.split("\n")}


def test_inside_a_long_turn_it_is_said_who_speaks(make_item) -> None:
    long = "Ben: " + " ".join(f"I painted wall {n} of the corridor all day and was tired." for n in range(20))
    item = make_item(1, f"Anna: What did you do?\n{long} The aquarium opens in June.\nAnna: Nice.")
    block = render_memory([item], query="When does the aquarium open?", budget_tokens=75, language="en")
    assert "\n  Ben: … I painted wall 19 of the corridor" in block.text


@pytest.mark.parametrize("text", [NEEDLE, NEEDLE_ZH, f"{TALK}\n\n{TALK}"])
def test_the_pieces_of_a_talk_are_its_turns(text: str) -> None:
    pieces = pieces_of(text)
    assert [text[piece.start : piece.end] for piece in pieces] == [line for line in text.split("\n") if line]
    assert all(piece.turn for piece in pieces)


@pytest.mark.parametrize(
    "text", ["Note: it rained.\nThe town is small.\nIt is old.", "他说：好。\n这是散文。\n没有对话。"]
)
def test_prose_with_a_colon_is_no_talk(text: str) -> None:
    assert not any(piece.turn for piece in pieces_of(text))
    assert dialogue_heading(text) == ""


def test_the_line_above_a_talk_is_its_heading() -> None:
    assert dialogue_heading(f"4 May 2024\n{NEEDLE}") == "4 May 2024"
    assert dialogue_heading(NEEDLE) == ""
    assert dialogue_heading("A title\nProse goes on here. And here.") == ""


@pytest.mark.parametrize("budget", [30, 60, 100, 300])
def test_the_budget_holds_for_talks_too(make_item, budget: int) -> None:
    items = [make_item(n, TALK, heading="4 May 2024", source="chat", score=1 / n) for n in range(1, 6)]
    block = render_memory(items, query="When are the brushes here?", budget_tokens=budget, language="en")
    assert estimate_tokens(block.text) <= budget


def test_short_lines_under_an_indent_stay_pieces_of_their_own() -> None:
    lines = "\n".join(f"     lamp{number} is lit beside the door" for number in range(40))

    assert len(pieces_of(f"Lamps\n{lines}")) > 10
