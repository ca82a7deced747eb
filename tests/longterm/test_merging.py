"""What a record says after it took in another text: replaced, appended, summarised; English and Chinese."""

from __future__ import annotations

import pytest

from amb_chat import ScriptedChatModel
from amb_core.errors import ModelUnavailable
from amb_longterm import LongTermMemory
from amb_longterm.decision import joined, replaced
from amb_longterm.memory_records import MergeStrategy
from amb_longterm.sameness import other_values


def told(strategy: MergeStrategy, old: str, new: str, **options) -> str:
    return joined(strategy, old, new, when="2026-11-22", **options)


@pytest.mark.parametrize("strategy", [MergeStrategy.APPEND, MergeStrategy.SUMMARIZE])
def test_what_says_nothing_new_changes_nothing(strategy: MergeStrategy) -> None:
    assert told(strategy, "GMV excludes 2 kinds of orders.", "GMV excludes two kinds of orders") == (
        "GMV excludes 2 kinds of orders."
    )


def test_replacing_keeps_sentences_on_something_else() -> None:
    def is_over(new: str, old: str) -> bool:
        return other_values(new, old) is not None

    old = "Reports are due after 30 days. The user likes tea."
    text = replaced(old, "Reports are due after 45 days.", over=is_over)
    assert text == "The user likes tea. Reports are due after 45 days."
    assert replaced(old, "The user has a dog now.", over=is_over) == ""


def test_appending_puts_the_date_before_the_new_line() -> None:
    text = told(MergeStrategy.APPEND, "Loaded orders.csv.", "Loaded orders.csv and removed 12 duplicates.")
    assert text == "Loaded orders.csv.\n[2026-11-22] Loaded orders.csv and removed 12 duplicates."
    assert told(MergeStrategy.APPEND, text, "Loaded orders.csv.") == text


def test_appending_is_bounded_and_drops_the_oldest_lines() -> None:
    text = "line 0"
    for number in range(1, 400):
        text = told(MergeStrategy.APPEND, text, f"line {number} " + "x" * 200)
    assert len(text) <= 20_000
    assert text.splitlines()[-1].startswith("[2026-11-22] line 399 ")
    assert "line 1 " not in text


def test_a_summary_repeats_nothing() -> None:
    text = told(MergeStrategy.SUMMARIZE, "GMV excludes test orders.", "GMV is in EUR. GMV excludes test orders.")
    assert text == "GMV excludes test orders. GMV is in EUR."


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (
            "The audit is due on 15 March 2025. Ada leads it.",
            "The audit is due on 25 March 2025.",
            "The audit is due on 25 March 2025. Ada leads it.",
        ),
        ("日志保留90天。", "日志保留60天。", "日志保留60天。"),
    ],
)
def test_a_summary_says_the_newer_value_only(old: str, new: str, text: str) -> None:
    assert told(MergeStrategy.SUMMARIZE, old, new) == text


def test_a_model_may_word_the_summary_and_where_it_gives_none_sentences_are_joined() -> None:
    old, new = "Logs are kept for 90 days.", "Logs are kept for 60 days."
    model = told(MergeStrategy.SUMMARIZE, old, new, summarize=lambda a, b: "Logs: 60 days, formerly 90 days.")
    assert model == "Logs: 60 days, formerly 90 days."
    assert told(MergeStrategy.SUMMARIZE, old, new, summarize=lambda a, b: "") == new


@pytest.mark.parametrize("answer", ['{"summary": "Logs are kept for 45 days."}', ModelUnavailable("down")])
def test_what_a_model_makes_up_is_never_joined_and_both_values_stay_on_record(answer: str | Exception) -> None:
    chat = ScriptedChatModel([answer, answer])
    with LongTermMemory("memory://", chat=chat) as memory:
        first = memory.write("Logs are kept for 90 days.", namespace="domain_facts/u1")
        memory.update(first.id, namespace="domain_facts/u1", content="Logs are kept for 60 days.")
        record = memory.get(first.id, namespace="domain_facts/u1")
        assert record is not None
        assert record.content == "Logs are kept for 60 days."
        assert (record.disagreements[0].values, record.earlier) == (("90", "60"), "Logs are kept for 90 days.")
        assert memory.history(first.id, namespace="domain_facts/u1")[0].content == "Logs are kept for 90 days."
