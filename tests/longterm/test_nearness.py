"""How the cosines of an embedder are read as likeness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from amb_embedders import HashingEmbedder
from amb_longterm.nearness import nearness_of


class Shifted(HashingEmbedder):
    """An embedder all of whose vectors lie close together, as those of many models do."""

    def __init__(self, name: str) -> None:
        super().__init__(dimension=64)
        self._name = name

    @property
    def model_id(self) -> str:
        return self._name

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        rows = super().embed(texts, role=role) + np.float32(0.3)
        lengths: NDArray[np.float32] = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / lengths).astype(np.float32)


@pytest.mark.parametrize("role", ["query", "document"])
@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_cosines_are_read_by_what_the_embedder_makes_of_known_pairs(
    language: str, role: Literal["query", "document"]
) -> None:
    wide = nearness_of(HashingEmbedder(), language=language, role=role)
    narrow = nearness_of(Shifted("shifted-64"), language=language, role=role)
    assert narrow.apart > wide.apart + 0.2
    for near in (wide, narrow):
        read = near.of(np.array([-1.0, near.apart, near.together, 1.0], dtype=np.float32))
        assert read.tolist() == pytest.approx([0.0, 0.2, 0.65, 1.0], abs=0.1)
