"""How alike a query and a record are said to be, by their words and by the vectors of an embedder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import amb_bench
from amb_core.embedders import HashingEmbedder
from amb_core.longterm.nearness import Nearness, nearness_of
from amb_core.longterm.record_index import RecordIndex
from amb_core.longterm.similarity import Question, falling, further_terms
from amb_core.text import index_tokens

LEAST = 0.3
Rows = list[dict[str, Any]]


def rows(half: str) -> Rows:
    file = Path(amb_bench.__file__).with_name("preference_queries.jsonl")
    found = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [row for row in found if row["half"] == half]


def filled(half: Rows) -> RecordIndex:
    index = RecordIndex()
    for row in half:
        if "record" in row:
            index.put(row["id"], text=row["record"])
    return index


def covered(query: str, record: str) -> float:
    question, terms = Question(query), {*index_tokens(record), *further_terms(record)}
    held = np.array([[term in terms] for term in question.terms], dtype=bool)
    return float(question.covered(held, rarity=lambda term: 1.0)[1][0])


class Shifted(HashingEmbedder):
    """An embedder all of whose vectors lie close together, as those of many models do."""

    def __init__(self, name: str) -> None:
        super().__init__(dimension=64)
        self._name = name

    @property
    def model_id(self) -> str:
        return self._name

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        rows = super().embed(texts, role=role) + np.float32(0.3)
        lengths: NDArray[np.float32] = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / lengths).astype(np.float32)


@pytest.mark.parametrize("half", ["development", "held-out"])
def test_nearly_all_answers_are_kept_by_the_least_score_and_few_hits_of_questions_without_one(half: str) -> None:
    index = filled(rows(half))
    kept = asked = false = slots = 0
    for row in (row for row in rows(half) if "query" in row):
        hits = {found.id for found in index.find(row["query"], k=5) if found.similarity >= LEAST}
        if row["gold"]:
            kept, asked = kept + len(hits & set(row["gold"])), asked + len(row["gold"])
        else:
            false, slots = false + len(hits), slots + 5
    assert kept >= 0.95 * asked
    assert false <= 0.1 * slots


@pytest.mark.parametrize(
    ("query", "record"),
    [
        ("supplier", "the vendor from Leeds"),
        ("供应商", "上海的厂商"),
        ("revenue", "turnover of May"),
        ("营收", "五月的销售额"),
        ("customer", "客户名单"),
        ("客户", "list of clients"),
    ],
)
def test_words_for_the_same_count_more_than_words_of_the_same_field_and_less_than_the_word_itself(
    query: str, record: str
) -> None:
    assert 0.5 < covered(query, record) < 1.0
    assert covered(query, f"{record} {query}") == pytest.approx(1.0)


def test_words_that_only_have_the_field_in_common_are_alike_by_half() -> None:
    assert covered("amount", "decimals") == pytest.approx(0.55, abs=0.06)
    assert covered("金额", "小数") == pytest.approx(0.55, abs=0.06)
    assert covered("amount", "Fridays") == 0.0


def test_what_is_asked_for_and_not_there_lowers_likeness() -> None:
    assert covered("shoe size", "size") < covered("size", "size")
    assert covered("服务器内存", "服务器") < covered("服务器", "服务器")


def test_the_words_in_names_of_tables_and_columns_are_found() -> None:
    assert {"net", "amount"} <= set(further_terms("SELECT net_amount FROM t"))
    assert {"~data", "~money"} <= set(further_terms("SELECT net_amount FROM t"))
    assert further_terms("") == ()


def test_full_width_and_capital_letters_are_the_same_letters() -> None:
    assert covered("ＥＵＲ", "eur") == covered("eur", "EUR") == pytest.approx(1.0)


def test_values_that_rise_are_levelled_to_their_mean_and_falling_ones_stay() -> None:
    assert falling(np.array([0.9, 0.2, 0.4, 0.1], dtype=np.float32)).tolist() == pytest.approx([0.9, 0.3, 0.3, 0.1])
    assert falling(np.array([0.5, 0.4], dtype=np.float32)).tolist() == pytest.approx([0.5, 0.4])
    assert falling(np.zeros(0, dtype=np.float32)).tolist() == []


@pytest.mark.parametrize("role", ["query", "document"])
@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_cosines_are_read_by_what_the_embedder_makes_of_known_pairs(
    language: str, role: Literal["query", "document"]
) -> None:
    wide = nearness_of(HashingEmbedder(), language=language, role=role)
    narrow = nearness_of(Shifted("shifted-64"), language=language, role=role)
    assert narrow.apart > wide.apart + 0.2
    for near in (wide, narrow):
        read = near.of(np.array([-1.0, near.apart, near.together, 1.0], dtype=np.float32))
        assert read.tolist() == pytest.approx([0.0, 0.2, 0.65, 1.0], abs=0.1)


def test_likeness_read_from_cosines_never_leaves_0_to_1() -> None:
    read = Nearness(0.8, 0.8).of(np.linspace(-1, 1, 50, dtype=np.float32))
    assert read.min() == 0.0
    assert read.max() == 1.0
