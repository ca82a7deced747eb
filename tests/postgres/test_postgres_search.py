"""The database finds candidates by words and vectors: what is allowed, what is there, and of one tenant alone."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import psycopg
import pytest

from amb_core.longterm import LongTermMemory, LongTermSettings
from amb_core.protocols import NativeSearch, Record, RecordQuery
from amb_core.stores import open_store
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_store import PostgresStore

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
def store(space: str) -> Iterator[PostgresStore]:
    with closing(open_store(space)) as store:
        assert isinstance(store, PostgresStore)
        yield store


def found(store: PostgresStore, text: str, *, by: np.ndarray | None = None, **query: object) -> list[str]:
    asked = RecordQuery("u1", **query)  # type: ignore[arg-type]
    return [record.id for record, _ in store.search_natively(asked, text=text, vector=by)]


def test_the_store_says_that_it_can_rank(store: PostgresStore) -> None:
    assert store.capabilities.native_search
    assert isinstance(store, NativeSearch)


@pytest.mark.parametrize(
    ("text", "best"),
    [("report decimals", "eur"), ("backup the database", "backup"), ("欧元小数", "zh"), ("发布", "zh2")],
)
def test_words_alone_find_what_says_them(store: PostgresStore, text: str, best: str) -> None:
    store.put([memory(key, embedded=False) for key in TEXTS])
    assert found(store, text)[0] == best


def test_vectors_find_what_lies_near_and_both_are_fused(store: PostgresStore) -> None:
    store.put([memory(key) for key in TEXTS])
    assert found(store, "", by=vector(1, 0.05, 0), limit=2) == ["eur", "zh"]
    assert found(store, "Thursday evening", by=vector(0, 0.9, 0.1))[:2] == ["deploy", "zh2"]
    assert found(store, "", by=vector(1, 0)) == []


def test_rare_words_weigh_more_than_frequent_ones(store: PostgresStore) -> None:
    store.put([Record("u1", f"r{n}", {"content": f"invoice number {n}"}) for n in range(9)])
    store.put([Record("u1", "rare", {"content": "invoice of the heliotrope"})])
    assert found(store, "invoice heliotrope")[0] == "rare"


def test_only_what_the_query_allows_is_ranked(store: PostgresStore) -> None:
    store.put([memory("eur", metadata={"type": "fact"}), memory("eur", namespace="u10"), memory("zh", kind="x")])
    store.put([Record("u1", "old", {"content": TEXTS["eur"]}, expires_at=5.0)])
    assert found(store, "decimals EUR", now=5.0) == ["eur"]
    assert sorted(found(store, "decimals EUR", now=4.9)) == ["eur", "old"]
    assert found(store, "decimals EUR", within={"metadata": {"type": "trace"}}) == []
    assert found(store, "欧元", where={"kind": "x"}) == ["zh"]
    assert found(store, "decimals", limit=0) == []


@pytest.mark.parametrize("text", ["", " \n", "the of and", "\ud83d", "?!"])
def test_a_query_without_words_finds_nothing_without_a_vector(store: PostgresStore, text: str) -> None:
    store.put([memory("eur")])
    assert found(store, text) == []
    assert found(store, text, by=vector(1, 0, 0)) == ["eur"]


def test_what_changes_is_found_as_it_is_now_and_what_is_deleted_no_more(store: PostgresStore, space: str) -> None:
    store.put([memory("eur"), memory("deploy")], keep_history=True)
    assert found(store, "decimals") == ["eur"]
    with closing(open_store(space)) as other:
        other.put([Record("u1", "eur", {"content": "amounts in USD"})], keep_history=True)
        other.delete("u1", ["deploy"])
    assert found(store, "decimals evening") == []
    assert found(store, "usd") == ["eur"]


@pytest.mark.parametrize("embedding", ["", "not base64", "AAAA", base64.b64encode(bytes(12)).decode(), 7, None, [1.0]])
def test_what_is_no_vector_is_kept_and_found_by_its_words(store: PostgresStore, embedding: object) -> None:
    store.put([Record("u1", "r", {"content": "two decimals", "embedding": embedding})])  # type: ignore[dict-item]
    assert found(store, "decimals", by=vector(1, 0, 0)) == ["r"]


def test_another_tenant_finds_nothing_and_no_word_stands_in_the_index(server: PostgresServer) -> None:
    ours, theirs = (f"{server.url()}?tenant={name}&space=search" for name in ("finder", "rival"))
    with closing(open_store(ours)) as mine, closing(open_store(theirs)) as other:
        mine.put([memory("eur")])
        assert found(mine, "decimals") == ["eur"]  # type: ignore[arg-type]
        assert found(other, "decimals", by=vector(1, 0, 0)) == []  # type: ignore[arg-type]
    with psycopg.connect(server.url()) as owner:
        rows = owner.execute("SELECT search::text FROM amb.search WHERE tenant = 'finder'").fetchall()
        assert len(rows) == 1
        assert "decimals" not in rows[0][0]
        owner.execute("SET ROLE amb_app")
        assert owner.execute("SELECT count(*) FROM amb.find('u1', ARRAY[1::bigint], 9)").fetchone() == (0,)
        assert owner.execute("SELECT count(*) FROM amb.search").fetchone() == (0,)


def test_long_term_memory_searches_in_the_engine(space: str) -> None:
    settings = LongTermSettings(search_in="engine")
    with LongTermMemory(space, settings=settings) as memory:
        for text in TEXTS.values():
            memory.write(text, namespace="user:ann")
        hits = memory.search("When is the deployment window?", namespace="user:ann")
    assert hits[0].content == TEXTS["deploy"]
