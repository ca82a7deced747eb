"""S: what similarity, age and boost make of a found record, and which hits are shown."""

from __future__ import annotations

import math

import pytest

from amb_longterm import LongTermMemory
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryRecord
from amb_longterm.memory_score import age_days, boost, score, worth

DAY = 86_400.0
NOW = 1_000 * DAY
PLAIN = LongTermSettings()
FRESH = LongTermSettings(boost="freshness")


def record(name: str = "r1", *, days: float = 0.0, **metadata: str | float) -> MemoryRecord:
    at = NOW - days * DAY
    return MemoryRecord(id=name, namespace="a/u1", content=name, metadata=dict(metadata), created_at=at, updated_at=at)


def test_s_is_the_weighted_sum_of_similarity_decay_and_boost() -> None:
    settings = LongTermSettings(alpha=0.7, beta=0.2, gamma=0.1, decay_lambda=0.05)
    expected = 0.7 * 0.6 + 0.2 * math.exp(-0.05 * 10) + 0.1 * 0.5
    assert score(0.6, age_days=10, boost=0.5, settings=settings) == pytest.approx(expected)


def test_s_stays_within_0_and_1_whatever_the_weights() -> None:
    settings = LongTermSettings(alpha=1, beta=1, gamma=1)
    assert score(1.0, age_days=0, boost=1.0, settings=settings) == 1.0
    assert score(0.0, age_days=math.inf, boost=0.0, settings=settings) == 0.0
    assert score(0.4, age_days=3, boost=1.0, settings=LongTermSettings(alpha=0, beta=0, gamma=0)) == 0.4


def test_a_clock_that_went_backwards_makes_no_record_younger_than_now() -> None:
    assert age_days(NOW + 5 * DAY, now=NOW) == 0.0
    assert score(0.5, age_days=-5, boost=0.0, settings=PLAIN) == score(0.5, age_days=0, boost=0.0, settings=PLAIN)
    assert worth(record(days=-5), now=NOW, settings=PLAIN) == worth(record(), now=NOW, settings=PLAIN)


@pytest.mark.parametrize("settings", [PLAIN, FRESH], ids=["source", "freshness"])
def test_an_older_record_is_worth_less_than_a_newer_one(settings: LongTermSettings) -> None:
    values = [worth(record(days=days), now=NOW, settings=settings) for days in (0, 1, 30, 3_650)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_what_the_user_says_is_trusted_more_than_what_an_agent_or_a_tool_reports() -> None:
    order = ("user", "supervisor", "analysis_agent", "sql_tool")
    values = [boost(record(source=source), now=NOW, settings=PLAIN) for source in order]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_the_source_counts_as_much_as_the_record_matters() -> None:
    whole = boost(record(source="user"), now=NOW, settings=PLAIN)
    assert boost(record(source="user", score=0.25), now=NOW, settings=PLAIN) == pytest.approx(0.25 * whole)


def test_freshness_halves_within_a_week_and_does_not_ask_for_the_source() -> None:
    assert boost(record(days=7, source="tool"), now=NOW, settings=FRESH) == pytest.approx(0.5)
    assert boost(record(days=7, source="user"), now=NOW, settings=FRESH) == pytest.approx(0.5)


def test_what_is_far_below_an_answer_is_left_out_on_request_and_a_change_is_not(clock):
    texts = ("I rent a locker at the pool.", "I sold the boat.", "My dentist is Dr Weiss.", "The pool fee is 40 euro.")
    with LongTermMemory(clock=clock, settings=LongTermSettings(weak_below=0.5)) as memory:
        for text in texts:
            memory.write(text, namespace="user_profile/u1", metadata={"type": "user-profile"})
            clock.advance(60)
        near = [hit.content for hit in memory.search("Who is my dentist?", user="u1")]
        unknown = memory.search("What is the name of Bob's cousin in Lima?", user="u1")
    assert near[0] == "My dentist is Dr Weiss."
    assert "The pool fee is 40 euro." not in near
    assert len(unknown) == len(texts)
