"""Recall and evidence shares on cases counted by hand."""

from __future__ import annotations

import pytest
from amb_bench.bench_metrics import evidence_share, recall_at
from amb_bench.tables import Table, joined


@pytest.mark.parametrize(
    ("ranked", "gold", "k", "expected"),
    [
        (["a", "b", "c"], ["b", "z"], 2, 0.5),
        (["a", "b", "c"], ["c"], 2, 0.0),
        (["a", "b"], ["a", "b"], 10, 1.0),
        ([], ["a"], 5, 0.0),
        (["a"], [], 5, 1.0),
        (["a", "x"], ["a", "a"], 1, 1.0),
    ],
)
def test_recall_is_the_share_of_gold_among_the_first_k(
    ranked: list[str], gold: list[str], k: int, expected: float
) -> None:
    assert recall_at(ranked, gold, k=k) == expected


def test_evidence_counts_only_word_for_word_but_white_space_does_not_matter() -> None:
    block = "[n1] It was  built\nin 1931. 建于1931年。"
    assert evidence_share(block, ["It was built in 1931.", "It was built in 1932.", "建于1931年。"]) == 2 / 3
    assert evidence_share(block, []) == 1.0


def test_a_table_reads_in_columns_and_travels_as_data() -> None:
    table = Table("recall", ("recipe", "R@5"), (("BM25", 77.04), ("AMB", 100.0)))
    assert table.text() == "recall\nrecipe    R@5\nBM25     77.0\nAMB     100.0"
    assert table.data() == {
        "title": "recall",
        "rows": [{"recipe": "BM25", "R@5": 77.04}, {"recipe": "AMB", "R@5": 100.0}],
    }
    assert joined([table, table]).count("recall") == 2
