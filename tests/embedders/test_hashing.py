"""The hashing embedder is the same everywhere and sees spelling."""

from __future__ import annotations

import numpy as np

from amb_embedders import HashingEmbedder

EXPECTED = [-0.35355338, 0.70710677, 0.35355338, 0.0, 0.0, 0.0, 0.35355338, -0.35355338]


def test_its_numbers_are_the_same_on_every_machine_and_in_every_process() -> None:
    row = HashingEmbedder(dimension=8).embed(["memory 记忆"])[0]
    assert np.allclose(row, EXPECTED, atol=1e-6)
