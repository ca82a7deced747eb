"""What a note says beyond its own words: it is read with the notes around it in its source, and by who speaks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.places import PlaceIndex
from amb_core.retrieval.ranking import scaled
from amb_core.retrieval.scoring import QueryScores
from amb_core.retrieval.traits import Traits

__all__ = ["Reading", "as_scored", "read_in_context"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

BEFORE = (0.15, 0.2, 0.25, 0.35, 0.5, 0.7)
"""What a query term counts in a note when it stands only 6 … 1 notes earlier, as a share of what it counts there."""
AFTER = (0.4, 0.3, 0.2, 0.15, 0.1)
SHORT = 80.0
"""Tokens up to which a note depends on its context in full; a longer one does so the less, the longer it is."""
DENSE_BESIDE = 0.25
SPEAKER = 0.4
NOVELTY = 0.6
NAMED = 0.4
"""What a note gains that is about a name of the query, as a share of the best score, when no other note is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a query scores in each note of a pool, read in context; the parts are weighed and add up to at most 1.

    `gains` (shape [terms, n]) is what each query term adds, `rest` (shape [n]) the dense part, `novelty` (shape [n])
    the share of a gain that is lost when a better note has it too. `beside` (shape [n]) is the key of the neighbour
    that a note mostly scores by, or -1.
    """

    gains: FloatArray
    rest: FloatArray
    novelty: FloatArray
    beside: IntArray

    def raised(self, weights: Mapping[int, float], pool: IntArray) -> Reading:
        """The same with more for the notes asked for by name; `weights` in (0, 1] by key."""
        if not weights:
            return self
        gained = np.array([weights.get(key, 0.0) for key in pool.tolist()], dtype=np.float32)
        return replace(self, rest=self.rest + np.float32(NAMED) * gained)


def read_in_context(
    text: str, scores: QueryScores, pool: IntArray, *, lengths: FloatArray, places: PlaceIndex, traits: Traits
) -> Reading:
    """Score the notes of a pool by what they say, what stands around them, who speaks, asks, and when.

    `lengths` are the notes' tokens. A short note gets a share of what its neighbours have of a term; the name of a
    speaker counts only where it stands, and raises what that speaker says. Turns are worth no less for repeating: a
    dialogue goes on about one thing; and only they are found by what may be said instead of a word.
    """
    turns = places.turns(pool)
    factors = traits.factors(pool, turns=turns, query=text)
    novelty = np.where(turns, 0.0, NOVELTY).astype(np.float32)
    speakers = places.named(scores.terms.terms)
    if speakers:
        factors *= np.float32(1.0) + np.float32(SPEAKER) * places.said_by(speakers, pool)
    around = places.around(pool, before=len(BEFORE), after=len(AFTER))
    if around:
        reach = np.minimum(np.float32(1.0), np.float32(SHORT) / np.maximum(lengths, np.float32(1.0)))
        gains, beside = _gains_around(scores, pool, around, reach=reach, fixed=places.name_terms(speakers))
        dense = scores.dense[pool] + np.float32(DENSE_BESIDE) * reach * _sum_beside(scores.dense, around)
    else:
        gains, dense, beside = scores.terms.at(pool), scores.dense[pool], np.full(len(pool), -1, dtype=np.int64)
    if not scores.own.all():
        gains = np.where(scores.own[:, None] | turns[None, :], gains, np.float32(0.0))
    gains = gains * factors
    whole = max(float(gains.sum(axis=0).max(initial=0.0)), 1e-9)
    meaning = scaled(dense * factors, low=0.0) * np.float32(1.0 - scores.alpha)
    return Reading(gains * np.float32(scores.alpha / whole), meaning, novelty, beside)


def as_scored(scores: FloatArray) -> Reading:
    """Scores that are not made of terms (shape [n]), taken as they are."""
    count = len(scores)
    nobody = np.full(count, -1, dtype=np.int64)
    return Reading(np.zeros((0, count), dtype=np.float32), scores, np.zeros(count, dtype=np.float32), nobody)


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
