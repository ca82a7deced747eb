"""The bench of long-term memory: its sessions are sound, and what it prints holds what was promised."""

from __future__ import annotations

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.longterm_bench import tables
from amb_bench.longterm_questions import question_tables
from amb_bench.longterm_runs import SessionRun, run_sessions, run_transcripts
from amb_bench.longterm_sessions import WORKERS, known_facts, scripted_sessions

from amb_core.errors import InvalidParameter

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run() -> SessionRun:
    return run_sessions()


def test_there_are_enough_sessions_of_enough_users_in_both_languages() -> None:
    sessions = scripted_sessions()
    assert len(sessions) >= 12
    assert {(each.user, each.language) for each in sessions} == {
        ("u1", "en"),
        ("u10", "en"),
        ("u2", "zh"),
        ("u20", "zh"),
    }
    assert all(turn.worker in ("", *WORKERS) for each in sessions for turn in each.turns)
    assert len(known_facts("en")) == len(known_facts("zh"))


def test_an_answer_gives_away_nothing_that_its_question_needs() -> None:
    for session in scripted_sessions():
        for turn in session.turns:
            asked = f"{turn.says} {turn.task}".casefold()
            assert turn.kind != "asks" or not any(word.casefold() in asked for word in turn.needs)
            assert turn.kind not in ("asks", "changes") or turn.needs


@pytest.mark.nightly
def test_later_sessions_are_answered_by_what_earlier_ones_left(run: SessionRun) -> None:
    asked = run.of("asks", where=lambda each: each.turn.earlier)
    assert len(asked) >= 20
    assert sum(each.is_right for each in asked) >= 0.8 * len(asked)


@pytest.mark.nightly
def test_no_user_is_shown_what_another_one_said(run: SessionRun) -> None:
    assert run.foreign == 0


@pytest.mark.nightly
def test_blocks_stay_within_their_tokens(run: SessionRun) -> None:
    assert max(each.seen for each in run.outcomes) <= 400
    assert max(each.seen for each in run_transcripts(tokens=200).outcomes) <= 210


@pytest.mark.nightly
def test_questions_are_asked_of_every_system_or_it_is_said_why_not() -> None:
    for table in question_tables():
        assert [row[0].startswith(("AMB", "LangGraph")) for row in table.rows] == [True, True]  # type: ignore[union-attr]


def test_parts_can_be_chosen() -> None:
    (table,) = tables(BenchOptions(only=("routing",)))
    assert table.title.startswith("routing")
    with pytest.raises(InvalidParameter, match="sessions"):
        next(iter(tables(BenchOptions(only=("session",)))))
