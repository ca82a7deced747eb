"""What happens when an agent goes in circles: it doubts its way, it is shown more, and its peers know."""

from __future__ import annotations

from collections.abc import Iterable

from amb_core.rendering import Language
from amb_core.team.loop_breaker import LoopBreaker, Stuck
from amb_core.team.private_memory import PrivateMemory
from amb_core.team.settings import TeamSettings

__all__ = ["Circles", "contradiction_told"]

_TOLD: dict[Language, dict[str, str]] = {
    "en": {
        "repeated action": "“{action}” was done before and brought nothing new; ask for something else.",
        "nothing new": "nothing new for {turns} turns; go on from another name, or answer with what is known.",
        "contradicts": "“{new}” contradicts “{old}”.",
    },
    "zh": {
        "repeated action": "“{action}”此前已做过且没有新收获；请换一个问法。",
        "nothing new": "已有 {turns} 轮没有新收获；请换一个名称继续，或用已知内容作答。",
        "contradicts": "“{new}”与“{old}”矛盾。",
    },
}


def contradiction_told(new: str, old: str, *, language: Language) -> str:
    """A doubt about two statements that cannot both hold."""
    return _TOLD[language]["contradicts"].format(new=new, old=old)


class Circles:
    """Follows the agents of a team; not thread-safe, its owner holds a lock."""

    def __init__(self, settings: TeamSettings, *, language: Language) -> None:
        self._loops = LoopBreaker(settings)
        self._words = _TOLD[language]
        self._stuck: dict[str, Stuck] = {}
        self.broken = 0
        """How often an agent was found to go in circles."""

    def __contains__(self, agent: str) -> bool:
        return agent in self._stuck

    def follow(
        self, private: PrivateMemory, peers: Iterable[PrivateMemory], action: str, *, new_facts: int, turn: int
    ) -> Stuck | None:
        """Note a turn of an agent; one in vain becomes a doubt in its memory, and `stuck` in the others' view of it."""
        stuck = self._loops.note(private.agent, action, new_facts=new_facts)
        if stuck is None:
            self._stuck.pop(private.agent, None)
        else:
            self._stuck[private.agent] = stuck
            self.broken += 1
            told = self._words[stuck.reason].format(action=stuck.action, turns=stuck.turns)
            private.add_challenge(told, turn=turn)
        for other in peers:
            if other.agent != private.agent:
                other.update_peer(private.agent, status="working" if stuck is None else "stuck")
        return stuck
