"""The evidence bench shows every way the same question and budget, and finds what is there word for word."""

from __future__ import annotations

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.bounded_bench import evidence_table, tables
from amb_bench.bounded_opponents import OPPONENTS, amb_block
from amb_bench.datasets import Passage, Question, Sample

from amb_bench import bounded_streams as streams
from amb_core.errors import InvalidParameter, UnreadableSource
from amb_core.text import estimate_tokens

pytestmark = pytest.mark.slow

GOLD = Passage("gold", "Oakmere\nOakmere is a town <of> 900 houses. It lies on a hill.", "p0")
GOLD_ZH = Passage("gold", "橡树湖是一座有900栋房屋的小镇。它坐落在山上。", "p0")
NOISE = tuple(
    Passage(f"p{n}", f"Village {n}\nVillage {n} is known for its market of the year {1500 + n}. Rain is rare.", f"p{n}")
    for n in range(1, 40)
)
NOISE_ZH = tuple(Passage(f"p{n}", f"第{n}村以{1500 + n}年的集市闻名。那里很少下雨。", f"p{n}") for n in range(1, 40))
EN = Sample("en", (GOLD, *NOISE), (Question("What is Oakmere?", ("gold",), ("Oakmere is a town <of> 900 houses.",)),))
ZH = Sample(
    "zh", (GOLD_ZH, *NOISE_ZH), (Question("橡树湖有多少房屋？", ("gold",), ("橡树湖是一座有900栋房屋的小镇。",)),)
)
BOTH = pytest.mark.parametrize("sample", [EN, ZH], ids=["en", "zh"])


@BOTH
def test_what_a_question_finds_is_shown_and_what_came_long_ago_is_not(sample: Sample) -> None:
    rows = {row[0]: row[1:] for row in evidence_table("small", [sample], budgets=(120, 200)).rows}
    assert rows["full context (no bound)"] == rows["AMB block"] == (100.0, 100.0)
    assert rows["BM25 over passages"] == rows["Markdown notes, searched"] == (100.0, 100.0)
    assert rows["newest results"] == rows["Markdown notes, the newest"] == (0.0, 0.0)
    assert rows["AMB block, % of full context"] == (100.0, 100.0)


@pytest.mark.sampled(4)
@BOTH
@pytest.mark.parametrize("budget", [60, 150, 400])
def test_every_way_but_full_context_keeps_the_budget(sample: Sample, budget: int) -> None:
    for name, opened in {**OPPONENTS, "AMB block": amb_block}.items():
        shown = opened(sample)(sample.questions[0].text, budget)
        assert shown
        assert estimate_tokens(shown) <= 1.1 * budget or name.startswith("full"), name


def test_gold_passages_lie_in_the_first_third_and_each_memory_has_its_size() -> None:
    questions = tuple(Question(f"Village {n}?", (f"p{n}",), (f"Village {n} is known",)) for n in range(1, 9))
    whole = Sample("s", NOISE, questions)
    found = list(streams.among_distractors(whole, distractors=20, questions=6))
    assert [len(sample.questions) for sample in found] == [2, 2, 2]
    for sample in found:
        order = [passage.id for passage in sample.passages]
        assert len(order) == len(set(order)) == 22
        assert all(order.index(question.gold[0]) < 22 // 3 for question in sample.questions)


def test_an_unknown_part_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidParameter, match="locomo-sessions"):
        list(tables(BenchOptions(only=("hotpot",))))


@pytest.mark.nightly
def test_on_real_passages_the_block_keeps_nearly_all_evidence() -> None:
    try:
        [table] = tables(BenchOptions(only=("hotpotqa",), quick=True))
    except UnreadableSource as error:
        pytest.skip(str(error))
    rows = {str(row[0]): float(row[3]) for row in table.rows}
    assert rows["AMB block, % of full context"] >= 95.0
