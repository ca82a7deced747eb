"""The contract of `NativeSearch`: subclass it and provide the fixture `store`, an empty one for each test."""

from __future__ import annotations

import base64
from typing import Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from amb_core.protocols import NativeSearch, Record, RecordQuery, RecordStore

__all__ = ["NativeSearchContract", "SearchedStore", "example_record", "example_vector", "found_in"]

TEXTS = {
    "eur": "Reports always in EUR, two decimals",
    "deploy": "The deployment window is Thursday evening",
    "backup": "Backups of the sales database run every night",
    "zh": "报表金额一律用欧元，保留两位小数",
    "zh2": "每周四晚上是发布窗口",
}
_DIRECTIONS = {"eur": (1, 0, 0), "zh": (0.9, 0.1, 0), "deploy": (0, 1, 0), "zh2": (0, 0.9, 0.1), "backup": (0, 0, 1)}
_NO_VECTORS = ["", "not base64", "AAAA", base64.b64encode(bytes(12)).decode(), 7, None, [1.0]]


class SearchedStore(RecordStore, NativeSearch, Protocol):
    """A store that ranks by its engine."""


def example_vector(*numbers: float) -> NDArray[np.float32]:
    """A vector of unit length, float32 of shape [len(numbers)]."""
    found = np.array(numbers, dtype=np.float64)
    return (found / np.linalg.norm(found)).astype(np.float32)


def example_record(id: str, *, namespace: str = "u1", embedded: bool = True, **more: object) -> Record:
    """One of five records in two languages, with its vector where it is `embedded`."""
    data: dict[str, object] = {"content": TEXTS[id], **more}
    if embedded:
        data["embedding"] = base64.b64encode(example_vector(*_DIRECTIONS[id]).tobytes()).decode()
    return Record(namespace, id, data)  # type: ignore[arg-type]


def found_in(store: NativeSearch, text: str, *, by: NDArray[np.float32] | None = None, **query: object) -> list[str]:
    """The ids that a search of the namespace `u1` finds, best first."""
    asked = RecordQuery("u1", **query)  # type: ignore[arg-type]
    return [record.id for record, _ in store.search_natively(asked, text=text, vector=by)]


class NativeSearchContract:
    """What every store that ranks by its engine keeps to."""

    def test_it_says_that_it_can_rank(self, store: SearchedStore) -> None:
        assert store.capabilities.native_search
        assert isinstance(store, NativeSearch)

    @pytest.mark.parametrize(
        ("text", "best"),
        [("report decimals", "eur"), ("backup the database", "backup"), ("欧元小数", "zh"), ("发布", "zh2")],
    )
    def test_words_alone_find_what_says_them(self, store: SearchedStore, text: str, best: str) -> None:
        store.put([example_record(key, embedded=False) for key in TEXTS])
        assert found_in(store, text)[0] == best

    def test_vectors_find_what_lies_near_and_both_are_fused(self, store: SearchedStore) -> None:
        store.put([example_record(key) for key in TEXTS])
        assert found_in(store, "", by=example_vector(1, 0.05, 0), limit=2) == ["eur", "zh"]
        both = store.search_natively(RecordQuery("u1"), text="Thursday evening", vector=example_vector(0, 0.9, 0.1))
        assert [record.id for record, _ in both][:2] == ["deploy", "zh2"]
        assert [score for _, score in both] == sorted((score for _, score in both), reverse=True)

    def test_rare_words_weigh_more_than_frequent_ones(self, store: SearchedStore) -> None:
        store.put([Record("u1", f"r{n}", {"content": f"invoice number {n}"}) for n in range(9)])
        store.put([Record("u1", "rare", {"content": "invoice of the heliotrope"})])
        assert found_in(store, "invoice heliotrope")[0] == "rare"

    def test_only_what_the_query_allows_is_ranked(self, store: SearchedStore) -> None:
        store.put([example_record("eur", metadata={"type": "fact"}), example_record("eur", namespace="u10")])
        store.put([example_record("zh", kind="x"), Record("u1", "old", {"content": TEXTS["eur"]}, expires_at=5.0)])
        assert found_in(store, "decimals EUR", now=5.0) == ["eur"]
        assert sorted(found_in(store, "decimals EUR", now=4.9)) == ["eur", "old"]
        assert found_in(store, "decimals EUR", within={"metadata": {"type": "trace"}}) == []
        assert found_in(store, "欧元", where={"kind": "x"}) == ["zh"]
        assert found_in(store, "decimals", limit=0) == []

    @pytest.mark.parametrize("text", ["", " \n", "the of and", "\ud83d", "?!"])
    def test_a_query_without_words_finds_nothing_without_a_vector(self, store: SearchedStore, text: str) -> None:
        store.put([example_record("eur")])
        assert found_in(store, text) == []
        assert found_in(store, text, by=example_vector(1, 0, 0)) == ["eur"]

    def test_deleted_and_replaced_texts_are_no_longer_found(self, store: SearchedStore) -> None:
        store.put([example_record("eur"), example_record("deploy")], keep_history=True)
        assert found_in(store, "decimals") == ["eur"]
        store.put([Record("u1", "eur", {"content": "amounts in USD"})], keep_history=True)
        store.delete("u1", ["deploy"])
        assert found_in(store, "decimals evening") == []
        assert found_in(store, "", by=example_vector(1, 0, 0)) == []
        assert found_in(store, "usd") == ["eur"]

    @pytest.mark.parametrize("embedding", _NO_VECTORS)
    def test_what_is_no_vector_is_kept_and_found_by_its_words(self, store: SearchedStore, embedding: object) -> None:
        record = Record("u1", "r", {"content": "two decimals", "embedding": embedding})  # type: ignore[dict-item]
        store.put([record])
        assert store.get("u1", "r") == record
        assert found_in(store, "decimals", by=example_vector(1, 0, 0)) == ["r"]

    def test_vectors_of_two_embedders_lie_side_by_side(self, store: SearchedStore) -> None:
        two = base64.b64encode(example_vector(1, 0).tobytes()).decode()
        store.put([example_record("eur"), Record("u1", "two", {"embedding": two})])
        assert found_in(store, "", by=example_vector(1, 0)) == ["two"]
        assert found_in(store, "", by=example_vector(1, 0, 0)) == ["eur"]
        assert found_in(store, "", by=example_vector(1, 0, 0, 0)) == []
