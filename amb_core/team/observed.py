"""What became of an action and its observation."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.team.curating import CuratedObservation
from amb_core.team.loop_breaker import Stuck
from amb_core.team.records import Fact, Hop

__all__ = ["Observed"]


@dataclass(frozen=True, slots=True)
class Observed:
    """The hop an observation became, the new facts, what was read off it, and loops noticed.

    `repeated` says that the team had made this search before.
    """

    hop: Hop
    facts: tuple[Fact, ...]
    curated: CuratedObservation
    repeated: bool = False
    stuck: Stuck | None = None
