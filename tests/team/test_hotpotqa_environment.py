"""HotpotQA's environment: Search, Lookup and Finish behave as in ReAct, and answers are compared in normal form."""

from __future__ import annotations

import pytest

from amb_core.errors import UnreadableSource
from amb_tools.hotpotqa import (
    Environment,
    PassageSearch,
    bundled_questions,
    exact_match,
    f1_score,
    load_questions,
    sample_questions,
)

QUESTIONS, PASSAGES = bundled_questions()
SEARCH = PassageSearch(PASSAGES)


def _environment(number: int = 0) -> Environment:
    return Environment(QUESTIONS[number], SEARCH)


@pytest.mark.parametrize(
    ("answer", "gold", "f1"),
    [
        ("The Beatles!", "beatles", 1.0),
        ("Suzy Amis Cameron", "Suzy Amis", 0.8),
        ("yes", "no", 0.0),
        ("yes it is", "yes", 0.0),
        ("台湾屏东", "屏东", 2 / 3),
        ("", "Paris", 0.0),
    ],
)
def test_answers_are_scored_in_normal_form(answer: str, gold: str, f1: float) -> None:
    assert f1_score(answer, gold) == pytest.approx(f1)
    assert exact_match(answer, gold) == (f1 == 1.0)


@pytest.mark.parametrize("query", ["Titanic ship builder Belfast", "红楼梦的作者"])
def test_an_unknown_page_brings_similar_titles(query: str) -> None:
    stepped = _environment().step(f"Search[{query}]")
    assert stepped.observation.startswith(f"Could not find [{query}]. Similar: ['")
    assert not stepped.found


def test_lookup_goes_from_one_sentence_to_the_next_and_ends() -> None:
    environment = _environment()
    environment.step("Search[Harland and Wolff]")
    assert environment.step("Lookup[belfast]").observation.startswith("(Result 1 / 1) Harland and Wolff is")
    assert environment.step("Lookup[belfast]").observation == "No more results."
    assert environment.step("Lookup[founded]").observation.startswith("(Result 1 / 1) It was founded")


def test_lookup_without_a_page_and_unknown_actions_say_what_to_do() -> None:
    environment = _environment()
    assert "search for one first" in environment.step("Lookup[x]").observation
    assert environment.step("Think[x]").observation.startswith("Invalid action. Valid actions are")


def test_the_bundled_questions_are_sound_in_both_languages() -> None:
    assert len(QUESTIONS) >= 12
    assert sum("？" in question.text for question in QUESTIONS) >= 4
    for question in QUESTIONS:
        assert question.reworded
        assert all(number < len(PASSAGES[title]) for title, number in question.supporting)
        assert len({title for title, _ in question.supporting}) > 1


def test_questions_are_sampled_by_seed() -> None:
    assert sample_questions(QUESTIONS, count=5, seed=1) == sample_questions(QUESTIONS, count=5, seed=1)
    assert sample_questions(QUESTIONS, count=5, seed=1) != sample_questions(QUESTIONS, count=5, seed=2)
    assert len(sample_questions(QUESTIONS, count=99, seed=1)) == len(QUESTIONS)


def test_a_folder_without_the_data_is_named(tmp_path: object) -> None:
    with pytest.raises(UnreadableSource, match="AMB_DATA"):
        load_questions(str(tmp_path))
