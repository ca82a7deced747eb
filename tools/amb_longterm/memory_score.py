"""What a record is worth: S = alpha · similarity + beta · exp(-lambda · age) + gamma · boost.

The seed has the formula twice, with "source boost" and with "freshness" as its third part; `settings.boost` chooses.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from amb_longterm.loaded_namespaces import Traits
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryRecord

__all__ = ["SOURCE_WEIGHTS", "Rated", "age_days", "boost", "score", "worth"]

_DAY = 86_400.0
_FRESH_DAYS = 7.0
"""Days after which a record that was not confirmed again is half as fresh."""

SOURCE_WEIGHTS = {"user": 1.0, "supervisor": 0.8, "worker": 0.6, "tool": 0.4}
"""How far a source is trusted: what users say of themselves most, what a tool put out least."""
_SOURCE_NAMES = {"human": "user", "assistant": "supervisor", "agent": "worker", "file": "tool", "database": "tool"}
_UNKNOWN = "worker"
"""A source by any other name is an agent that reported it."""

Rated: TypeAlias = MemoryRecord | Traits
"""What the worth of is asked."""


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


def _source_weight(source: str) -> float:
    """The weight of a source by its name or the last word of it: `analysis_agent` is an agent, `sql_tool` a tool."""
    name = source.casefold().replace("-", "_").rpartition("_")[2].strip() or "supervisor"
    name = _SOURCE_NAMES.get(name, name)
    return SOURCE_WEIGHTS.get(name, SOURCE_WEIGHTS[_UNKNOWN])
