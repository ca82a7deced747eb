"""How alike a query and a record are, in [0, 1] whatever the query: by words, and by meaning where it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.longterm.related_words import senses_by_term
from amb_core.text import index_tokens
from amb_core.text.everyday_words import near_terms

__all__ = ["QueryPart", "covered", "query_parts", "record_senses"]

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]

SAME = 0.8
FIELD = 0.5


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One thing a query asks for: its `weight`, and the index terms that meet it with how far each does, in (0, 1]."""

    weight: float
    ways: dict[str, float]


def query_parts(text: str) -> list[QueryPart]:
    """What a query asks for, one part for each of its words."""
    parts = []
    for term in dict.fromkeys(index_tokens(text)):
        ways = dict.fromkeys(senses_by_term().get(term, ()), FIELD)
        ways |= dict.fromkeys(near_terms(term), SAME)
        parts.append(QueryPart(1.0, ways | {term: 1.0}))
    return parts


def record_senses(text: str) -> tuple[str, ...]:
    """The terms that stand for the fields a record's words belong to."""
    table = senses_by_term()
    return tuple(dict.fromkeys(sense for term in index_tokens(text) for sense in table.get(term, ())))


def covered(parts: Sequence[QueryPart], terms: Sequence[str], held: BoolArray) -> FloatArray:
    """How much of a query each record meets, float32 of shape [n]; `held` (shape [terms, n]): who holds which term."""
    row_of = {term: row for row, term in enumerate(terms)}
    met = np.zeros(held.shape[1], dtype=np.float32)
    for part in parts:
        best = np.zeros(held.shape[1], dtype=np.float32)
        for term, credit in part.ways.items():
            np.maximum(best, held[row_of[term]] * np.float32(credit), out=best)
        met += np.float32(part.weight) * best
    whole = sum(part.weight for part in parts)
    return met / np.float32(whole) if whole else met
