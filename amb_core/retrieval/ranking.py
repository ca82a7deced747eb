"""From scores to one ranked list: what is new about the query comes first, and what a hit leads to moves up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.text import index_tokens

__all__ = ["Lead", "Pick", "QueryWords", "fused_ranks", "pick", "scaled"]

FloatArray = NDArray[np.float32]

NOVEL_PICKS = 4
LEADING_PICKS = 4
LEAD_WEIGHT = 0.5
_RRF = 60.0


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
