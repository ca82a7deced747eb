"""The approximate index finds nearly what the exact one finds, whatever was removed, put again and packed."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from amb_contracts.retriever import RetrieverContract
from amb_core import MemoryBank, Settings, ToolResult
from amb_core.protocols import Retriever
from amb_embedders import HashingEmbedder
from amb_extras import ApproximateIndex
from amb_retrieval import DenseIndex, HybridIndex, IndexedText

pytest.importorskip("hnswlib", reason="it has to be compiled: pip install hnswlib")


def _vectors(count: int) -> np.ndarray:
    vectors = np.random.default_rng(5).normal(size=(count, 16)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _best(index: DenseIndex, vector: np.ndarray, *, size: int) -> list[int]:
    return np.argsort(-index.by_key(vector, size=size)[1], kind="stable")[:5].tolist()


class TestKeepsTheContract(RetrieverContract):
    @pytest.fixture
    def retriever(self) -> HybridIndex:
        return HybridIndex(embedder=HashingEmbedder(), dense=ApproximateIndex(least=1))

    def put(self, retriever: Retriever, id: str, text: str) -> None:
        assert isinstance(retriever, HybridIndex)
        vector = HashingEmbedder().embed([text])[0]
        retriever.put(IndexedText.of(id, text=text, vector=vector))

    def remove(self, retriever: Retriever, id: str) -> None:
        assert isinstance(retriever, HybridIndex)
        retriever.remove(id)


def _changed(index: DenseIndex, vectors: np.ndarray) -> DenseIndex:
    for key, vector in enumerate(vectors):
        index.put(key, vector)
    index.by_key(vectors[0], size=len(vectors))  # makes the graph
    for key in range(0, len(vectors), 3):
        index.remove(key)
    for key in range(0, len(vectors), 6):
        index.put(key, vectors[-1 - key])
    for key in range(1, len(vectors), 7):
        index.put(key, vectors[-1 - key])
    return index


def test_after_removals_and_new_vectors_it_finds_what_the_exact_one_finds() -> None:
    vectors = _vectors(600)
    exact, near = _changed(DenseIndex(), vectors), _changed(ApproximateIndex(least=1), vectors)
    same = [_best(exact, v, size=600) == _best(near, v, size=600) for v in vectors[::10]]
    assert sum(same) / len(same) > 0.95
    known, _ = near.by_key(vectors[0], size=600)
    assert known is not None
    assert not any(known[key] for key in range(3, 600, 6) if key % 7 != 1)


@pytest.mark.parametrize("changed", [False, True])
def test_packed_and_taken_up_it_finds_the_same(changed: bool) -> None:
    vectors = _vectors(300)
    index = ApproximateIndex(least=1)
    for key, vector in enumerate(vectors):
        index.put(key, vector)
    if changed:
        index = _changed(index, vectors)
    before = [_best(index, vector, size=300) for vector in vectors[::20]]
    again = ApproximateIndex(least=1)
    again.restore(index.packed())
    assert [_best(again, vector, size=300) for vector in vectors[::20]] == before


def test_a_bank_can_be_told_to_use_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    url, settings = f"sqlite:///{tmp_path / 'a.db'}", Settings(vector_index="hnsw", hnsw_from=1, index_file_from=1)
    bank = MemoryBank("Find things out", store=url, embedder="hashing", settings=settings)
    with caplog.at_level(logging.WARNING):
        for text in ("Titanic was directed by James Cameron.", "Lithium cells last 3,000 cycles.", "Birds sing."):
            bank.absorb(ToolResult(tool="web", output=text))
        before = bank.recall("Who directed Titanic?").receipts
        bank.close(keep=True)
    again = MemoryBank.resume(url, embedder="hashing", settings=settings)
    assert again.recall("Who directed Titanic?").receipts == before
    assert not caplog.records
