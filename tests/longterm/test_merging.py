"""What a record says after it took in another text: replaced, appended, summarised; English and Chinese."""

from __future__ import annotations

import pytest

from amb_chat import ScriptedChatModel
from amb_core.errors import ModelUnavailable
from amb_longterm import LongTermMemory
from amb_longterm.decision import joined
from amb_longterm.memory_records import MergeStrategy


def told(strategy: MergeStrategy, old: str, new: str, **options) -> str:
    return joined(strategy, old, new, when="2026-11-22", **options)


@pytest.mark.parametrize("strategy", [MergeStrategy.APPEND, MergeStrategy.SUMMARIZE])
def test_what_says_nothing_new_changes_nothing(strategy: MergeStrategy) -> None:
    assert told(strategy, "GMV excludes 2 kinds of orders.", "GMV excludes two kinds of orders") == (
        "GMV excludes 2 kinds of orders."
    )


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
