"""Which graph a URL names."""

from __future__ import annotations

import importlib.util
from contextlib import closing

import pytest
from amb_book.graph import open_graph
from amb_book.testing.graph_store_content import join

from amb_core.errors import InvalidParameter, MissingExtra
from amb_core.stores import InMemoryStore


def test_without_a_url_the_graph_is_in_the_store_it_is_given() -> None:
    with closing(InMemoryStore()) as store:
        join(open_graph(store=store, name="book:facts"), "1: a b")
        open_graph(store=store).close()
        assert store.namespaces() == ["book:facts/changes", "book:facts/edges", "book:facts/nodes"]


@pytest.mark.parametrize("url", ["", "graph://x", "neo4j://", "bolt:///story", "neo4j://h:port", "boltx://h", "neo4j"])
def test_what_names_no_place_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameter):
        open_graph(url)


@pytest.mark.skipif(importlib.util.find_spec("neo4j") is not None, reason="the driver is installed")
def test_a_missing_driver_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(MissingExtra, match=r"\[neo4j\]"):
        open_graph("neo4j://localhost")
