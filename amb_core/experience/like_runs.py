"""Which earlier runs are like this one: they share rare identifiers with what is asked and called, or their goal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from amb_core.longterm import MemoryRecord
from amb_core.memory.passage_terms import identifiers
from amb_core.text import index_tokens

__all__ = ["runs_like"]

_SAME_GOAL = 0.6
"""The share of the words of either goal that the other has, from which on they are one."""
_RARE = 8
"""An identifier is rare that at most one in so many runs has."""
_BESIDE = 0.5
"""The share of the best run's likeness that another one needs."""


def runs_like(goal: str, asked: str, runs: Sequence[MemoryRecord], *, k: int) -> list[str]:
    """The codes of at most `k` runs, best first, of equals the newest; `asked` is all that is said and called so far.

    `runs` are records whose first line is the goal, and whose others are what was said and called.
    """
    named, words = identifiers(f"{goal}\n{asked}"), set(index_tokens(goal))
    shared = [identifiers(run.content) & named for run in runs]
    held = Counter(one for each in shared for one in each)
    most = max(1, len(runs) // _RARE)
    scores: list[tuple[float, int, str]] = []
    for number, run in enumerate(runs):
        rare = sum(log((len(runs) + 1) / held[one]) for one in shared[number] if held[one] <= most)
        score = rare + _goal_likeness(words, set(index_tokens(run.content.split("\n", 1)[0])))
        if score > 0:
            scores.append((score, number, str(run.metadata["run"])))
    best = max(scores, default=(0.0, 0, ""))[0]
    return [run for score, _, run in sorted(scores, reverse=True) if score >= _BESIDE * best][:k]


def _goal_likeness(words: set[str], others: set[str]) -> float:
    """The share of words that two goals have in common, 0 below what makes them one."""
    share = len(words & others) / max(len(words), len(others), 1)
    return share if share >= _SAME_GOAL else 0.0
