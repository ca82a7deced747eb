"""The two scores of a query, lexical and dense, over all notes, and their mix."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder, Query
from amb_core.retrieval.dense import DenseIndex
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.retrieval.ranking import fused_ranks, scaled
from amb_core.retrieval.term_scores import TermScores
from amb_core.text import detect_language, index_tokens
from amb_core.text.everyday_words import near_terms

__all__ = ["QueryScores", "best_keys", "check_query", "score_query"]

FloatArray = NDArray[np.float32]

_ALSO = 256
"""How many of the best notes by words an approximate search of the vectors has to look at."""

NEAR = 0.3
"""What a word counts that may be said instead of one of the query."""


@dataclass(frozen=True, slots=True)
class QueryScores:
    """What a query scored, by key: `lexical`, `dense` and `fused` in [0, 1], and which notes it scored at all.

    `alpha` is the weight the lexical part has for this query; `terms` are the lexical scores term by term, `own` says
    which of them stand in the query.
    """

    terms: TermScores
    lexical: FloatArray
    dense: FloatArray
    fused: FloatArray
    found: NDArray[np.bool_]
    alpha: float
    own: NDArray[np.bool_]


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
    foreign: float,
    size: int,
    near: bool = False,
    vector: FloatArray | None = None,
) -> QueryScores:
    """Score all notes with keys below `size`: alpha · lexical + (1 - alpha) · dense, or reciprocal-rank fusion.

    Each part is min-max scaled over the notes it scored (a note without any query term has the lexical minimum, 0).
    Without vectors every mode is the lexical one. `near` also asks for what people may say instead of a word.
    `vector` is that of the query, which is embedded otherwise.
    """
    wanted: dict[str, float] = dict(Counter(index_tokens(query.text)))
    loose = [other for term in wanted for other in near_terms(term)] if near and query.mode != "dense" else []
    terms = lexical.match(wanted | {term: NEAR for term in loose if term not in wanted})
    own = np.array([term in wanted for term in terms.terms], dtype=bool)
    raw = terms.total(size)
    words = scaled(raw, low=0.0)
    meant = _meant(query, embedder, vector) if len(dense) else None
    if meant is None:
        return QueryScores(terms, words, np.zeros(size, dtype=np.float32), words, raw > 0, 1.0, own)
    also = best_keys(words, raw > 0, _ALSO) if dense.approximate else None
    known, cosines = dense.by_key(meant, size=size, also=also)
    if known is None:
        meaning = scaled(cosines, low=float(cosines.min()))
        found = np.ones(size, dtype=bool)
    else:
        meaning = np.zeros(size, dtype=np.float32)
        meaning[known] = scaled(cosines[known], low=float(cosines[known].min()))
        found = known if query.mode == "dense" else known | (raw > 0)
    alpha = _lexical_weight(query, embedder.languages if embedder else frozenset(), foreign)
    if query.mode == "rrf":
        fused = fused_ranks((words, meaning))
    else:
        fused = (np.float32(alpha) * words + np.float32(1.0 - alpha) * meaning).astype(np.float32, copy=False)
    return QueryScores(terms, words, meaning, fused, found, alpha, own)


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


def _lexical_weight(query: Query, languages: frozenset[str], foreign: float) -> float:
    if query.mode == "dense":
        return 0.0
    if languages and detect_language(query.text) not in languages:
        return 1.0 - (1.0 - query.alpha) * foreign
    return query.alpha
