"""The runner measures every recipe the same way; on the real data ours must beat plain BM25 by far."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.datasets import Passage, Question, Sample, load_hotpotqa, load_locomo
from amb_bench.recipes import DialogueMemory, TitleLinksMemory
from amb_bench.retrieval_bench import Recipe, links_table, named_pairs, recall_tables, recipes, sampled, tables

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


def test_published_figures_stand_beside_the_measured_ones() -> None:
    table, _ = recall_tables("locomo", [SAMPLE], recipes(None, kind="locomo"))
    assert {row[0]: row[3] for row in table.rows}["BM25, good tokens"] == "53.3 / 61.0"


def test_titles_known_beforehand_bring_what_the_best_passages_name() -> None:
    memory = TitleLinksMemory()
    for number in range(4):
        memory.absorb(Passage(f"filler {number}", "What fell was born of rain on the harbour.", "f"))
    for passage in SAMPLE.passages:
        memory.absorb(replace(passage, title=passage.text.partition("\n")[0]))
    assert memory.recall("Titanic 1997", k=4)[:2] == ["film", "filler 0"]
    assert "man" in memory.recall("Titanic 1997", k=4)


def test_a_turn_beside_a_match_by_the_person_asked_about_is_found() -> None:
    memory = DialogueMemory()
    for number, text in enumerate(["Ann: Any pottery, Bob?", "Bob: Yes, on Monday.", "Ann: Rain today.", "Bob: Bye."]):
        memory.absorb(Passage(f"t{number}", text, "chat", number))
    assert set(memory.recall("When does Bob do pottery?", k=2)) == {"t0", "t1"}


def test_a_small_sample_keeps_the_evidence_of_the_questions_it_keeps() -> None:
    small = sampled(SAMPLE, questions=1, passages=2)
    assert [passage.id for passage in small.passages] == ["film", "man"]
    assert len(small.questions) == 1


@pytest.mark.parametrize("backwards", [False, True])
def test_passages_that_name_a_title_are_joined_in_both_languages(backwards: bool) -> None:
    passages = (
        Passage("a", "石虎乡位于山区，是一个小乡。", "a", title="石虎乡"),
        Passage("b", "他早年在石虎乡当过小学教员。", "b", title="某人"),
        Passage("c", "James Cameron is a director.", "c", title="James Cameron"),
        Passage("d", "The film was made by James Cameron.", "d", title="The film"),
    )
    sample = Sample("small", passages[::-1] if backwards else passages, ())
    assert sorted(named_pairs(sample)) == [("a", "b"), ("c", "d")]
    assert [row[2] for row in links_table("small", sample).rows] == [100.0, 100.0]


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
