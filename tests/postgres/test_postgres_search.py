"""The database finds candidates by words and vectors: what the contract says, and of one tenant alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from amb_contracts.native_search import TEXTS, NativeSearchContract, example_record, example_vector, found_in
from amb_core.protocols import Record
from amb_longterm import LongTermMemory, LongTermSettings
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_store import PostgresStore


@pytest.fixture
def store(space: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(space)) as store:
        yield store


class TestPostgresSearch(NativeSearchContract):
    """PostgreSQL with pgvector."""


def test_what_another_process_changes_is_found_as_it_is_now(store: PostgresStore, space: str) -> None:
    store.put([example_record("eur"), example_record("deploy")])
    assert found_in(store, "decimals") == ["eur"]
    with closing(PostgresStore(space)) as other:
        other.put([Record("u1", "eur", {"content": "amounts in USD"})])
        other.delete("u1", ["deploy"])
    assert found_in(store, "decimals evening") == []
    assert found_in(store, "usd") == ["eur"]


def test_another_tenant_finds_nothing_and_no_word_stands_in_the_index(server: PostgresServer) -> None:
    ours, theirs = (f"{server.url()}?tenant={name}&space=search" for name in ("finder", "rival"))
    with closing(PostgresStore(ours)) as mine, closing(PostgresStore(theirs)) as other:
        mine.put([example_record("eur")])
        assert found_in(mine, "decimals") == ["eur"]
        assert found_in(other, "decimals", by=example_vector(1, 0, 0)) == []
    with psycopg.connect(server.url()) as owner:
        rows = owner.execute("SELECT search::text FROM amb.search WHERE tenant = 'finder'").fetchall()
        assert len(rows) == 1
        assert "decimals" not in rows[0][0]
        terms = owner.execute("SELECT terms[1:1] FROM amb.search WHERE tenant = 'finder'").fetchone()
        owner.execute("SET ROLE amb_app")
        assert owner.execute("SELECT many FROM amb.held('u1', %s, 9)", terms).fetchone() == (0,)
        assert owner.execute("SELECT count(*) FROM amb.holding('u1', %s, 9)", terms).fetchone() == (0,)
        assert owner.execute("SELECT count(*) FROM amb.find('u1', %s, ARRAY[1.0], 1.0, 9)", terms).fetchone() == (0,)
        assert owner.execute("SELECT count(*) FROM amb.search").fetchone() == (0,)


def test_an_owner_who_is_no_superuser_finds_by_words(server: PostgresServer, store: PostgresStore) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE ROLE boss LOGIN CREATEROLE")
        connection.execute("GRANT amb_app TO boss WITH ADMIN OPTION")
        connection.execute("CREATE DATABASE boss OWNER boss")
    base = server.url(user="boss").rpartition("/")[0]
    with closing(PostgresStore(f"{base}/boss?tenant=a&space=s")) as own:
        own.put([example_record(key) for key in TEXTS])
        assert found_in(own, "report decimals")[0] == "eur"


def test_long_term_memory_searches_in_the_engine(space: str) -> None:
    with LongTermMemory(space, settings=LongTermSettings(search_in="engine")) as memory:
        for text in TEXTS.values():
            memory.write(text, namespace="user:ann")
        hits = memory.search("When is the deployment window?", namespace="user:ann")
    assert hits[0].content == TEXTS["deploy"]


@pytest.mark.slow
def test_a_text_of_words_that_nearly_all_records_have_finds_those_that_have_all_of_them(store: PostgresStore) -> None:
    store.put([Record("u1", "same", {"content": "The pump runs"}), Record("u1", "one", {"content": "The pump"})])
    texts = [f"pump {number} runs at {number % 7} bar" for number in range(20_050)]
    store.put([Record("u1", f"r{number}", {"content": text}) for number, text in enumerate(texts)])
    for _ in range(2):  # the second time it is known how common they are
        assert found_in(store, "pump runs", limit=3)[0] == "same"
        assert found_in(store, "does pump 20007 run?", limit=3)[0] == "r20007"
        assert found_in(store, "unheard of") == []
