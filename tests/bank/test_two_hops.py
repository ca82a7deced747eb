"""What a question brings that names no text by its words: over names, in a talk, of two things at once."""

from __future__ import annotations

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult


def bank_of(*texts: str) -> MemoryBank:
    bank = MemoryBank("Answer questions.")
    results = [ToolResult(tool="read", arguments={"page": n}, output=text) for n, text in enumerate(texts, start=500)]
    ContextAdapter(bank).absorb(results)
    return bank


TALK = [
    f"{name}: {said}"
    for number in range(12)
    for name, said in (
        ("Anna", f"Shall we paint wall number {number} of the long corridor today?"),
        ("Ben", f"I would rather paint it on day {number}, when the new brushes are here. They are better."),
    )
]
TALK_ZH = [
    f"{name}：{said}"
    for number in range(12)
    for name, said in (("小王", f"我们今天要不要粉刷走廊的第{number}面墙？"), ("老李", f"我想等到第{number}天再刷。"))
]


@pytest.mark.parametrize("turn_by_turn", [True, False])
@pytest.mark.parametrize(
    ("talk", "said", "answer", "asked"),
    [
        (TALK, "Anna: Where does your sister work now?", "Ben: At the aquarium.", "Where does Ben's sister work?"),
        (TALK_ZH, "小王：你姐姐现在在哪里上班？", "老李：在水族馆。", "老李的姐姐在哪里上班？"),
    ],
)
def test_an_answer_is_found_by_the_question_before_it(
    talk: list[str], said: str, answer: str, asked: str, turn_by_turn: bool
) -> None:
    turns = [*talk, said, answer, *talk[::-1]]
    with bank_of(*(turns if turn_by_turn else ["\n".join(turns)])) as bank:
        assert answer in bank.recall(asked, budget_tokens=200).text
