"""What earlier tasks have to say about a new one."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.team.records import Insight, Skill, Trajectory

__all__ = ["MetaHits"]


@dataclass(frozen=True, slots=True)
class MetaHits:
    """Trajectories, insights and skills that are like a task, each best first; `ids` are their long-term records."""

    successes: tuple[Trajectory, ...] = ()
    failures: tuple[Trajectory, ...] = ()
    insights: tuple[Insight, ...] = ()
    skills: tuple[Skill, ...] = ()
    ids: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.successes or self.failures or self.insights or self.skills)
