"""The hashing embedder is the same everywhere and sees spelling."""

from __future__ import annotations

import numpy as np

from amb_embedders import HashingEmbedder

EXPECTED = [-0.35355338, 0.70710677, 0.35355338, 0.0, 0.0, 0.0, 0.35355338, -0.35355338]


def test_its_numbers_are_the_same_on_every_machine_and_in_every_process() -> None:
    row = HashingEmbedder(dimension=8).embed(["memory 记忆"])[0]
    assert np.allclose(row, EXPECTED, atol=1e-6)


def test_inflections_and_misspellings_are_nearer_than_other_words() -> None:
    query, near, wrong, far = HashingEmbedder().embed(["batteries", "battery", "baterries", "cinema"])
    assert query @ near > query @ far + 0.3
    assert query @ wrong > query @ far + 0.3


def test_chinese_words_that_share_characters_are_near() -> None:
    query, near, far = HashingEmbedder().embed(["循环寿命", "电池的循环寿命约为三千次", "他出生于北京"])
    assert query @ near > query @ far + 0.2
