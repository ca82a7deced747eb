"""The embedded engine ranks records by the words of their content, by their vectors, and by both."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from amb_core.protocols import NativeSearch, Record, RecordQuery
from amb_vector_stores import QdrantStore
from amb_vector_stores.points import sparse_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("qdrant_client") is None, reason="needs the qdrant extra"),  # a second to import
]

TEXTS = {
    "eur": "Reports always in EUR, two decimals",
    "deploy": "The deployment window is Thursday evening",
    "backup": "Backups of the sales database run every night",
    "zh": "报表金额一律用欧元，保留两位小数",
    "zh2": "每周四晚上是发布窗口",
}
DIRECTIONS = {"eur": (1, 0, 0), "zh": (0.9, 0.1, 0), "deploy": (0, 1, 0), "zh2": (0, 0.9, 0.1), "backup": (0, 0, 1)}


def vector(*numbers: float) -> np.ndarray:
    found = np.array(numbers, dtype="<f4")
    return found / np.linalg.norm(found)


def memory(id: str, *, namespace: str = "u1", embedded: bool = True, **more: object) -> Record:
    data: dict[str, object] = {"content": TEXTS[id], **more}
    if embedded:
        data["embedding"] = base64.b64encode(vector(*DIRECTIONS[id]).tobytes()).decode()
    return Record(namespace, id, data)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[QdrantStore]:
    with closing(QdrantStore(tmp_path / "memory")) as store:
        yield store


def found(store: QdrantStore, text: str, *, by: np.ndarray | None = None, **query: object) -> list[str]:
    asked = RecordQuery("u1", **query)  # type: ignore[arg-type]
    return [record.id for record, _ in store.search_natively(asked, text=text, vector=by)]


def test_the_store_says_that_it_can_rank(store: QdrantStore) -> None:
    assert store.capabilities.native_search
    assert isinstance(store, NativeSearch)


@pytest.mark.parametrize(
    ("text", "best"),
    [("report decimals", "eur"), ("backup the database", "backup"), ("欧元小数", "zh"), ("发布", "zh2")],
)
def test_words_alone_find_what_says_them(store: QdrantStore, text: str, best: str) -> None:
    store.put([memory(key, embedded=False) for key in TEXTS])
    assert found(store, text)[0] == best


def test_a_vector_alone_finds_what_lies_near_it(store: QdrantStore) -> None:
    store.put([memory(key) for key in TEXTS])
    assert found(store, "", by=vector(1, 0.05, 0), limit=2) == ["eur", "zh"]


def test_words_and_vectors_are_fused(store: QdrantStore) -> None:
    store.put([memory(key) for key in TEXTS])
    assert found(store, "Thursday evening", by=vector(0, 0.9, 0.1))[:2] == ["deploy", "zh2"]
    scores = [score for _, score in store.search_natively(RecordQuery("u1"), text="window", vector=vector(0, 1, 0))]
    assert scores == sorted(scores, reverse=True)


def test_rare_words_weigh_more_than_frequent_ones(store: QdrantStore) -> None:
    store.put([Record("u1", f"r{n}", {"content": f"invoice number {n}"}) for n in range(9)])
    store.put([Record("u1", "rare", {"content": "invoice of the heliotrope"})])
    assert found(store, "invoice heliotrope")[0] == "rare"


def test_only_what_the_query_allows_is_ranked(store: QdrantStore) -> None:
    store.put([memory("eur", metadata={"type": "fact"}), memory("eur", namespace="u10"), memory("zh", kind="x")])
    store.put([Record("u1", "old", {"content": TEXTS["eur"]}, expires_at=5.0)])
    assert found(store, "decimals EUR", now=5.0) == ["eur"]
    assert found(store, "decimals EUR", now=4.9) == ["eur", "old"]
    assert found(store, "decimals EUR", within={"metadata": {"type": "trace"}}) == []
    assert found(store, "欧元", where={"kind": "x"}) == ["zh"]
    assert found(store, "decimals", limit=0) == []


@pytest.mark.parametrize("text", ["", " \n", "the of and", "的", "\ud83d", "?!"])
def test_a_query_without_words_finds_nothing_without_a_vector(store: QdrantStore, text: str) -> None:
    store.put([memory("eur")])
    assert found(store, text) == []
    assert found(store, text, by=vector(1, 0, 0)) == ["eur"]


def test_deleted_and_replaced_texts_are_no_longer_found(store: QdrantStore) -> None:
    store.put([memory("eur"), memory("deploy")], keep_history=True)
    store.put([Record("u1", "eur", {"content": "amounts in USD"})], keep_history=True)
    store.delete("u1", ["deploy"])
    assert found(store, "decimals evening") == []
    assert found(store, "", by=vector(1, 0, 0)) == []
    assert found(store, "usd") == ["eur"]


@pytest.mark.parametrize("embedding", ["", "not base64", "AAAA", base64.b64encode(bytes(12)).decode(), 7, None, [1.0]])
def test_what_is_no_vector_is_kept_and_found_by_its_words(store: QdrantStore, embedding: object) -> None:
    record = Record("u1", "r", {"content": "two decimals", "embedding": embedding})  # type: ignore[dict-item]
    store.put([record])
    assert store.get("u1", "r") == record
    assert found(store, "decimals", by=vector(1, 0, 0)) == ["r"]


def test_vectors_of_two_embedders_lie_side_by_side(store: QdrantStore) -> None:
    store.put([memory("eur"), Record("u1", "two", {"embedding": base64.b64encode(vector(1, 0).tobytes()).decode()})])
    assert found(store, "", by=vector(1, 0)) == ["two"]
    assert found(store, "", by=vector(1, 0, 0)) == ["eur"]
    assert found(store, "", by=vector(1, 0, 0, 0)) == []


def test_ranking_is_the_same_after_opening_again(tmp_path: Path) -> None:
    ranks = []
    for _ in range(2):
        with closing(QdrantStore(tmp_path / "memory")) as store:
            if not store.count("u1"):
                store.put([memory(key) for key in TEXTS])
            ranks.append(store.search_natively(RecordQuery("u1"), text="window decimals 窗口", vector=vector(1, 1, 1)))
    assert ranks[0] == ranks[1] != []


def test_the_weights_of_words_are_those_of_bm25_but_for_how_rare_they_are() -> None:
    once, twice = sparse_of("invoice"), sparse_of("invoice invoice")
    assert once is not None
    assert twice is not None
    assert once.indices == twice.indices
    assert once.values[0] < twice.values[0] < 2.2
    assert sparse_of("") is None
