"""What a note says beyond its own words: a turn is read with the turns around it, by who speaks, asks and when."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.places import PlaceIndex
from amb_core.retrieval.ranking import scaled
from amb_core.retrieval.scoring import QueryScores
from amb_core.text import date_terms

__all__ = ["Reading", "Traits", "read_in_context"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

BEFORE = (0.2, 0.3, 0.4, 0.6)
"""What a query term counts in a turn when it stands only 4 … 1 turns earlier, as a share of what it counts there."""
AFTER = (0.4, 0.3, 0.2, 0.1)
DENSE_BESIDE = 0.25
NOVELTY = 0.6
SPEAKER = 0.4
ASKING = 0.4
DATED = 0.4

_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_DATED = re.compile(r"\d{4}|[\d一二三四五六七八九十]月")


class Traits:
    """What is known of each note besides its words: the share of it that asks, and the dates it names."""

    def __init__(self) -> None:
        self._asking: dict[int, float] = {}
        self._dates: dict[int, frozenset[str]] = {}

    def put(self, key: int, *, text: str, turn: bool) -> None:
        """Read the traits off a text; only turns of a dialogue can be mere questions."""
        self.remove(key)
        asked = sum(len(question) for question in _QUESTION.findall(text)) / len(text) if turn and text else 0.0
        if asked:
            self._asking[key] = asked
        if _DATED.search(text) and (dates := date_terms(text)):
            self._dates[key] = dates

    def remove(self, key: int) -> None:
        """Forget a note; an unknown key is no error."""
        self._asking.pop(key, None)
        self._dates.pop(key, None)

    def factors(self, keys: IntArray, *, dates: frozenset[str]) -> FloatArray:
        """How much each note counts, float32 of shape [len(keys)], around 1."""
        asking = np.array([self._asking.get(key, 0.0) for key in keys.tolist()], dtype=np.float32)
        factors = np.float32(1.0) - np.float32(ASKING) * asking
        if dates:
            shared = [len(dates & self._dates.get(key, frozenset())) / len(dates) for key in keys.tolist()]
            factors *= np.float32(1.0) + np.float32(DATED) * np.array(shared, dtype=np.float32)
        return factors


@dataclass(frozen=True, slots=True)
class Reading:
    """What a query scores in each note of a pool, read in context; the parts are weighed and add up to at most 1.

    `gains` (shape [terms, n]) is what each query term adds, `rest` (shape [n]) the dense part, `novelty` (shape [n])
    the share of a gain that is lost when a better note has it too.
    """

    gains: FloatArray
    rest: FloatArray
    novelty: FloatArray


def read_in_context(text: str, scores: QueryScores, pool: IntArray, *, places: PlaceIndex, traits: Traits) -> Reading:
    """Score the notes of a pool by what they say, what stands around them, who speaks, asks, and when.

    A turn gets a share of what its neighbours have of a term; the name of a speaker counts only where it stands, and
    raises what that speaker says. Turns are no less worth for repeating: a dialogue goes on about one thing.
    """
    factors = traits.factors(pool, dates=date_terms(text))
    novelty = np.full(len(pool), NOVELTY, dtype=np.float32)
    turns = np.array([places.speaker(key) is not None for key in pool.tolist()]) if places.has_speakers else None
    if turns is None or not turns.any():
        gains, dense = scores.terms.at(pool), scores.dense[pool]
    else:
        novelty[turns] = 0.0
        speakers = places.named(scores.terms.terms)
        around = places.around(pool, before=len(BEFORE), after=len(AFTER))
        around = [np.where(turns, keys, -1) for keys in around]
        gains = _gains_around(scores, pool, around, fixed=places.name_terms(speakers))
        dense = scores.dense[pool] + np.float32(DENSE_BESIDE) * _sum_beside(scores.dense, around)
        if speakers:
            said = np.array([places.speaker(key) in speakers for key in pool.tolist()], dtype=np.float32)
            factors *= np.float32(1.0) + np.float32(SPEAKER) * said
    gains = gains * factors
    whole = max(float(gains.sum(axis=0).max(initial=0.0)), 1e-9)
    meaning = scaled(dense * factors, low=0.0)
    return Reading(gains * np.float32(scores.alpha / whole), meaning * np.float32(1.0 - scores.alpha), novelty)


def _gains_around(scores: QueryScores, pool: IntArray, around: list[IntArray], *, fixed: Collection[str]) -> FloatArray:
    """The terms' gains in the pool, each at least its weighed gain in a neighbour, but for the `fixed` terms."""
    everyone = np.unique(np.concatenate([pool, *around]))
    matrix = scores.terms.at(everyone)  # key -1 is in no text and gives zeros
    gains = matrix[:, np.searchsorted(everyone, pool)]
    spreading = np.array([term not in fixed for term in scores.terms.terms], dtype=np.float32)[:, None]
    for keys, weight in zip(around, (*BEFORE, *AFTER), strict=True):
        np.maximum(gains, matrix[:, np.searchsorted(everyone, keys)] * (spreading * np.float32(weight)), out=gains)
    return gains


def _sum_beside(values: FloatArray, around: list[IntArray]) -> FloatArray:
    before, after = around[len(BEFORE) - 1], around[len(BEFORE)]
    return np.where(before >= 0, values[before], 0.0) + np.where(after >= 0, values[after], 0.0)
