"""The bench of goals that follow the talk: its labels, and the bounds that the rule holds on them."""

from __future__ import annotations

from amb_bench.goal_bench import changes_of, goal_talks, tables

KINDS = {"first", "agent", "new", "answer", "goes_on", "thanks"}


def test_there_are_sixty_talks_of_each_language_with_known_labels() -> None:
    talks = goal_talks()
    assert [sum(talk["language"] == language for talk in talks) for language in ("en", "zh")] == [60, 60]
    assert {turn["is"] for talk in talks for turn in talk["talk"]} == KINDS


def test_no_answer_to_the_agent_and_no_thanks_is_taken_for_a_question() -> None:
    told = [change for talk in goal_talks() for change in changes_of(talk["talk"])]
    assert not [label for label, changed in told if changed and label in ("answer", "thanks")]


def test_most_changes_are_right_and_most_questions_are_found() -> None:
    (table,) = tables(None)
    for language, _, precision, recall, *_ in table.rows:
        assert float(precision) >= 0.75, language
        assert float(recall) >= 0.75, language
