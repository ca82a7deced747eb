"""What each text scores for a query by its words and its vector, and the words that say why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder, Query
from amb_core.retrieval.lexical import LexicalIndex, TermScores
from amb_core.text import detect_language, index_tokens
from amb_core.text.index_terms import WORD
from amb_retrieval.dense import DenseIndex

__all__ = ["QueryScores", "QueryWords", "best_keys", "check_query", "fused_ranks", "scaled", "score_query"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_RRF = 60.0
_ALSO = 256
"""How many of the best notes by words an approximate search of the vectors has to look at."""

FOREIGN = 0.25
"""How much of the dense weight is left for a query in a language that the embedder does not know."""


@dataclass(frozen=True, slots=True)
class QueryScores:
    """What a query scored, by key: `lexical`, `dense` and `fused` in [0, 1], and which notes it scored at all.

    `alpha` is the weight the lexical part has for this query; `terms` are the lexical scores term by term.
    """

    terms: TermScores
    lexical: FloatArray
    dense: FloatArray
    fused: FloatArray
    found: NDArray[np.bool_]
    alpha: float


def check_query(query: Query) -> None:
    """Raise InvalidParameter for k below 1 or alpha outside [0, 1]."""
    if query.k < 1:
        raise InvalidParameter(f"k must be at least 1, not {query.k}.")
    if not 0 <= query.alpha <= 1:
        raise InvalidParameter(f"alpha must be between 0 and 1, not {query.alpha}.")


def score_query(
    query: Query,
    *,
    lexical: LexicalIndex,
    dense: DenseIndex,
    embedder: Embedder | None,
    size: int,
    vector: FloatArray | None = None,
) -> QueryScores:
    """Score all notes with keys below `size`: alpha · lexical + (1 - alpha) · dense, or reciprocal-rank fusion.

    Each part is min-max scaled over the notes it scored (a note without any query term has the lexical minimum, 0).
    Without vectors every mode is the lexical one.  `vector` is that of the query, which is embedded otherwise.
    """
    wanted: dict[str, float] = dict(Counter(index_tokens(query.text)))
    terms = lexical.match(wanted)
    raw = terms.total(size)
    words = scaled(raw, low=0.0)
    meant = _meant(query, embedder, vector) if len(dense) else None
    if meant is None:
        return QueryScores(terms, words, np.zeros(size, dtype=np.float32), words, raw > 0, 1.0)
    also = best_keys(words, raw > 0, _ALSO) if dense.approximate else None
    known, cosines = dense.by_key(meant, size=size, also=also)
    if known is None:
        meaning = scaled(cosines, low=float(cosines.min()))
        found = np.ones(size, dtype=bool)
    else:
        meaning = np.zeros(size, dtype=np.float32)
        meaning[known] = scaled(cosines[known], low=float(cosines[known].min()))
        found = known if query.mode == "dense" else known | (raw > 0)
    alpha = _lexical_weight(query, embedder.languages if embedder else frozenset())
    if query.mode == "rrf":
        fused = fused_ranks((words, meaning))
    else:
        fused = (np.float32(alpha) * words + np.float32(1.0 - alpha) * meaning).astype(np.float32, copy=False)
    return QueryScores(terms, words, meaning, fused, found, alpha)


def best_keys(score: FloatArray, allowed: NDArray[np.bool_], k: int) -> NDArray[np.int64]:
    """Keys of the k highest scores among the allowed, best first, equal ones by age."""
    keys = np.flatnonzero(allowed)
    if len(keys) > k:
        values = score[keys]
        bound = np.partition(values, len(values) - k)[len(values) - k]
        keys = keys[values >= bound]
    return keys[np.argsort(-score[keys], kind="stable")][:k]


def _meant(query: Query, embedder: Embedder | None, vector: FloatArray | None) -> FloatArray | None:
    """The vector of a query, or None where words alone rank."""
    if query.mode == "lexical" or vector is not None or embedder is None:
        return None if query.mode == "lexical" else vector
    row: FloatArray = embedder.embed([query.text], role="query")[0]
    return row


def _lexical_weight(query: Query, languages: frozenset[str]) -> float:
    if query.mode == "dense":
        return 0.0
    if languages and detect_language(query.text) not in languages:
        return 1.0 - (1.0 - query.alpha) * FOREIGN
    return query.alpha


# --- from scores to one list ------------------------------------------------------------------------------------------


def scaled(values: FloatArray, *, low: float) -> FloatArray:
    """`values` with `low` mapped to 0 and the maximum to 1; all equal gives 1, or 0 if the maximum is not above 0."""
    high = float(values.max(initial=0.0))
    if high <= 0.0:
        return np.zeros_like(values)
    if high <= low:
        return np.ones_like(values)
    return (values - np.float32(low)) * np.float32(1.0 / (high - low)) if low else values * np.float32(1.0 / high)


def fused_ranks(parts: Iterable[FloatArray]) -> FloatArray:
    """Reciprocal-rank fusion (k = 60) scaled to [0, 1]; equal values are ranked in their order, zeros add nothing."""
    fused: FloatArray | None = None
    for part in parts:
        ranks = np.empty(len(part), dtype=np.float32)
        ranks[np.argsort(-part, kind="stable")] = np.arange(1, len(part) + 1, dtype=np.float32)
        gain = np.where(part > 0, 1.0 / (_RRF + ranks), 0.0).astype(np.float32)
        fused = gain if fused is None else fused + gain
    return np.zeros(0, dtype=np.float32) if fused is None else scaled(fused, low=0.0)


_MAX_WORDS = 3


class QueryWords:
    """The words of a query by index term: `reason` names those that a note matches, the most telling first."""

    def __init__(self, query: str, terms: list[str]) -> None:
        self._query = query
        self._terms = terms
        self._word_of: dict[str, str] | None = None

    def reason(self, gains: NDArray[np.float32]) -> str:
        """A reason from what each of the terms adds to the note (shape [terms]); nothing added means it is near."""
        values = gains.tolist()
        order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
        terms = [self._terms[index] for index in order if values[index] > 0]
        whole = [term for term in terms if len(term) > 1 or not any(term in other for other in terms if other != term)]
        return f"matches {', '.join(map(self._word, whole[:_MAX_WORDS]))}" if whole else "near in meaning"

    def _word(self, term: str) -> str:
        if self._word_of is None:
            self._word_of = {}
            for word in WORD.findall(self._query):
                tokens = index_tokens(word)
                if len(tokens) == 1:
                    self._word_of.setdefault(tokens[0], word)
        return self._word_of.get(term, term)
