"""The survival figures of summaries, on cases worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.datasets import data_folder
from amb_bench.summary_bench import (
    AnswerCase,
    cmrc_cases,
    hotpotqa_cases,
    kept_things,
    lead_sentences,
    random_sentences,
    survival,
    things_of,
    write_summaries,
)

from amb_core.errors import UnreadableSource

TEXT = "Ann Lee was born in Oslo in 1951. She plays chess. The club has 40 members. It meets on Fridays."


def test_lead_sentences_are_those_that_fit() -> None:
    assert lead_sentences(TEXT, 55) == "Ann Lee was born in Oslo in 1951. She plays chess."
    assert lead_sentences(TEXT, 5) == ""


def test_random_sentences_fit_and_keep_their_order() -> None:
    for seed in range(5):
        drawn = random_sentences(TEXT, 60, seed=seed)
        assert 0 < len(drawn) <= 60
        assert drawn == random_sentences(TEXT, 60, seed=seed)


def test_kept_things_is_the_share_of_numbers_and_names() -> None:
    assert kept_things(TEXT, TEXT) == 1.0
    assert 0.0 < kept_things(TEXT, "The club has 40 members.") < 1.0
    assert kept_things("nothing to keep here", "") == 1.0


def test_kinds_of_things_are_counted_by_themselves() -> None:
    assert things_of(TEXT)["number"] == {"40"}
    assert "Oslo" in things_of(TEXT)["name"]
    assert kept_things(TEXT, "It has 40 members.", kind="number") == 1.0
    assert kept_things(TEXT, "It has 40 members.", kind="name") == 0.0


def test_the_page_shows_passages_beside_summaries_as_text(tmp_path: Path) -> None:
    path = write_summaries([("Ann <b>& Bo</b> met in 1951.", "Ann met.")], tmp_path / "new")
    page = path.read_text(encoding="utf-8")
    assert "Ann &lt;b&gt;&amp; Bo&lt;/b&gt; met in 1951." in page
    assert "<td>Ann met.</td>" in page


def test_a_passage_kept_whole_is_left_out_of_the_rows() -> None:
    rows, length, whole = survival([AnswerCase("It is 12.", "How much?", "12")])
    assert whole == 1.0
    assert length == 0.0
    assert rows[0].answers == 0.0


@pytest.mark.slow
def test_the_local_agent_beats_first_and_random_sentences_on_real_passages() -> None:
    try:
        data_folder()
    except UnreadableSource as missing:
        pytest.skip(str(missing))
    for cases in (hotpotqa_cases(), cmrc_cases()[::30]):
        agent, first, _, *drawn = survival(cases, with_goal=True)[0]
        assert agent.answers > first.answers
        assert all(agent.answers > row.answers and agent.things > row.things for row in drawn)
