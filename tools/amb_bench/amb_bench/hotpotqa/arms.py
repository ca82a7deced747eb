"""What each arm of the experiment puts before an agent, within the same number of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, get_args

from amb_core.clock import SystemClock
from amb_core.protocols import Clock
from amb_core.text import clip_tokens, estimate_tokens
from amb_longterm import LongTermMemory
from amb_team import TeamMemory
from amb_team.team_block import TeamView, current_query, team_block

__all__ = ["ARMS", "Arm", "Team", "Turn"]

Arm = Literal["none", "chat", "private", "shared", "all"]
"""`none`: an agent's own transcript; `chat`: that of the whole team; `private`: each agent has a memory of its own;
`shared`: one for the team, without what agents note for themselves; `all`: with that, and with meta memory."""
ARMS: tuple[Arm, ...] = get_args(Arm)
_RUNS = count(1)
"""A run that ends again is counted once; a question that is tried again is another run."""
_LAST = 0.5
"""Share of the budget that the agent's own last observation may take beside a block."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent did and saw."""

    agent: str
    action: str
    observation: str

    @property
    def text(self) -> str:
        return f"{self.action}\nObservation: {self.observation}"


class Team:
    """The agents of one question in one arm: what they are shown, and what becomes of what they see.

    `memory` is that of the first agent, in the arms that have one; `meta` outlives the question and is read in the arm
    `all` alone.
    """

    def __init__(
        self,
        question: str,
        arm: Arm,
        *,
        agents: Sequence[str],
        meta: LongTermMemory | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.question, self.arm = question, arm
        self.turns: list[Turn] = []
        told = clock or SystemClock()
        self._memories: dict[str, TeamMemory] = {}
        if arm == "private":
            self._memories = {name: TeamMemory(question, agents=[name], clock=told, team_id=name) for name in agents}
        elif arm in ("shared", "all"):
            kept = meta if arm == "all" else None
            whole = TeamMemory(question, agents=agents, meta=kept, clock=told, team_id=f"t{next(_RUNS)}")
            self._memories = dict.fromkeys(agents, whole)
        self.memory = self._memories.get(agents[0])

    def shown(self, agent: str, *, tokens: int) -> str:
        """The text before an agent: newest turns that fit, or its block with its own last observation."""
        own = [turn for turn in self.turns if turn.agent == agent]
        if self.memory is None:
            return _transcript(self.turns if self.arm == "chat" else own, tokens)
        last = _transcript(own[-1:], round(tokens * _LAST))
        block = self._block(agent, tokens - estimate_tokens(last) - 1)
        return f"{block}\n{last}".strip()

    def known(self, agent: str, query: str) -> str | None:
        """What the memory an agent has knows of a search; None where it must be made."""
        memory = self._memories.get(agent)
        found = None if memory is None else memory.before_search(agent, query)
        return None if found is None else found.result

    def note(self, turn: Turn, *, found: bool) -> None:
        """Take in a turn."""
        self.turns.append(turn)
        memory = self._memories.get(turn.agent)
        if memory is not None:
            memory.observe(
                agent=turn.agent,
                action=turn.action,
                observation=turn.observation,
                success=None if found else False,
            )

    def close(self) -> None:
        """Release the memories of the question."""
        for memory in self._memories.values():
            memory.close()

    def _block(self, agent: str, tokens: int) -> str:
        memory = self._memories[agent]
        if self.arm != "shared":
            return memory.inject(agent, budget_tokens=tokens)
        asked = current_query(self.question, last_hop=memory.shared.last_hop)
        view = TeamView(self.question, memory.shared)
        return team_block(view, query=asked, budget_tokens=tokens, settings=memory.settings)


def _transcript(turns: Sequence[Turn], tokens: int) -> str:
    """The newest turns within a budget, oldest first; the newest is cut when it alone is too long."""
    kept: list[str] = []
    for turn in reversed(turns):
        tried = "\n".join([turn.text, *kept])
        if estimate_tokens(tried) > tokens:
            break
        kept.insert(0, turn.text)
    if turns and not kept:
        return clip_tokens(turns[-1].text, tokens)
    return "\n".join(kept)
