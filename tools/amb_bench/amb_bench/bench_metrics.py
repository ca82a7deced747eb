"""Recall figures; every value is a share in [0, 1]."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

__all__ = ["mean", "recall_at"]


def recall_at(ranked: Sequence[str], gold: Collection[str], *, k: int) -> float:
    """The share of `gold` among the first `k` of `ranked`; 1 when there is nothing to find."""
    wanted = set(gold)
    return len(wanted.intersection(ranked[:k])) / len(wanted) if wanted else 1.0


def mean(values: Iterable[float]) -> float:
    """The mean, 0 when there are none."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
