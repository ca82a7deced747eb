"""Which graph a URL names."""

from __future__ import annotations

import importlib.util
from contextlib import closing
from pathlib import Path

import pytest
from amb_book.graph import open_graph
from amb_book.graph.neo4j_connection import Neo4jAddress
from amb_book.testing.graph_store_content import edge_ids, join

from amb_core.errors import InvalidParameter, MissingExtra, StoreError
from amb_core.stores import InMemoryStore


def test_a_sqlite_url_opens_the_file_and_closing_lets_it_go(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'book.db'}"
    with closing(open_graph(url, name="book:plan")) as graph:
        join(graph, "1: a b")
    with closing(open_graph(url)) as facts, closing(open_graph(url, name="book:plan")) as plan:
        assert (edge_ids(facts.edges()), edge_ids(plan.edges())) == ([], ["1"])
    with pytest.raises(StoreError):
        plan.edges()


def test_a_memory_url_is_a_graph_of_its_own() -> None:
    with closing(open_graph("memory://")) as graph, closing(open_graph("memory://")) as other:
        join(graph, "1: a b")
        assert (edge_ids(graph.edges()), other.edges()) == (["1"], [])


def test_without_a_url_the_graph_is_in_the_store_it_is_given() -> None:
    with closing(InMemoryStore()) as store:
        join(open_graph(store=store, name="book:facts"), "1: a b")
        open_graph(store=store).close()
        assert store.namespaces() == ["book:facts/changes", "book:facts/edges", "book:facts/nodes"]


@pytest.mark.parametrize("url", ["", "graph://x", "neo4j://", "bolt:///story", "neo4j://h:port", "boltx://h", "neo4j"])
def test_what_names_no_place_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameter):
        open_graph(url)


def test_a_refused_address_tells_no_password() -> None:
    with pytest.raises(InvalidParameter) as caught:
        Neo4jAddress.of("neo4j://me:sesame@h:port")
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("neo4j://h", ("neo4j://h:7687", None, None)),
        ("bolt+s://u:p%40ss@h:1/story", ("bolt+s://h:1", "story", ("u", "p@ss"))),
        ("neo4j+ssc://:p@[::1]:5/?policy=x", ("neo4j+ssc://[::1]:5?policy=x", None, ("neo4j", "p"))),
        ("bolt://u@h/%E4%B9%A6", ("bolt://h:7687", "书", None)),
    ],
)
def test_an_address_is_taken_apart(url: str, expected: tuple[object, ...]) -> None:
    address = Neo4jAddress.of(url)
    assert (address.url, address.database, address.auth) == expected


def test_the_password_may_be_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMB_NEO4J_PASSWORD", "sesame")
    assert Neo4jAddress.of("neo4j://h").auth == ("neo4j", "sesame")
    monkeypatch.setenv("AMB_NEO4J_USER", "me")
    assert Neo4jAddress.of("neo4j://h").auth == ("me", "sesame")
    assert Neo4jAddress.of("neo4j://you:other@h").auth == ("you", "other")


def test_an_address_is_shown_without_its_password() -> None:
    assert "sesame" not in repr(Neo4jAddress.of("neo4j://me:sesame@h"))


@pytest.mark.skipif(importlib.util.find_spec("neo4j") is not None, reason="the driver is installed")
def test_a_missing_driver_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(MissingExtra, match=r"\[neo4j\]"):
        open_graph("neo4j://localhost")


def test_a_url_of_no_known_place_is_answered_with_the_stores_and_the_servers_there_are() -> None:
    with pytest.raises(InvalidParameter, match=r"sqlite:///.*neo4j://host:7687"):
        open_graph("mysql://127.0.0.1/book")
