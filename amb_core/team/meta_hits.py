"""What earlier tasks have to say about a new one."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.team.records import Insight, Skill, Trajectory
from amb_core.text import index_tokens

__all__ = ["MetaHits", "is_like"]

_LIKE = 0.6


def is_like(task: str, other: str) -> bool:
    """Whether another task asks so nearly the same that its way may be followed step by step."""
    wanted = set(index_tokens(task))
    return len(wanted & set(index_tokens(other))) >= _LIKE * max(len(wanted), 1)


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

    def ways_of(self, task: str) -> MetaHits:
        """What stays before an agent throughout: how tasks that are nearly this one went well."""
        return MetaHits(successes=tuple(went for went in self.successes if is_like(task, went.task)))
