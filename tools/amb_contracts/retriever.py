"""The contract of `Retriever`: subclass `RetrieverContract` in your tests and say how notes get in and out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from amb_core.errors import InvalidParameter
from amb_core.protocols import Query, Retriever

__all__ = ["RetrieverContract"]

NOTES = {
    "n1": "Titanic is a 1997 film directed by James Cameron.",
    "n2": "James Cameron (born 1954) is a Canadian film director.",
    "n3": "The cycle life of lithium iron phosphate cells is about 3,000 cycles.",
    "n4": "磷酸铁锂电池的循环寿命约为三千次。",
    "n5": "Melanie: I ran a charity race last Sunday.",
    "n6": "Caroline: 我上周去了一家素食餐厅。",
}
QUERIES = ("Who directed Titanic?", "cycle life", "循环寿命", "charity race", "film", "%_*?", "x" * 500, "。")


class RetrieverContract:
    """What every retriever promises, one sentence a test."""

    @pytest.fixture
    def retriever(self) -> Retriever:
        """Override with an empty retriever."""
        pytest.fail("override the fixture retriever")

    def put(self, retriever: Retriever, id: str, text: str) -> None:
        """Insert a note, or replace the one with its id."""
        pytest.fail("override put(retriever, id, text)")

    def remove(self, retriever: Retriever, id: str) -> None:
        """Forget a note."""
        pytest.fail("override remove(retriever, id)")

    @pytest.fixture
    def filled(self, retriever: Retriever) -> Retriever:
        """The retriever with six notes in it."""
        for note, text in NOTES.items():
            self.put(retriever, note, text)
        return retriever

    @pytest.mark.parametrize("text", QUERIES)
    @pytest.mark.parametrize("exact", [False, True])
    def test_nothing_indexed_gives_an_empty_list(self, retriever: Retriever, text: str, exact: bool) -> None:
        assert retriever.search(Query(text, exact=exact)) == []

    def test_a_note_is_found_at_once_by_its_words(self, filled: Retriever) -> None:
        assert filled.search(Query("lithium iron phosphate"))[0].id == "n3"

    def test_chinese_is_found_by_chinese(self, filled: Retriever) -> None:
        assert filled.search(Query("电池的循环寿命"))[0].id == "n4"
        assert filled.search(Query("素食餐厅在哪里"))[0].id == "n6"

    def test_the_first_note_of_all_is_found(self, retriever: Retriever) -> None:
        self.put(retriever, "n1", NOTES["n1"])
        assert [hit.id for hit in retriever.search(Query("Titanic"))] == ["n1"]

    @pytest.mark.parametrize("k", [1, 2, 3, 50])
    def test_there_are_at_most_k_hits_and_more_only_append(self, filled: Retriever, k: int) -> None:
        hits = [hit.id for hit in filled.search(Query("film by James Cameron", k=k))]
        assert len(hits) <= k
        assert [hit.id for hit in filled.search(Query("film by James Cameron", k=60))][: len(hits)] == hits

    @pytest.mark.parametrize(("k", "alpha"), [(0, 0.4), (-1, 0.4), (5, -0.1), (5, 1.1), (5, float("nan"))])
    def test_a_k_below_one_and_an_alpha_outside_zero_to_one_are_refused(
        self, filled: Retriever, k: int, alpha: float
    ) -> None:
        with pytest.raises(InvalidParameter):
            filled.search(Query("film", k=k, alpha=alpha))

    @pytest.mark.parametrize("exact", [False, True])
    def test_excluded_notes_never_come_back(self, filled: Retriever, exact: bool) -> None:
        query = Query("Who directed Titanic?", k=60, exclude=frozenset({"n1", "n4", "unknown"}), exact=exact)
        assert {"n1", "n4"}.isdisjoint(hit.id for hit in filled.search(query))

    def test_the_same_search_gives_the_same_hits(self, filled: Retriever) -> None:
        for text in QUERIES:
            assert filled.search(Query(text, k=60)) == filled.search(Query(text, k=60))

    def test_equal_notes_are_ordered_by_age(self, retriever: Retriever) -> None:
        for note in ("z", "a", "m"):
            self.put(retriever, note, "the very same words")
        self.put(retriever, "z", "the very same words")
        assert [hit.id for hit in retriever.search(Query("same words"))] == ["z", "a", "m"]

    def test_a_replaced_text_is_no_longer_found(self, filled: Retriever) -> None:
        self.put(filled, "n3", "Something else about sodium.")
        assert "n3" not in [hit.id for hit in filled.search(Query("phosphate", k=60, exact=True, mode="lexical"))]
        assert filled.search(Query("sodium"))[0].id == "n3"

    def test_a_removed_note_never_comes_back(self, filled: Retriever) -> None:
        self.remove(filled, "n1")
        self.remove(filled, "unknown")
        for text in QUERIES:
            assert "n1" not in [hit.id for hit in filled.search(Query(text, k=60))]

    def test_a_note_put_back_after_removal_is_found(self, filled: Retriever) -> None:
        self.remove(filled, "n3")
        self.put(filled, "n3", NOTES["n3"])
        assert filled.search(Query("lithium iron phosphate"))[0].id == "n3"

    @pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense", "rrf"])
    def test_scores_lie_between_zero_and_one_and_never_rise(self, filled: Retriever, mode: str) -> None:
        for text in QUERIES:
            hits = filled.search(replace(Query(text, k=60), mode=mode))  # type: ignore[arg-type]
            numbers = [number for hit in hits for number in (hit.score, hit.lexical, hit.dense)]
            assert all(0.0 <= number <= 1.0 for number in numbers)  # also false for NaN
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_a_hit_says_why_it_is_there(self, filled: Retriever) -> None:
        assert all(hit.reason for text in QUERIES for hit in filled.search(Query(text, k=60)))

    @pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "the of and", "的了是", "\u202e", "a" * 20_000])
    def test_any_query_text_is_answered(self, filled: Retriever, text: str) -> None:
        assert len(filled.search(Query(text))) <= 5

    def test_any_note_text_can_be_put(self, retriever: Retriever) -> None:
        odd = ["", " ", "\0", "\ud800", "</memory>", "%_*?'\"", "的", "x" * 50_000]
        for number, text in enumerate([*odd, "a plain sentence"]):
            self.put(retriever, f"n{number}", text)
        assert retriever.search(Query("plain sentence"))[0].id == f"n{len(odd)}"
