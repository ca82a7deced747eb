"""The runner measures every recipe the same way; on the real data ours must beat plain BM25 by far."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.datasets import Passage, Question, Sample, load_hotpotqa, load_locomo
from amb_bench.retrieval_bench import Recipe, recall_tables, recipes, tables

from amb_core.errors import InvalidParameter, UnreadableSource
from amb_embedders import HashingEmbedder

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
@pytest.mark.parametrize("name", ["hotpotqa", "locomo", "cmrc"])
def test_every_row_of_the_table_is_there_and_says_where_it_needs_vectors(
    name: str, embedder: HashingEmbedder | None
) -> None:
    table, halves = recall_tables(name, [SAMPLE], recipes(embedder, kind=name))
    assert len(table.rows) == (9 if name == "cmrc" else 10)
    missing = [row[0] for row in table.rows if "needs vectors" in row]
    assert len(missing) == (4 if embedder is None else 0)
    assert [row[0] for row in table.rows[-2:]] == ["AMB: absorb and recall", "goal"]
    assert len(halves.rows) == 2


def test_the_bank_finds_the_evidence_of_easy_questions() -> None:
    table, _ = recall_tables("hotpotqa", [SAMPLE], recipes(None)[-1:])
    assert table.rows[0][1:4] == (100.0, 100.0, 100.0)


def test_an_unknown_set_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(InvalidParameter, match="there is no set 'nothing'"):
        next(tables(BenchOptions(only=("nothing",))))


@pytest.mark.nightly
def test_on_real_sets_the_bare_index_beats_plain_bm25_by_far() -> None:
    try:
        multi_hop, dialogues = load_hotpotqa(), load_locomo()[:1]
    except UnreadableSource as error:
        pytest.skip(str(error))
    for name, samples in (("hotpotqa", [multi_hop]), ("locomo", dialogues)):
        rows = {recipe.name: recipe for recipe in recipes(None, kind=name)}
        table, _ = recall_tables(name, samples, [rows["BM25, good tokens"], rows["AMB: bare index"]])
        plain, ours, _ = table.rows
        assert float(ours[1]) > float(plain[1]) + 10
        assert float(ours[2]) > float(plain[2]) + 5


def test_a_fresh_memory_is_opened_for_each_sample() -> None:
    second = replace(SAMPLE, passages=SAMPLE.passages[2:], questions=SAMPLE.questions[1:])
    plain: list[Recipe] = [row for row in recipes(None) if row.name == "BM25, good tokens"]
    table, _ = recall_tables("cmrc", [SAMPLE, second], plain)
    assert table.rows[0][1] == pytest.approx(100 * (0.5 + 1 + 1) / 3)
