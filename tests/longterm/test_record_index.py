"""The records of one namespace: what is found, in which order, and how alike it is said to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter, ModelUnavailable
from amb_embedders import HashingEmbedder
from amb_longterm.record_index import Found, RecordIndex

RECORDS = {
    "r1": "Reports always in EUR, two decimals",
    "r2": "Never deploy on Fridays",
    "r3": "Active customer: at least one paid order within the last 90 days",
    "r4": "SELECT region, SUM(net_total) FROM orders JOIN customers USING (customer_id) GROUP BY region",
    "z1": "报表一律用中文，表头加粗",
    "z2": "华东区的负责人是李静",
}


def filled(records: dict[str, str] = RECORDS) -> RecordIndex:
    index = RecordIndex()
    for name, text in records.items():
        index.put(name, text=text)
    return index


def names(found: Sequence[Found], *, least: float = 0.0) -> list[str]:
    return [each.id for each in found if each.similarity >= least]


class DeadEmbedder(HashingEmbedder):
    """An embedder whose service is down."""

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        raise ModelUnavailable("the service is down; try again later")


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("how many decimals in reports?", "r1"),
        ("may I deploy on Friday?", "r2"),
        ("when does a customer count as active?", "r3"),
        ("net total by region", "r4"),
        ("how do orders and customer id go together?", "r4"),
        ("报表用什么语言？", "z1"),
        ("华东找谁？", "z2"),
    ],
)
def test_the_record_that_answers_is_found_first(query: str, best: str) -> None:
    assert names(filled().find(query, k=5), least=0.3)[:1] == [best]


@pytest.mark.parametrize(
    "query", ["What is the weather in Lisbon?", "recipe for apple pie", "明天上海天气怎么样？", "推荐一本小说", "xyzzy"]
)
def test_nothing_is_said_to_be_alike_that_has_nothing_to_do_with_the_question(query: str) -> None:
    assert names(filled().find(query, k=5), least=0.3) == []


def test_similarity_stays_what_it_is_when_unrelated_records_come_in() -> None:
    query, few, many = "how many decimals in reports?", filled(), filled()
    for number in range(200):
        many.put(f"n{number}", text=f"Room {number} has a window to the garden")
    (small,), (large,) = few.find(query, k=1), many.find(query, k=1)
    assert small.id == large.id
    assert small.similarity == pytest.approx(large.similarity, abs=0.1)


def test_similarities_and_ranks_lie_between_0_and_1_and_ranks_never_rise_along_the_list() -> None:
    found = filled().find("report the orders of a customer by region 报表", k=6)
    ranks = [each.rank for each in found]
    assert ranks == sorted(ranks, reverse=True)
    assert all(0.0 <= number <= 1.0 for each in found for number in (each.similarity, each.rank))


def test_a_record_that_a_name_in_the_best_one_leads_to_is_found_with_it() -> None:
    index = filled(
        {f"n{number}": f"The museum in town {number} was founded in {1900 + number}" for number in range(30)}
    )
    index.put("museum", text="Oakberg Museum\nThe Oakberg Museum was founded by Clara Lindholm.")
    index.put("clara", text="Clara Lindholm\nClara Lindholm comes from Uppsala.")
    assert names(index.find("Where does the founder of the Oakberg Museum come from?", k=2)) == ["museum", "clara"]


@pytest.mark.parametrize("query", ["", "   \n", "？！"])
def test_an_empty_query_finds_nothing(query: str) -> None:
    assert filled().find(query, k=5) == []
    assert filled().alike(query, k=5) == []


def test_a_query_to_an_empty_index_finds_nothing() -> None:
    assert RecordIndex().find("amounts", k=5) == []


@pytest.mark.parametrize("k", [0, -1])
def test_fewer_than_one_record_cannot_be_asked_for(k: int) -> None:
    with pytest.raises(InvalidParameter, match="k must be at least 1"):
        filled().find("amounts", k=k)
    with pytest.raises(InvalidParameter, match="k must be at least 1"):
        filled().alike("amounts", k=k)


def test_only_allowed_records_are_found_and_no_excluded_ones() -> None:
    index = filled()
    assert names(index.find("reports in EUR", k=5, allowed={"r2", "r3"})) == []
    assert "r1" not in names(index.find("reports in EUR", k=5, exclude=["r1"]))
    assert names(index.find("reports in EUR", k=5, allowed={"r1", "r2"}, exclude=["r1"])) == []
    assert "r1" not in names(index.alike(RECORDS["r1"], k=5, exclude=["r1"]))


def test_a_removed_record_is_found_no_more_and_a_replaced_one_by_its_new_words_alone() -> None:
    index = filled()
    index.remove("r2")
    index.remove("nobody")
    index.put("r1", text="Charts in blue")
    index.forget_removed()
    assert "r2" not in index
    assert list(index) == ["r1", "r3", "r4", "z1", "z2"]
    assert names(index.find("deploy on Fridays", k=5), least=0.3) == []
    assert names(index.find("amounts in EUR with two decimals", k=5), least=0.6) == []
    assert names(index.find("what colour are charts?", k=5), least=0.3)[:1] == ["r1"]


def test_a_long_message_is_met_by_what_meets_one_of_its_sentences() -> None:
    message = (
        "Good morning, thanks for the help with the broken coffee machine yesterday, my colleagues were delighted. "
        "How many decimals in EUR do reports have? "
        "After lunch somebody from the housing association will come by to look at the ceiling of the cellar."
    )
    assert names(filled().find(message, k=3), least=0.3)[:1] == ["r1"]


@pytest.mark.slow
def test_a_text_of_a_quarter_of_a_million_characters_is_no_trouble() -> None:
    long = "amounts in EUR " * 17_000
    index = filled()
    index.put("long", text=long)
    assert "r1" in names(index.find(long, k=5))
    assert names(index.alike(long, k=3))[:1] == ["long"]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("All reports should use euros with two decimal places", "r1"),
        ("Do not deploy on a Friday", "r2"),
        ("华东区由李静负责", "z2"),
    ],
)
def test_the_record_that_says_the_same_in_other_words_is_the_first_candidate(text: str, same: str) -> None:
    assert names(filled().alike(text, k=3))[:1] == [same]


def test_likeness_is_lowered_by_what_only_one_of_two_texts_says() -> None:
    index = filled()
    (whole, *_), (more, *_) = index.alike(RECORDS["r2"], k=1), index.alike(f"{RECORDS['r2']}. {RECORDS['r3']}", k=1)
    assert whole.similarity == pytest.approx(1.0, abs=0.01)
    assert more.similarity < 0.9


def test_records_that_rank_equal_come_in_the_order_they_were_put() -> None:
    index = filled({f"r{number}": "The depot opens at nine" for number in (3, 1, 2)})
    index.put("r3", text="The depot opens at nine")
    assert names(index.find("when does the depot open?", k=3)) == ["r3", "r1", "r2"]


def test_while_the_embedder_fails_records_are_found_by_their_words() -> None:
    index = RecordIndex(embedder=DeadEmbedder())
    index.put("r1", text=RECORDS["r1"], vector=HashingEmbedder().embed([RECORDS["r1"]])[0])
    assert names(index.find("how many decimals in reports?", k=5), least=0.3) == ["r1"]
    assert names(index.alike(RECORDS["r1"], k=5)) == ["r1"]


def test_a_vector_of_another_embedder_is_refused_and_changes_nothing() -> None:
    index = RecordIndex(embedder=HashingEmbedder())
    index.put("r1", text=RECORDS["r1"], vector=HashingEmbedder().embed([RECORDS["r1"]])[0])
    with pytest.raises(InvalidParameter, match="one embedder"):
        index.put("r2", text=RECORDS["r2"], vector=np.ones(7, dtype=np.float32))
    assert list(index) == ["r1"]


@pytest.mark.parametrize("with_vectors", [False, True])
def test_an_index_taken_up_again_finds_the_same(with_vectors: bool) -> None:
    embedder = HashingEmbedder() if with_vectors else None
    index, again = RecordIndex(embedder=embedder), RecordIndex(embedder=embedder)
    for name, text in RECORDS.items():
        index.put(name, text=text, vector=embedder.embed([text])[0] if embedder else None)
    index.remove("r3")
    again.restore(index.packed())
    for query in ("how many decimals in reports?", "net total by region", "报表用什么语言？"):
        assert again.find(query, k=5) == index.find(query, k=5)
        assert again.alike(query, k=5) == index.alike(query, k=5)
