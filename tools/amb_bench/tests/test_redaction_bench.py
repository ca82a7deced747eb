"""`amb bench redaction`: what counts as found, and that the sentences of our own are all found or left."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.redaction_bench import score, tables
from amb_bench.redaction_sets import Part, chinese_sentences, load_presidio_sentences, marked_text

from amb_core.errors import UnreadableSource
from amb_redaction import Found, PatternRedactor, RedactionKind

pytestmark = pytest.mark.slow


def test_overlapping_things_of_the_same_kind_are_met_and_only_equal_ones_exact() -> None:
    texts = [marked_text("call {{phone|555 0100}} now"), marked_text("nothing here")]
    scores = score(lambda text: [Found(RedactionKind.PHONE, 0, 7)], texts)
    phone = scores.kinds[RedactionKind.PHONE]
    assert (phone.marked, phone.met, phone.exact, phone.found, phone.right) == (1, 1, 0, 2, 1)
    assert (scores.clean, scores.untouched) == (1, 0)


@pytest.mark.parametrize("part", ["development", "held-out"])
def test_at_least_75_chinese_sentences_a_part_have_nothing_missed_nor_spoilt(part: Part) -> None:
    sentences = chinese_sentences(part)
    scores = score(PatternRedactor().find, sentences)
    assert len(sentences) >= 75
    assert scores.untouched == scores.clean
    assert all(kind.met == kind.marked and kind.right == kind.found for kind in scores.kinds.values())


def test_without_the_english_sentences_the_bench_says_so_and_goes_on(tmp_path: Path) -> None:
    shown = [table.text() for table in tables(BenchOptions(data=tmp_path, quick=True))]
    assert any("microsoft/presidio-research" in table for table in shown)
    assert any(table.startswith("Hostile texts") for table in shown)
    with pytest.raises(UnreadableSource):
        load_presidio_sentences(folder=tmp_path)
