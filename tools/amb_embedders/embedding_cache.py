"""A bounded cache in front of an embedder: equal texts are embedded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder

__all__ = ["CachingEmbedder"]

FloatArray = NDArray[np.float32]
Role = Literal["query", "document"]


class CachingEmbedder:
    """An embedder that remembers the rows of the `size` texts it saw last, by a hash of their content and role.

    Raises InvalidParameter for a size below 1. Thread-safe when the inner embedder is; texts that two threads ask for
    at the same moment may be embedded twice.
    """

    def __init__(self, inner: Embedder, *, size: int = 10_000) -> None:
        if size < 1:
            raise InvalidParameter(f"an embedding cache holds at least 1 text, not {size}.")
        self._inner = inner
        self._size = size
        self._rows: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._lock = CallLock()

    @property
    def model_id(self) -> str:
        """The inner embedder's name."""
        return self._inner.model_id

    @property
    def dimension(self) -> int:
        """Columns of the array `embed` returns."""
        return self._inner.dimension

    @property
    def languages(self) -> frozenset[str]:
        """The inner embedder's languages."""
        return self._inner.languages

    def __len__(self) -> int:
        return len(self._rows)

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> FloatArray:
        """Float32 array of shape [len(texts), dimension]; only texts not in the cache reach the inner embedder."""
        keys = [blake2b(f"{role}:{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        with self._lock:
            rows = {key: self._rows[key] for key in keys if key in self._rows}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:  # without the lock: the inner embedder may take long
            fresh = self._inner.embed(list(missing.values()), role=role)
            rows |= {key: row.copy() for key, row in zip(missing, fresh, strict=True)}
        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for index, key in enumerate(keys):
            found[index] = rows[key]
        with self._lock:
            self._remember(keys, rows)
        return found

    def forget(self) -> None:
        """Drop all rows."""
        with self._lock:
            self._rows.clear()

    def _remember(self, keys: Sequence[bytes], rows: dict[bytes, FloatArray]) -> None:
        """Make these the newest rows and drop the oldest over the size (hold the lock)."""
        for key in keys:
            self._rows[key] = rows[key]
            self._rows.move_to_end(key)
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)
