"""Agents that go in circles: how it is noticed, and what happens then: doubt, more to read, and peers that know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from amb_core.rendering import Language
from amb_core.team.actions import argument_of, near, normalised, verb_of
from amb_core.team.private_memory import PrivateMemory
from amb_core.team.team_records import Challenge
from amb_core.team.team_settings import TeamSettings

__all__ = ["Circles", "Stuck"]


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
    stuck: Stuck | None = None


_TOLD: dict[Language, dict[str, str]] = {
    "en": {
        "repeated action": "“{action}” was done before and brought nothing new; ask for something else.",
        "nothing new": "nothing new for {turns} turns; go on from another name, or answer with what is known.",
    },
    "zh": {
        "repeated action": "“{action}”此前已做过且没有新收获；请换一个问法。",
        "nothing new": "已有 {turns} 轮没有新收获；请换一个名称继续，或用已知内容作答。",
    },
}


class Circles:
    """Follows the actions of each agent of a team; not thread-safe, its owner holds a lock."""

    def __init__(self, settings: TeamSettings, *, language: Language) -> None:
        self._settings = settings
        self._words = _TOLD[language]
        self._trails: dict[str, _Trail] = {}
        self.broken = 0
        """How often an agent was found to go in circles."""

    def __contains__(self, agent: str) -> bool:
        return agent in self._trails and self._trails[agent].stuck is not None

    def follow(
        self, private: PrivateMemory, peers: Iterable[PrivateMemory], action: str, *, new_facts: int, turn: int
    ) -> Stuck | None:
        """Note a turn of an agent; one in vain becomes a doubt in its memory, and `stuck` in the others' view of it.

        A turn is in vain when it was done before and brought nothing new, or nothing new has come for too long.
        """
        trail = self._trails.setdefault(private.agent, _Trail())
        trail.stuck = stuck = self._note(trail, private.agent, action, new_facts)
        if stuck is not None:
            self.broken += 1
            told = self._words[stuck.reason].format(action=action, turns=stuck.turns)
            private.note(Challenge, content=told, turn=turn)
        for other in peers:
            if other.agent != private.agent:
                other.update_peer(private.agent, status="working" if stuck is None else "stuck")
        return stuck

    def _note(self, trail: _Trail, agent: str, action: str, new_facts: int) -> Stuck | None:
        verb, words, least = verb_of(action), normalised(argument_of(action)), self._settings.near_query
        repeated = any(verb == known and near(words, before, least=least) for known, before in trail.actions)
        trail.actions.append((verb, words))
        trail.without_news = 0 if new_facts else trail.without_news + 1
        if repeated and not new_facts:
            return Stuck(agent, "repeated action", action, trail.without_news)
        if trail.without_news >= self._settings.stuck_after:
            return Stuck(agent, "nothing new", action, trail.without_news)
        return None
