"""Chunks of prose among the passages: what stands together, is read together and is about a name."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.passage_terms import query_weights
from amb_core.reading import Layout
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.text import index_tokens
from amb_retrieval.indexed_text import Named
from amb_retrieval.surroundings import Surroundings
from amb_values import dialogue_speaker

if TYPE_CHECKING:
    from amb_core.memory.passage_index import PassageIndex

__all__ = ["PassageChunks"]

Floats = NDArray[np.float32]

_CHUNK = 400
"""Tokens of the stretch of prose that is one chunk; a turn of a talk is one of its own, and a heading begins one."""
_PROSE = (Layout.PROSE,)
_TERMS = 40
_EXACT = re.compile(r"=(?:\S+$|.*\d)")
"""Index terms of identifiers that are no names of several words."""
_REST = np.float32(0.5)
"""The share of a chunk's worth that a passage has by its own match."""


class PassageChunks:
    """The chunks of the prose in a `PassageIndex`, which they follow. Not thread-safe."""

    def __init__(self) -> None:
        self._words = LexicalIndex()
        self._around = Surroundings()
        self._chunk_of = array("i")
        """By passage: the number of its chunk, -1 for none."""

    def follow(self, index: PassageIndex) -> None:
        """Take up the passages that came since the last look."""
        while len(self._chunk_of) < len(index):
            keys = index.beside(len(self._chunk_of))
            if index.layout(keys[0]) in _PROSE and not index.is_of_call(keys[0]):
                self._add(index, keys)
            else:
                self._chunk_of.extend([-1] * len(keys))

    def _add(self, index: PassageIndex, keys: range) -> None:
        begin, size = keys.start, 0
        for key in keys:
            path, before = index.passage(key).path, index.passage(max(key - 1, begin)).path
            begins = dialogue_speaker(index.text(key)) or (path.startswith("#") and path != before)
            if key > begin and (begins or size + index.sizes[key] > _CHUNK):
                self._close(index, range(begin, key))
                begin, size = key, 0
            size += index.sizes[key]
        self._close(index, range(begin, keys.stop))

    def _close(self, index: PassageIndex, keys: range) -> None:
        number, place = len(self._words), index.place(keys[0])
        text = place.text[place.passage.start : index.passage(keys[-1]).end]
        named = Named.of(text)
        self._chunk_of.extend([number] * len(keys))
        self._words.put(number, index_tokens(text))
        self._around.put(number, text, about=named.about, mentions=named.mentions, speaker=named.speaker)

    def answers(self, index: PassageIndex, question: str, *, most: int) -> Floats:
        """How well each passage answers a question: its own match by the rarest `most` terms, or in a chunk what that
        is worth and the match of identifiers.

        The best passage of a chunk counts as much as the chunk, the others less by what they match themselves.
        """
        weights = query_weights(question)
        own = index.scores(weights, most=most)
        if not len(self._words):
            return own
        exact = index.scores({term: weights[term] for term in weights if _EXACT.match(term)}, most=most)
        of = np.array(self._chunk_of, dtype=np.int64)
        asked = Counter(index_tokens(question))
        rare = sorted(idfs := self._words.idfs(asked), key=lambda term: (-idfs[term], term))[:_TERMS]
        found = self._words.match({term: float(asked[term]) for term in rare})
        total = found.total(len(self._words))
        top = max(float(total.max(initial=0.0)), 1e-9)
        worth = self._around.worth(question, found, total / np.float32(top), words=self._words).scores * np.float32(top)
        best = np.zeros(len(worth), dtype=np.float32)
        np.maximum.at(best, of[of >= 0], own[of >= 0])
        share = np.where(best[of] > 0, own / np.maximum(best[of], np.float32(1e-9)), np.float32(1))
        return np.where(of < 0, own, worth[of] * (1 - _REST + _REST * share) + exact).astype(np.float32)
