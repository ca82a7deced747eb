"""The vector matrix finds what a plain product finds, whatever was put and removed before."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import InvalidParameter
from amb_retrieval import DenseIndex


def unit(seed: int, dimension: int = 4) -> np.ndarray:
    vector = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return vector / np.linalg.norm(vector)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 7), st.integers(0, 99)), max_size=60))
def test_any_history_leaves_the_cosines_of_what_is_left(steps: list[tuple[bool, int, int]]) -> None:
    index, kept = DenseIndex(), dict[int, np.ndarray]()
    for add, key, seed in steps:
        if add:
            index.put(key, unit(seed))
            kept[key] = unit(seed)
        else:
            index.remove(key)
            kept.pop(key, None)
    keys, cosines = index.cosines(unit(1_000))
    assert sorted(keys.tolist()) == sorted(kept)
    assert dict(zip(keys.tolist(), cosines.tolist(), strict=True)) == pytest.approx(
        {key: float(vector @ unit(1_000)) for key, vector in kept.items()}, abs=1e-6
    )


@pytest.mark.parametrize(
    ("vector", "text"),
    [
        (np.zeros(3, dtype=np.float32), "vectors of 4"),
        (np.zeros((2, 4), dtype=np.float32), "one axis"),
        (np.zeros(0, dtype=np.float32), "one axis"),
        (np.array([1, np.nan, 0, 0], dtype=np.float32), "NaN"),
    ],
)
def test_a_vector_that_does_not_fit_is_refused_and_nothing_changes(vector: np.ndarray, text: str) -> None:
    index = DenseIndex()
    index.put(0, unit(1))
    with pytest.raises(InvalidParameter, match=text):
        index.put(0, vector)
    with pytest.raises(InvalidParameter, match=text):
        index.put(1, vector)
    assert len(index) == 1
    found = index.vector(0)
    assert found is not None
    assert found == pytest.approx(unit(1))
