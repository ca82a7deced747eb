"""Notices agents that go in circles: the same action again, or turn after turn without a new fact."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from amb_core.team.queries import argument_of, near, normalised, verb_of
from amb_core.team.settings import TeamSettings

__all__ = ["LoopBreaker", "Stuck"]


@dataclass(frozen=True, slots=True)
class Stuck:
    """That an agent goes in circles: it did `action` before, or has found nothing new for `turns` turns."""

    agent: str
    reason: Literal["repeated action", "nothing new"]
    action: str
    turns: int


@dataclass(slots=True)
class _Trail:
    actions: list[tuple[str, str]] = field(default_factory=list)
    without_news: int = 0


class LoopBreaker:
    """Follows the actions of each agent of a team. Not thread-safe: its owner holds a lock."""

    def __init__(self, settings: TeamSettings) -> None:
        self._settings = settings
        self._trails: dict[str, _Trail] = {}

    def note(self, agent: str, action: str, *, new_facts: int) -> Stuck | None:
        """Note a turn; Stuck when it was in vain: done before and nothing new, or nothing new for too long."""
        trail = self._trails.setdefault(agent, _Trail())
        verb, words = verb_of(action), normalised(argument_of(action))
        least = self._settings.near_query
        repeated = any(verb == known and near(words, before, least=least) for known, before in trail.actions)
        trail.actions.append((verb, words))
        trail.without_news = 0 if new_facts else trail.without_news + 1
        if repeated and not new_facts:
            return Stuck(agent, "repeated action", action, trail.without_news)
        if trail.without_news >= self._settings.stuck_after:
            return Stuck(agent, "nothing new", action, trail.without_news)
        return None
