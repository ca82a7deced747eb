"""What may go up a level: from one agent to the team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from amb_core.agents.contradiction import contradictions
from amb_core.team.actions import normalised
from amb_core.team.private_memory import PrivateMemory
from amb_core.team.shared_memory import SharedMemory
from amb_core.team.team_records import (
    Challenge,
    Evidence,
    Fact,
    Hypothesis,
    Noted,
    PromotionNote,
    Quarantined,
    ReasoningStep,
)
from amb_core.text import find_unsupported

__all__ = ["share"]


def share(record_id: str, *, private: PrivateMemory, shared: SharedMemory, turn: int) -> PromotionNote | Quarantined:
    """Make a fact of the team of one agent's note, or hold it back; either is kept in the team's scope.

    The note must be of a kind that says something of the world, be sure enough, stand on evidence that has all its
    names and figures, be new, and contradict nothing the team holds undisputed. A doubt about a fact of the team
    becomes no fact: it marks that one as disputed. Raises UnknownId for what is not a note of this agent.
    """
    record = private.get(record_id)
    who: dict[str, Any] = {"agent": private.agent, "turn": turn}
    moved = {**who, "record_id": record_id, "to_scope": shared.name}
    evidence = [each for each in private.of(Evidence) if record_id in (each.supports, each.id)]
    doubted = [fact for fact in shared.facts if isinstance(record, Challenge) and fact.id == record.about]
    why_not = _objection(record, shared, evidence, doubted)
    if why_not is not None:
        return shared.add(Quarantined(**moved, reason=why_not))
    if doubted:
        fact: Fact | None = shared.change(doubted[0], disputed=True)
    else:
        told = {"source": evidence[0].source, "quote": "" if record in evidence else evidence[0].content}
        fact = shared.add_fact(_says(record), **who, **told, confidence=record.succeeded)
    assert fact is not None  # a duplicate is an objection
    rests_on = tuple(each.id for each in evidence)
    return shared.add(PromotionNote(**moved, new_id=fact.id, from_scope=private.name, evidence=rests_on))


def _objection(
    record: Noted, shared: SharedMemory, evidence: Sequence[Evidence], doubted: Sequence[Fact]
) -> Literal["type", "confidence", "duplicate", "conflict", "no evidence"] | None:
    """Why a private record may not be shared; None when it may."""
    if not isinstance(record, Evidence | Hypothesis | ReasoningStep | Challenge):
        return "type"
    if isinstance(record, Challenge):
        return None if doubted else "no evidence"
    if record.succeeded < shared.settings.least_confidence:
        return "confidence"
    text = _says(record)
    if not evidence or find_unsupported(text, [each.content for each in evidence]) is not None:
        return "no evidence"
    if any(normalised(fact.text) == normalised(text) for fact in shared.facts):
        return "duplicate"
    if any(contradictions(fact.text, text) for fact in shared.facts if not fact.disputed):
        return "conflict"
    return None


def _says(record: Noted) -> str:
    """What a record would say one level up."""
    return record.conclusion if isinstance(record, ReasoningStep) else record.told
