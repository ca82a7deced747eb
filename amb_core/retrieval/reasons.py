"""Why a note was found, in the words of the query."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amb_core.text import index_tokens

__all__ = ["QueryWords"]

_WORD = re.compile(r"\w+")
_MAX_WORDS = 3


class QueryWords:
    """The words of a query by index term: `reason` names those that a note matches, the most telling first.

    `own` (shape [terms]) says which of the terms stand in the query; by default all.
    """

    def __init__(self, query: str, terms: list[str], *, own: Sequence[bool] | NDArray[np.bool_] | None = None) -> None:
        self._query = query
        self._own = [True] * len(terms) if own is None else own
        self._terms = terms
        self._word_of: dict[str, str] | None = None

    def reason(self, gains: NDArray[np.float32]) -> str:
        """A reason from what each of the terms adds to the note (shape [terms]); nothing added means it is near."""
        values = gains.tolist()
        order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
        terms = [self._terms[index] for index in order if values[index] > 0 and self._own[index]]
        whole = [term for term in terms if len(term) > 1 or not any(term in other for other in terms if other != term)]
        return f"matches {', '.join(map(self._word, whole[:_MAX_WORDS]))}" if whole else "near in meaning"

    def _word(self, term: str) -> str:
        if self._word_of is None:
            self._word_of = {}
            for word in _WORD.findall(self._query):
                tokens = index_tokens(word)
                if len(tokens) == 1:
                    self._word_of.setdefault(tokens[0], word)
        return self._word_of.get(term, term)
