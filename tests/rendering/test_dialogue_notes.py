"""What is a turn of a talk, and what is prose with a colon."""

from __future__ import annotations

import pytest

from amb_core.text.text_spans import turn_spans

TALK = "\n".join(
    f"{name}: {said}"
    for number in range(12)
    for name, said in (
        ("Anna", f"Shall we paint wall number {number} of the long corridor today?"),
        ("Ben", f"I would rather paint it on day {number}, when the new brushes are here. They are better."),
    )
)
NEEDLE = "Anna: Where does your sister work now?\nBen: At the aquarium. She feeds the penguins there."
NEEDLE_ZH = "小王：你姐姐现在在哪里上班？\n老李：在水族馆。她负责喂企鹅。"


@pytest.mark.parametrize("text", [NEEDLE, NEEDLE_ZH, f"{TALK}\n\n{TALK}"])
def test_the_pieces_of_a_talk_are_its_turns(text: str) -> None:
    assert [text[start:end] for start, end in turn_spans(text)] == [line for line in text.split("\n") if line]


@pytest.mark.parametrize(
    "text", ["Note: it rained.\nThe town is small.\nIt is old.", "他说：好。\n这是散文。\n没有对话。"]
)
def test_prose_with_a_colon_is_no_talk(text: str) -> None:
    assert not turn_spans(text)
