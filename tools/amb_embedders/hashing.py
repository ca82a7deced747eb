"""Vectors from character n-grams: no model, no download, the same on every machine."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_embedders.rows import unit_rows

__all__ = ["HashingEmbedder", "open_hashing"]

FloatArray = NDArray[np.float32]
_FIRST_CJK = "\u3040"


class HashingEmbedder:
    """Hashed character n-grams (Chinese: single characters and pairs) under a sign, for tests and dry runs.

    It sees spelling, not meaning: inflections and typing errors come out near, synonyms do not. Use it where the
    vectors' path is to be exercised without a model. Raises InvalidParameter for a dimension below 8.
    """

    def __init__(self, *, dimension: int = 256) -> None:
        if dimension < 8:
            raise InvalidParameter(f"a hashing embedder needs at least 8 dimensions, not {dimension}.")
        self._dimension = dimension

    @property
    def model_id(self) -> str:
        """The name a bank stores with its vectors."""
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        """Columns of the array `embed` returns."""
        return self._dimension

    @property
    def languages(self) -> frozenset[str]:
        """Empty: any language."""
        return frozenset()

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), dimension]; queries and documents are embedded alike."""
        return unit_rows(texts, dimension=self._dimension, embed=self._hash)

    def _hash(self, texts: list[str]) -> FloatArray:
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for gram, count in Counter(_grams(text)).items():
                hashed = crc32(gram.encode())
                row[hashed % self._dimension] += (1.0 if hashed & 0x80000000 else -1.0) * count**0.5
            if not row.any():  # everything cancelled out, or there is no letter in it
                row[crc32(text.encode()) % self._dimension] = 1.0
        return rows


def _grams(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).lower()
    for word in "".join(char if char.isalnum() else " " for char in folded).split():
        if word[0] >= _FIRST_CJK:
            yield from word
            yield from map("".join, pairwise(word))
        else:
            padded = f" {word} "
            yield padded
            yield from (padded[start : start + 3] for start in range(len(padded) - 2))


def open_hashing(model: str) -> HashingEmbedder | None:
    """What `open_embedder` gives for "hashing" and "hashing:dimension"; None for anything but a dimension."""
    if not model:
        return HashingEmbedder()
    return HashingEmbedder(dimension=int(model)) if model.isdecimal() and len(model) < 9 else None
