"""What a found record is worth: S = alpha · similarity + beta · exp(-lambda · age) + gamma · boost, and what is shown.

The seed has the formula twice, with "source boost" and with "freshness" as its third part; `settings.boost` chooses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from amb_core.longterm.loaded_namespaces import Traits
from amb_core.longterm.longterm_settings import LongTermSettings
from amb_core.longterm.memory_records import MemoryRecord

__all__ = ["SOURCE_WEIGHTS", "Rated", "Scored", "age_days", "boost", "ranked", "score", "together", "worth"]

_DAY = 86_400.0
_FRESH_DAYS = 7.0
"""Days after which a record that was not confirmed again is half as fresh."""

SOURCE_WEIGHTS = {"user": 1.0, "supervisor": 0.8, "worker": 0.6, "tool": 0.4}
"""How far a source is trusted: what users say of themselves most, what a tool put out least."""
_SOURCE_NAMES = {"human": "user", "assistant": "supervisor", "agent": "worker", "file": "tool", "database": "tool"}
_AS_NEAR = 0.05
"""Similarities that differ by less do not tell two records apart."""
_UNKNOWN = "worker"
"""A source by any other name is an agent that reported it."""

Rated: TypeAlias = MemoryRecord | Traits
"""What the worth of is asked."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The id of a record with its similarity to a query and its S, both in [0, 1]."""

    id: str
    similarity: float
    score: float


def age_days(at: float, *, now: float) -> float:
    """Days from `at` to `now` (seconds); 0 when the clock has gone backwards since."""
    return max(now - at, 0.0) / _DAY


def boost(record: Rated, *, now: float, settings: LongTermSettings) -> float:
    """The third part of S in [0, 1]: the source's weight times the record's `score`, or how lately it was confirmed."""
    if settings.boost == "freshness":
        return float(0.5 ** (age_days(record.updated_at, now=now) / _FRESH_DAYS))
    return _source_weight(record.source) * min(max(record.importance, 0.0), 1.0)


def score(similarity: float, *, age_days: float, boost: float, settings: LongTermSettings) -> float:
    """S in [0, 1]: the weighted mean of similarity, decay with age, and boost; a negative age counts as none.

    The weights are divided by their sum, so that S stays comparable with any setting; with no weight at all S is the
    similarity.
    """
    whole = settings.alpha + settings.beta + settings.gamma
    if whole <= 0:
        return similarity
    decay = math.exp(-settings.decay_lambda * max(age_days, 0.0))
    return (settings.alpha * similarity + settings.beta * decay + settings.gamma * boost) / whole


def worth(record: Rated, *, now: float, settings: LongTermSettings, similarity: float = 0.0) -> float:
    """S of a record; without a query the part that speaks of the record alone, by which full namespaces are thinned."""
    age = age_days(record.updated_at, now=now)
    return score(similarity, age_days=age, boost=boost(record, now=now, settings=settings), settings=settings)


def ranked(
    similarity_of: Mapping[str, float],
    *,
    rated: Callable[[str], Rated],
    now: float,
    top_k: int,
    min_score: float,
    settings: LongTermSettings,
) -> list[Scored]:
    """The records worth showing, by id, highest S first (equal ones in their order), at most `top_k`.

    Those below `min_score` in similarity, or below `settings.weak_below` of the best similarity, are left out.
    """
    least = max(min_score, settings.weak_below * max(similarity_of.values(), default=0.0))
    found = [
        Scored(name, similarity, worth(rated(name), now=now, settings=settings, similarity=similarity))
        for name, similarity in similarity_of.items()
        if similarity >= least
    ]
    return sorted(found, key=lambda each: -each.score)[:top_k]


def together(scored: Sequence[Scored], *, rated: Callable[[str], Traits]) -> list[Scored]:
    """The hits with those of one group side by side, in the place of the best of them, the newest first.

    An older one stays first where the query itself is nearer to it.
    """
    groups: dict[str, list[Scored]] = {}
    for each in scored:
        groups.setdefault(rated(each.id).group, []).append(each)
    shown: list[Scored] = []
    for near in groups.values():
        best = near[0]
        newest = sorted(near, key=lambda each: (-rated(each.id).updated_at, each.id))
        ordered = sorted(newest, key=lambda each: each.similarity < best.similarity - _AS_NEAR)
        shown += [replace(each, score=best.score) for each in ordered]
    return shown


def _source_weight(source: str) -> float:
    """The weight of a source by its name or the last word of it: `analysis_agent` is an agent, `sql_tool` a tool."""
    name = source.casefold().replace("-", "_").rpartition("_")[2].strip() or "supervisor"
    name = _SOURCE_NAMES.get(name, name)
    return SOURCE_WEIGHTS.get(name, SOURCE_WEIGHTS[_UNKNOWN])
