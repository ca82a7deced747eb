"""What every embedder promises, done once: blank texts, odd characters, equal texts, unit length."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["unit_rows"]

FloatArray = NDArray[np.float32]


def unit_rows(texts: Sequence[str], *, dimension: int, embed: Callable[[list[str]], FloatArray]) -> FloatArray:
    """Float32 of shape [len(texts), dimension]: unit rows, a zero row for a blank text.

    `embed` is called at most once, with the distinct texts that are not blank, made encodable (a lone surrogate
    becomes "?", a NUL a blank), and gives one row each.
    """
    rows = np.zeros((len(texts), dimension), dtype=np.float32)
    wanted: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        clean = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ").strip()
        if clean:
            wanted.setdefault(clean, []).append(row)
    if wanted:
        found = np.array(embed(list(wanted)), dtype=np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        found /= np.where(lengths > 0, lengths, np.float32(1.0))
        for vector, places in zip(found, wanted.values(), strict=True):
            rows[places] = vector
    return rows
