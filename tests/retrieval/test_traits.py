"""What is known of a note besides its words changes how much it counts, by the question."""

from __future__ import annotations

import numpy as np
import pytest

from amb_core.retrieval.indexed_text import IndexedText
from amb_core.retrieval.note_traits import NoteTraits
from amb_core.retrieval.ranking import QueryWords
from amb_core.text import index_tokens


def factor(text: str, query: str, *, turn: bool = False) -> float:
    traits = NoteTraits()
    traits.put(0, IndexedText("n0", text), index_tokens(text))
    return float(traits.factors(np.array([0], dtype=np.int64), turns=np.array([turn]), query=query)[0])


@pytest.mark.parametrize("text", ["Ann: How was it?", "小王：怎么样？"])
def test_a_turn_that_only_asks_counts_less_and_other_notes_do_not(text: str) -> None:
    assert factor(text, "anything", turn=True) < 0.8
    assert factor(text, "anything", turn=False) == 1.0


def test_half_a_question_costs_half() -> None:
    assert factor("Ann: It was good. And you? ", "anything", turn=True) > factor("Ann: And you?", "anything", turn=True)


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("Ann: We went yesterday.", True),
        ("It opened in 1931.", False),
        ("It opened in May or June.", False),
        ("小王：我上周去的。", True),
        ("该馆于五月开放。", False),
    ],
)
def test_a_note_that_names_a_time_counts_more_when_the_question_asks_for_one(text: str, turn: bool) -> None:
    assert factor(text, "When did it open?", turn=turn) > 1.0
    assert factor(text, "它是什么时候开放的？", turn=turn) > 1.0
    assert factor(text, "Who opened it?", turn=turn) == 1.0


def test_the_stamp_of_a_log_line_names_no_time() -> None:
    assert factor("[1:56 pm on 8 May, 2023] Ann: Hello there.", "When did it open?", turn=True) == 1.0


@pytest.mark.parametrize("query", ["What happened in May 2023?", "2023年5月发生了什么？"])
@pytest.mark.parametrize("text", ["On May 3, 2023 it rained.", "2023年5月3日下雨。", "2023-05-03: rain"])
def test_a_note_of_the_date_in_the_question_counts_more_in_any_notation(query: str, text: str) -> None:
    assert factor(text, query) > factor("On June 3, 1999 it rained.", query)


def test_a_removed_note_has_no_traits() -> None:
    traits = NoteTraits()
    traits.put(0, IndexedText("n0", "Ann: Yesterday, or when?"), ["yesterday"])
    traits.remove(0)
    turn = np.array([True])
    assert traits.factors(np.array([0], dtype=np.int64), turns=turn, query="When?").tolist() == [1.0]


def test_a_reason_names_the_three_best_words_as_the_query_wrote_them() -> None:
    words = QueryWords("Which Batteries were charging slowly today?", ["batteri", "charg", "slowli", "today"])
    assert words.reason(np.array([0.1, 0.4, 0.3, 0.2], dtype=np.float32)) == "matches charging, slowly, today"
    assert words.reason(np.zeros(4, dtype=np.float32)) == "near in meaning"


def test_a_character_of_a_matched_pair_is_not_named_again() -> None:
    words = QueryWords("电池寿命", ["电", "池", "电池"])
    assert words.reason(np.array([0.3, 0.2, 0.1], dtype=np.float32)) == "matches 电池"
