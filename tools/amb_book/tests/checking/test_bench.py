"""The bench of the checker counts what it says it counts."""

from __future__ import annotations

from importlib.resources import files

import pytest
from amb_bench.benches import BENCHES, BenchOptions
from amb_bench.narrative.books import LANGUAGES, LONG, READ, UNREAD, TestDraft, load_book, load_drafts
from amb_bench.narrative.checker_speed import timed
from amb_bench.narrative.story_scores import Score, false_in_chapters
from amb_book.checking import ConsistencyChecker, Finding

DRAFT = TestDraft("en-e-01", 3, "One. Two. Three.", True, "place", 5, 9)


def finding(start: int, end: int) -> Finding:
    return Finding("place", DRAFT.text[start:end], start, end, ("X",), "x")


def test_a_planted_error_counts_as_found_when_a_finding_touches_its_sentence() -> None:
    score = Score()
    score.add(DRAFT, [finding(5, 9), finding(10, 16)])
    score.add(DRAFT, [])
    assert (score.planted, score.found, score.named, score.beside) == (2, 1, 1, 1)
    assert (score.precision, score.recall, score.missed) == (0.5, 0.5, ["en-e-01"])


def test_a_finding_on_a_near_miss_is_an_alarm() -> None:
    score = Score()
    score.add(TestDraft("en-n-01", 3, DRAFT.text, False, "place", 5, 9), [finding(5, 9)])
    assert (score.near, score.alarms, score.planted, score.precision) == (1, 1, 0, 0.0)


STORIES = [
    f"{language}/{name}" for language in LANGUAGES for name in (LONG[language], *READ[language], *UNREAD[language])
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("story", STORIES)
def test_every_draft_of_a_story_marks_a_sentence_of_it_and_has_a_name_of_its_own(story: str) -> None:
    drafts = load_drafts(story)
    assert all(0 <= each.start < each.end <= len(each.text) for each in drafts)
    assert len({each.id for each in drafts}) == len(drafts) >= 20
    assert 0.4 < sum(each.planted for each in drafts) / len(drafts) < 0.6


def test_no_story_lies_about_unlisted() -> None:
    folder = files("amb_bench.narrative") / "stories"
    assert {f"{language}/{each.name}" for language in LANGUAGES for each in (folder / language).iterdir()} == set(
        STORIES
    )


@pytest.mark.slow
def test_the_storys_own_chapters_hardly_contradict_the_facts_before_them() -> None:
    assert len(false_in_chapters(ConsistencyChecker(), load_book(f"zh/{LONG['zh']}"))) <= 4


@pytest.mark.slow
def test_the_time_of_a_check_is_measured_beside_the_retrieval_it_needs() -> None:
    measured = timed(chapters=20, facts=500)
    assert min(measured.check, measured.retrieval) > 0


@pytest.mark.nightly
def test_the_bench_is_registered_and_has_a_table_by_kind() -> None:
    tables = list(BENCHES["narrative"].tables(BenchOptions(only=("zh",), quick=True)))
    assert [row[0] for row in tables[0].rows][:2] == ["dead_acts", "alias_dead"]
    assert set(tables[1].figures) == {"zh_precision", "zh_recall"}
