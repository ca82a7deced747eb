"""The embedded engine ranks records by the words of their content, by their vectors, and by both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from amb_contracts.native_search import TEXTS, NativeSearchContract, example_record, example_vector
from amb_core.protocols import RecordQuery
from amb_vector_stores import QdrantStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("qdrant_client") is None, reason="needs the qdrant extra"),  # a second to import
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[QdrantStore]:
    with closing(QdrantStore(tmp_path / "memory")) as store:
        yield store


class TestQdrantSearch(NativeSearchContract):
    """Qdrant's engine in a folder."""


def test_ranking_is_the_same_after_opening_again(tmp_path: Path) -> None:
    ranks = []
    for _ in range(2):
        with closing(QdrantStore(tmp_path / "memory")) as store:
            if not store.count("u1"):
                store.put([example_record(key) for key in TEXTS])
            ranks.append(
                store.search_natively(RecordQuery("u1"), text="window decimals 窗口", vector=example_vector(1, 1, 1))
            )
    assert ranks[0] == ranks[1] != []
