"""From a query to one ranked list: what each note scores, what is new about the query, and what a hit leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder, Query
from amb_core.retrieval.dense import DenseIndex
from amb_core.retrieval.lexical import LexicalIndex, TermScores
from amb_core.retrieval.note_traits import NoteTraits
from amb_core.text import detect_language, index_tokens
from amb_core.text.index_terms import WORD

__all__ = [
    "Lead",
    "Pick",
    "PoolScores",
    "QueryScores",
    "QueryWords",
    "as_scored",
    "best_keys",
    "check_query",
    "fused_ranks",
    "pick",
    "read_in_context",
    "scaled",
    "score_query",
]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

NOVEL_PICKS = 4
LEADING_PICKS = 4
LEAD_WEIGHT = 0.5
_RRF = 60.0
NOVELTY = 0.6
_ALSO = 256
"""How many of the best notes by words an approximate search of the vectors has to look at."""

FOREIGN = 0.25
"""How much of the dense weight is left for a query in a language that the embedder does not know."""
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
    loose = _said_instead(wanted) if near and query.mode != "dense" else {}
    terms = lexical.match(wanted | loose)
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
    alpha = _lexical_weight(query, embedder.languages if embedder else frozenset())
    if query.mode == "rrf":
        fused = fused_ranks((words, meaning))
    else:
        fused = (np.float32(alpha) * words + np.float32(1.0 - alpha) * meaning).astype(np.float32, copy=False)
    return QueryScores(terms, words, meaning, fused, found, alpha, own)


def _said_instead(wanted: Collection[str]) -> dict[str, float]:
    """The other terms that people may say instead of these, and what each counts."""
    from amb_core.text.everyday_words import near_terms  # here, for only talk is searched so

    return {other: NEAR for term in wanted for other in near_terms(term) if other not in wanted}


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


# --- what stands around a note, who speaks, and when ------------------------------------------------------------------

BEFORE = (0.15, 0.2, 0.25, 0.35, 0.5, 0.7)
"""What a query term counts in a note when it stands only 6 … 1 notes earlier, as a share of what it counts there."""
AFTER = (0.4, 0.3, 0.2, 0.15, 0.1)
SHORT = 80.0
"""Tokens up to which a note depends on its context in full; a longer one does so the less, the longer it is."""
DENSE_BESIDE = 0.25
SPEAKER = 0.4
NAMED = 0.4
"""What a note gains that is about a name of the query, as a share of the best score, when no other note is."""


@dataclass(frozen=True, slots=True)
class PoolScores:
    """What a query scores in each note of a pool, read in context; the parts are weighed and add up to at most 1.

    `gains` (shape [terms, n]) is what each query term adds, `rest` (shape [n]) the dense part, `novelty` (shape [n])
    the share of a gain that is lost when a better note has it too. `beside` (shape [n]) is the key of the neighbour
    that a note mostly scores by, or -1.
    """

    gains: FloatArray
    rest: FloatArray
    novelty: FloatArray
    beside: IntArray

    def raised(self, weights: Mapping[int, float], pool: IntArray) -> PoolScores:
        """A reading with higher scores for the notes asked for by name; `weights` in (0, 1] by key."""
        if not weights:
            return self
        gained = np.array([weights.get(key, 0.0) for key in pool.tolist()], dtype=np.float32)
        return replace(self, rest=self.rest + np.float32(NAMED) * gained)


def read_in_context(
    text: str, scores: QueryScores, pool: IntArray, *, lengths: FloatArray, traits: NoteTraits
) -> PoolScores:
    """Score the notes of a pool by what they say, what stands around them, who speaks, asks, and when.

    `lengths` are the notes' tokens. A short note gets a share of what its neighbours have of a term; the name of a
    speaker counts only where it stands, and raises what that speaker says. Turns are worth no less for repeating: a
    dialogue goes on about one thing; and only they are found by what may be said instead of a word.
    """
    turns = traits.turns(pool)
    factors = traits.factors(pool, turns=turns, query=text)
    novelty = np.where(turns, 0.0, NOVELTY).astype(np.float32)
    speakers = traits.named(scores.terms.terms)
    if speakers:
        factors *= np.float32(1.0) + np.float32(SPEAKER) * traits.said_by(speakers, pool)
    around = traits.around(pool, before=len(BEFORE), after=len(AFTER))
    reach = np.minimum(np.float32(1.0), np.float32(SHORT) / np.maximum(lengths, np.float32(1.0)))
    gains, beside = _gains_around(scores, pool, around, reach=reach, fixed=traits.name_terms(speakers))
    dense = scores.dense[pool] + np.float32(DENSE_BESIDE) * reach * _sum_beside(scores.dense, around)
    if not scores.own.all():
        gains = np.where(scores.own[:, None] | turns[None, :], gains, np.float32(0.0))
    gains = gains * factors
    whole = max(float(gains.sum(axis=0).max(initial=0.0)), 1e-9)
    meaning = scaled((dense * factors).astype(np.float32), low=0.0) * np.float32(1.0 - scores.alpha)
    return PoolScores(gains * np.float32(scores.alpha / whole), meaning, novelty, beside)


def as_scored(scores: FloatArray) -> PoolScores:
    """Scores that are not made of terms (shape [n]), taken as they are."""
    count = len(scores)
    nobody = np.full(count, -1, dtype=np.int64)
    return PoolScores(np.zeros((0, count), dtype=np.float32), scores, np.zeros(count, dtype=np.float32), nobody)


def _gains_around(
    scores: QueryScores, pool: IntArray, around: list[IntArray], *, reach: FloatArray, fixed: Collection[str]
) -> tuple[FloatArray, IntArray]:
    """The terms' gains in the pool, each at least its weighed gain in a neighbour but for the `fixed` terms.

    Also the key of the neighbour that gave most, where the note itself has less than half of its score, else -1.
    """
    everyone = np.unique(np.concatenate([pool, *around]))
    matrix = scores.terms.at(everyone)  # key -1 is in no text and gives zeros
    own = matrix[:, np.searchsorted(everyone, pool)]
    gains = own.copy()
    spreading = np.array([term not in fixed for term in scores.terms.terms], dtype=np.float32)[:, None]
    most, beside = np.zeros(len(pool), dtype=np.float32), np.full(len(pool), -1, dtype=np.int64)
    for keys, weight in zip(around, (*BEFORE, *AFTER), strict=True):
        lent = matrix[:, np.searchsorted(everyone, keys)] * (spreading * (np.float32(weight) * reach))
        np.maximum(gains, lent, out=gains)
        given = lent.sum(axis=0)
        beside = np.where(given > most, keys, beside)
        most = np.maximum(most, given)
    return gains, np.where(own.sum(axis=0) < 0.5 * gains.sum(axis=0), beside, -1)


def _sum_beside(values: FloatArray, around: list[IntArray]) -> FloatArray:
    before, after = around[len(BEFORE) - 1], around[len(BEFORE)]
    found = np.where(before >= 0, values[before], 0.0) + np.where(after >= 0, values[after], 0.0)
    return found.astype(np.float32)


# --- from scores to one list ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lead:
    """That a candidate (its index) is reached from a picked one; `weight` in [0, 1]."""

    to: int
    weight: float
    reason: str


@dataclass(frozen=True, slots=True)
class Pick:
    """One ranked candidate by index; `via` is the candidate that led to it, if that is what moved it up."""

    index: int
    score: float
    via: int | None = None
    reason: str = ""


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


def pick(
    gains: FloatArray,
    rest: FloatArray,
    *,
    k: int,
    novelty: FloatArray | None = None,
    leads: Callable[[int], Iterable[Lead]] = lambda index: (),
) -> list[Pick]:
    """The k best candidates, best first; equal ones in their order; scores in [0, 1], never rising.

    `gains` (shape [terms, n]) is what each query term adds to each candidate, `rest` (shape [n]) the part of the score
    that is not made of terms. A term that earlier picks cover loses a share `novelty` (shape [n]; default 0) of what it
    counts in the next ones, so a question about two things finds both; the candidates that the first picks lead to are
    raised by a share of the pick's own score.
    """
    fading = np.zeros(len(rest), dtype=np.float32) if novelty is None else novelty
    whole = gains.sum(axis=0) + rest
    covered = np.zeros(len(gains), dtype=np.float32)
    raised = np.zeros(len(whole), dtype=np.float32)
    because: dict[int, tuple[int, str]] = {}
    open_ = np.ones(len(whole), dtype=bool)
    picks: list[Pick] = []

    def take(index: int, score: float) -> None:
        score = min(score, picks[-1].score if picks else score)
        via, reason = because.get(index, (None, ""))
        picks.append(Pick(index, score, via, reason))
        open_[index] = False

    for number in range(min(k, NOVEL_PICKS, len(whole))):
        repeated = np.minimum(gains, covered[:, None]).sum(axis=0)
        value = np.where(open_, whole - fading * repeated + raised, -np.inf)
        best = int(value.argmax())
        take(best, float(value[best]))
        covered = np.maximum(covered, gains[:, best])
        if number < LEADING_PICKS:
            for lead in leads(best):
                raise_ = LEAD_WEIGHT * lead.weight * float(whole[best])
                if raise_ > raised[lead.to]:
                    raised[lead.to] = raise_
                    because[lead.to] = (best, lead.reason)
    left = np.flatnonzero(open_)
    value = whole + raised
    for index in left[np.argsort(-value[left], kind="stable")][: k - len(picks)].tolist():
        take(index, float(value[index]))
    top = picks[0].score if picks and picks[0].score > 0 else 1.0
    return [Pick(p.index, max(p.score / top, 0.0), p.via, p.reason) for p in picks]


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
            for word in WORD.findall(self._query):
                tokens = index_tokens(word)
                if len(tokens) == 1:
                    self._word_of.setdefault(tokens[0], word)
        return self._word_of.get(term, term)
