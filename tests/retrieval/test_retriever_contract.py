"""The hybrid index keeps the published contract of retrievers, with and without vectors."""

from __future__ import annotations

import pytest

from amb_contracts.retriever import RetrieverContract
from amb_core.protocols import Retriever
from amb_embedders import HashingEmbedder
from amb_retrieval import HybridIndex, IndexedText


class TestWithoutVectors(RetrieverContract):
    @pytest.fixture
    def retriever(self) -> HybridIndex:
        return HybridIndex()

    def put(self, retriever: Retriever, id: str, text: str) -> None:
        assert isinstance(retriever, HybridIndex)
        retriever.put(IndexedText.of(id, text=text))

    def remove(self, retriever: Retriever, id: str) -> None:
        assert isinstance(retriever, HybridIndex)
        retriever.remove(id)


class TestWithVectors(TestWithoutVectors):
    @pytest.fixture
    def retriever(self) -> HybridIndex:
        return HybridIndex(embedder=HashingEmbedder())

    def put(self, retriever: Retriever, id: str, text: str) -> None:
        assert isinstance(retriever, HybridIndex)
        vector = HashingEmbedder().embed([text])[0]
        retriever.put(IndexedText.of(id, text=text, vector=vector))
