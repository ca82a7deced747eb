"""The passages of long records, by which these are found: a text that says much is not asked for as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from amb_core.reading.layout_passages import read_passages
from amb_core.retrieval.lexical import LexicalIndex, Packed
from amb_core.text import index_tokens

__all__ = ["LONG", "RecordPassages"]

LONG = 500
"""From so many characters on a text is cut into passages."""
_LEAST_TERMS = 40
"""Passages are joined until they have so many terms."""
_MOST_CHARS, _MOST_PASSAGES = 200_000, 2_000
"""What is read of a text, and how many passages it has at most."""


class RecordPassages:
    """The passages of those records that are long, by the id of their record. Not thread-safe."""

    def __init__(self) -> None:
        self._index = LexicalIndex(k1=1.2, b=0.6)
        self._owners: list[str] = []  # by key, "" for a passage that is gone
        self._keys: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, id: str) -> bool:
        return id in self._keys

    def put(self, id: str, text: str) -> None:
        """Insert the passages of a text in place of those known under its id; those of a short text are none."""
        self.remove(id)
        if len(text) < LONG:
            return
        keys = self._keys[id] = []
        for terms in _passages(text[:_MOST_CHARS]):
            keys.append(len(self._owners))
            self._index.put(keys[-1], terms)
            self._owners.append(id)

    def remove(self, id: str) -> None:
        """Forget a record; an unknown id is no error."""
        for key in self._keys.pop(id, ()):
            self._index.remove(key)
            self._owners[key] = ""

    def forget_removed(self) -> None:
        """Drop the words that only removed records had."""
        self._index.forget_removed()

    def best(self, weights: Mapping[str, float]) -> dict[str, float]:
        """What the best passage of each record scores for some index terms, in (0, 1], the best of all at 1."""
        scores = self._index.scores(weights, size=len(self._owners))
        best: dict[str, float] = {}
        for key in np.flatnonzero(scores).tolist():
            owner, score = self._owners[key], float(scores[key])
            if score > best.get(owner, 0.0):
                best[owner] = score
        highest = max(best.values(), default=1.0)
        return {owner: score / highest for owner, score in best.items()}

    def packed(self) -> Packed:
        """All of it as arrays and text, without a trace of removed records."""
        return {"owners": self._owners, **{f"index {name}": part for name, part in self._index.packed().items()}}

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        self._owners = list(packed["owners"])
        self._index.restore({name[6:]: part for name, part in packed.items() if name.startswith("index ")})
        self._keys = {}
        for key, owner in enumerate(self._owners):
            if owner:
                self._keys.setdefault(owner, []).append(key)


def _passages(text: str) -> Iterator[list[str]]:
    """The index terms of each passage, small ones joined."""
    terms: list[str] = []
    done = 0
    for passage in read_passages(text):
        terms += index_tokens(text[passage.start : passage.end])
        if len(terms) >= _LEAST_TERMS and done < _MOST_PASSAGES:
            yield terms
            terms, done = [], done + 1
    if terms:
        yield terms
