"""The runner measures every recipe the same way; on the real data ours must beat plain BM25 by far."""

from __future__ import annotations

from dataclasses import replace

import pytest

from amb_core.embedders import HashingEmbedder
from amb_core.errors import UnreadableSource
from amb_core.evaluation.datasets import Passage, Question, Sample, load_hotpotqa, load_locomo
from amb_core.evaluation.memories import IndexMemory
from amb_core.evaluation.retrieval_bench import evidence_in_block, recall_table, recipes

SAMPLE = Sample(
    "small",
    (
        Passage("film", "Titanic\nTitanic is a 1997 film directed by James Cameron.", "p0"),
        Passage("man", "James Cameron\nJames Cameron was born in Kapuskasing in 1954.", "p1"),
        Passage("rain", "Rain fell on the harbour <of> Hamburg all day.", "p2"),
    ),
    (
        Question(
            "Where was the director of Titanic born?", ("film", "man"), ("James Cameron was born in Kapuskasing",)
        ),
        Question("What fell on the harbour?", ("rain",), ("the harbour <of> Hamburg",)),
    ),
)


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_every_recipe_finds_the_evidence_of_easy_questions(embedder: HashingEmbedder | None) -> None:
    table = recall_table("small", [SAMPLE], (1, 3), recipes(embedder))
    assert len(table.rows) == (4 if embedder is None else 7)
    assert table.rows[-1] == ("AMB: absorb and recall", 75.0, 100.0)
    assert all(row[1] == 75.0 for row in table.rows[:2])


def test_evidence_is_looked_for_in_the_block_as_it_is_shown() -> None:
    table = evidence_in_block(SAMPLE, budgets=(5, 500))
    assert {row[0]: row[2] for row in table.rows}["AMB block"] == 100.0
    assert all(row[1] == 0.0 for row in table.rows)


@pytest.mark.slow
def test_on_real_sets_the_index_beats_plain_bm25_by_far() -> None:
    try:
        multi_hop, dialogues = load_hotpotqa(), load_locomo()[:1]
    except UnreadableSource as error:
        pytest.skip(str(error))
    memories = {
        "plain": lambda: IndexMemory(mode="lexical", exact=True),
        "ours": IndexMemory,
    }
    for samples in ([multi_hop], dialogues):
        plain, ours = recall_table("real", samples, (5, 10), memories).rows
        assert float(ours[1]) > float(plain[1]) + 10
        assert float(ours[2]) > float(plain[2]) + 5


def test_a_fresh_memory_is_opened_for_each_sample() -> None:
    second = replace(SAMPLE, passages=SAMPLE.passages[2:], questions=SAMPLE.questions[1:])
    table = recall_table("two", [SAMPLE, second], (1,), {"plain": IndexMemory})
    assert table.rows[0][1] == pytest.approx(100 * (0.5 + 1 + 1) / 3)
