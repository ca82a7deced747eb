"""What a question brings that names no text by its words: over names, in a talk, of two things at once."""

from __future__ import annotations

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult

OTHERS = tuple(f"{name} is a village near the coast. It has {n} houses and a mill." for n, name in enumerate(
    ("Skagen", "Lyness", "Oban", "Calder", "Birkdale", "Marlowe", "Stanfield", "Quarrel", "Harrow", "Elmet")
))  # fmt: skip
FILM = "Maximum Overdrive is a 1986 horror film directed by Stephen King. It was shot in Wilmington."
MAKER = "Stephen King\nHe was born in Portland and went to school in Durham."
FILM_ZH, MAKER_ZH = "《火星四号》是李明导演的一部科幻电影。", "李明，1965年生于苏州，毕业于北京大学。"
ASKED = "Where was the maker of Maximum Overdrive at school?"


def bank_of(*texts: str) -> MemoryBank:
    bank = MemoryBank("Answer questions.")
    results = [ToolResult(tool="read", arguments={"page": n}, output=text) for n, text in enumerate(texts, start=500)]
    ContextAdapter(bank).absorb(results)
    return bank


def entries(bank: MemoryBank, question: str, *, k: int = 9) -> list[str]:
    """The entries a block shows, the best first."""
    found = bank.recall(question, k=k).receipts
    return list(dict.fromkeys(span.entry_id for receipt in found for span in receipt.spans))


@pytest.mark.parametrize(
    ("film", "maker", "asked"), [(FILM, MAKER, ASKED), (FILM_ZH, MAKER_ZH, "《火星四号》的导演毕业于哪所学校？")]
)
def test_what_the_best_text_names_comes_next_without_a_note_being_made(film: str, maker: str, asked: str) -> None:
    with bank_of(*OTHERS, film, *OTHERS[:2], maker) as bank:
        assert entries(bank, asked)[:2] == ["e11", "e12"]
        assert len(bank._parts.state.graph) == 0


def test_both_things_compared_come_before_more_of_one() -> None:
    texts = [f"Irwin Shaw wrote the novel number {number}, a novel by Irwin Shaw." for number in range(6)]
    with bank_of(*texts, "Iain Banks wrote many books.", *OTHERS) as bank:
        assert "e7" in entries(bank, "Did Irwin Shaw or Iain Banks write more?")[:2]


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


def test_at_most_so_many_passages_are_shown_as_are_asked_for() -> None:
    with bank_of(*OTHERS) as bank:
        assert len(bank.recall("village coast", k=3).receipts) == 3
        assert len(bank.recall("village coast").receipts) > 3
