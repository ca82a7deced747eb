"""The cache asks the embedder once for each text and stays within its size."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_embedders import CachingEmbedder, HashingEmbedder


class CountingEmbedder(HashingEmbedder):
    """Writes down what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__(dimension=16)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        self.asked.extend(f"{role}:{text}" for text in texts)
        return super().embed(texts, role=role)


def test_the_text_not_used_for_longest_is_dropped_first() -> None:
    inner = CountingEmbedder()
    cached = CachingEmbedder(inner, size=2)
    cached.embed(["a", "b"])
    cached.embed(["a"])
    cached.embed(["c"])
    assert len(cached) == 2
    cached.embed(["a", "b"])
    assert inner.asked == ["document:a", "document:b", "document:c", "document:b"]


def test_a_cache_of_no_texts_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="at least 1"):
        CachingEmbedder(HashingEmbedder(), size=0)


def test_threads_that_push_each_other_out_of_the_cache_all_get_their_rows() -> None:
    plain, cached = HashingEmbedder(dimension=16), CachingEmbedder(HashingEmbedder(dimension=16), size=4)

    def ask(worker: int) -> bool:
        texts = [[f"text {worker % 2}-{number}-{part}" for part in range(3)] for number in range(300)]
        return all(np.array_equal(cached.embed(three), plain.embed(three)) for three in texts)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))
    assert len(cached) == 4
