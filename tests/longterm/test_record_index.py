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


def test_a_record_that_a_name_in_the_best_one_leads_to_is_found_with_it() -> None:
    index = filled(
        {f"n{number}": f"The museum in town {number} was founded in {1900 + number}" for number in range(30)}
    )
    index.put("museum", text="Oakberg Museum\nThe Oakberg Museum was founded by Clara Lindholm.")
    index.put("clara", text="Clara Lindholm\nClara Lindholm comes from Uppsala.")
    assert names(index.find("Where does the founder of the Oakberg Museum come from?", k=2)) == ["museum", "clara"]


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
