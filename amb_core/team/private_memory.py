"""What one agent notes for itself for one task; no other agent ever sees it, unless it is promoted."""

from __future__ import annotations

from typing import Any, TypeVar

from amb_core.team.record_scope import RecordScope, TeamSpace
from amb_core.team.team_records import Hypothesis, Noted, PeerProfile, PlanItem, PlanStatus, ReasoningStep

__all__ = ["PrivateMemory"]

_Kept = TypeVar("_Kept", bound=Noted)


class PrivateMemory(RecordScope):
    """The notes of `agent`; capacities evict evidence by relevance, hypotheses by confidence, the rest by age."""

    def __init__(self, agent: str, space: TeamSpace) -> None:
        super().__init__(f"private.{agent}", space)
        self.agent = agent

    def note(self, kind: type[_Kept], **fields: Any) -> _Kept:
        """Note a record of a kind with these fields; what was noted in the same words becomes surer or more urgent."""
        new = kind(agent=self.agent, **fields)
        known = self.said(kind, new.told) if kind.is_once else None
        if known is not None:
            return self.change(known, **known.once_more(new))
        return self.add(new, most=getattr(self.settings, kind.most) if kind.most else None)

    def top_hypotheses(self, k: int = 3) -> list[Hypothesis]:
        """The surest hypotheses, verified ones first."""
        return sorted(self.of(Hypothesis), key=lambda each: (-each.verified, -each.confidence))[:k]

    def recent_successes(self, k: int = 2) -> list[str]:
        """What led somewhere of late, newest first: verified hypotheses and conclusions that were drawn."""
        found: list[Noted] = [each for each in self.of(Hypothesis) if each.verified]
        newest = sorted([*found, *self.of(ReasoningStep)], key=lambda each: (each.turn, each.at), reverse=True)
        return [each.told for each in newest][:k]

    def complete(self, description: str) -> None:
        """Note that what the plan says in these words was done."""
        known = self.said(PlanItem, description)
        if known is not None:
            self.change(known, status=PlanStatus.COMPLETED)

    def pending(self) -> list[PlanItem]:
        """What is still to be done, most urgent first."""
        waiting = [item for item in self.of(PlanItem) if item.status is PlanStatus.PENDING]
        return sorted(waiting, key=lambda item: -item.priority)

    def peer(self, name: str) -> PeerProfile | None:
        """What this agent thinks of another."""
        return next((each for each in self.of(PeerProfile) if each.peer == name), None)

    def update_peer(self, name: str, **fields: Any) -> PeerProfile:
        """Note what another agent is good at, or how it gets on; `fields` are those of its profile."""
        return self.change(self.peer(name) or self.note(PeerProfile, peer=name), **fields)

    def record_peer_interaction(self, name: str, *, success: bool) -> PeerProfile:
        """Note whether another's help helped: its success rate moves by `peer_alpha` towards the outcome."""
        known, alpha = self.update_peer(name), self.settings.peer_alpha
        rate = alpha * float(success) + (1 - alpha) * known.success_rate
        return self.change(known, success_rate=rate, interactions=known.interactions + 1)
