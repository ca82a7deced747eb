"""The embeddings endpoint of OpenAI, or of any server that speaks its protocol."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.embedders.embedding_cache import CachingEmbedder
from amb_core.embedders.rows import unit_rows
from amb_core.errors import InvalidParameter, MissingExtra
from amb_core.text import clip_tokens

__all__ = ["OpenAIEmbedder", "open_named"]

FloatArray = NDArray[np.float32]
_BATCH = 128
_MAX_TOKENS = 7_000
"""Longer texts are cut: the models take 8,191 tokens and our count is an estimate."""


class OpenAIEmbedder:
    """A remote embedding model. `base_url` and `api_key` default to OPENAI_BASE_URL and OPENAI_API_KEY.

    A server of one's own (with a `base_url`) needs no key. `client` takes an existing `openai.OpenAI`, which stays the
    caller's to close. The dimension is asked of the server once unless it is given. Raises MissingExtra without the
    package openai and InvalidParameter without a key; what goes wrong on the way is raised as the client raises it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimension: int | None = None,
        client: Any = None,
    ) -> None:
        if not model.strip():
            raise InvalidParameter('name the embedding model: "openai:text-embedding-3-small".')
        self._model = model
        self._dimension = dimension
        self._client = client if client is not None else _client(base_url, api_key)

    @property
    def model_id(self) -> str:
        """The name a bank stores with its vectors."""
        return f"openai/{self._model}"

    @property
    def dimension(self) -> int:
        """Columns of the array `embed` returns."""
        if self._dimension is None:
            self._dimension = int(self._request(["dimension"]).shape[1])
        return self._dimension

    @property
    def languages(self) -> frozenset[str]:
        """Empty: any language."""
        return frozenset()

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> FloatArray:
        """Float32 array of shape [len(texts), dimension], rows of unit length (a blank text gives a zero row)."""
        return unit_rows(texts, dimension=self.dimension, embed=self._request)

    def _request(self, texts: list[str]) -> FloatArray:
        rows: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = [clip_tokens(text, _MAX_TOKENS) for text in texts[start : start + _BATCH]]
            reply = self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
            rows.extend(item.embedding for item in sorted(reply.data, key=lambda item: item.index))
        return np.array(rows, dtype=np.float32)


def _client(base_url: str | None, api_key: str | None) -> Any:
    try:
        import openai
    except ImportError:
        raise MissingExtra("openai", extra="openai") from None
    url = base_url or os.environ.get("OPENAI_BASE_URL")
    key = api_key or os.environ.get("OPENAI_API_KEY") or ("none" if url else None)
    if key is None:
        raise InvalidParameter("no key for the embedding model: set OPENAI_API_KEY, or name a server with @base_url.")
    return openai.OpenAI(base_url=url, api_key=key)


def open_named(model: str) -> CachingEmbedder:
    """What `open_embedder` gives for "openai:model" and "openai:model@base_url"."""
    name, _, base_url = model.partition("@")
    return CachingEmbedder(OpenAIEmbedder(name, base_url=base_url or None))
