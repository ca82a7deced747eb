"""The figures of one team's task, as the seed's verification asks for them."""

from __future__ import annotations

from amb_core.frozen import Frozen
from amb_core.team.record_scope import RecordScope
from amb_core.team.shared_memory import SharedMemory
from amb_core.team.team_records import Promotion, Quarantined

__all__ = ["TeamStatistics", "statistics_of"]


class TeamStatistics(Frozen):
    """Counts of one task; `repeats_avoided` are searches answered from memory, `stuck` how often a loop was broken."""

    total_hops: int = 0
    hops_with_answer: int = 0
    successful_hops: int = 0
    failed_hops: int = 0
    facts: int = 0
    unique_searches: int = 0
    repeats_avoided: int = 0
    repeated_searches: int = 0
    interactions: int = 0
    stuck: int = 0
    promoted: int = 0
    quarantined: int = 0
    insights: int = 0
    task_status: str = "in_progress"

    @property
    def answered_share(self) -> float:
        """Share of hops with an extracted answer; 0.0 before the first hop."""
        return self.hops_with_answer / self.total_hops if self.total_hops else 0.0


def statistics_of(
    scope: RecordScope, shared: SharedMemory, *, stuck: int, repeats_avoided: int, repeated_searches: int, insights: int
) -> TeamStatistics:
    """The figures of what a team shares, with those that only its facade counts."""
    hops = shared.hops
    return TeamStatistics(
        total_hops=len(hops),
        hops_with_answer=sum(bool(hop.extracted_answer) for hop in hops),
        successful_hops=sum(hop.success for hop in hops),
        failed_hops=sum(not hop.success for hop in hops),
        facts=len(shared.facts),
        unique_searches=len(shared.searches),
        repeats_avoided=repeats_avoided,
        repeated_searches=repeated_searches,
        interactions=len(shared.interactions),
        stuck=stuck,
        promoted=len(scope.of(Promotion)),
        quarantined=len(scope.of(Quarantined)),
        insights=insights,
        task_status=shared.status,
    )
