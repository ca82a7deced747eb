"""What may go up a level: from one agent to the team, and from the team to what outlives the task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from amb_core.agents.contradiction import contradictions
from amb_core.team.actions import normalised
from amb_core.team.record_scope import RecordScope
from amb_core.team.shared_memory import SharedMemory
from amb_core.team.team_records import (
    Challenge,
    Evidence,
    Fact,
    Hypothesis,
    Noted,
    Promotion,
    Quarantined,
    ReasoningStep,
)
from amb_core.team.team_settings import TeamSettings

__all__ = ["Objection", "objection", "share", "told_text"]

Objection = Literal["type", "confidence", "duplicate", "conflict", "no evidence", "outcome"]

_MAY_RISE = (Evidence, Hypothesis, ReasoningStep, Challenge)


def told_text(record: Noted) -> str:
    """What a record would say one level up."""
    match record:
        case Evidence() | Hypothesis() | Challenge():
            return record.content
        case ReasoningStep():
            return record.conclusion
        case Fact():
            return record.text
    return record.told


def objection(
    record: Noted, *, known: Sequence[Fact], evidence: Sequence[str], settings: TeamSettings
) -> Objection | None:
    """Why a private record may not be shared; None when it may.

    It must be of a kind that says something of the world, be sure enough, stand on evidence, be new, and contradict
    nothing the team holds undisputed.
    """
    if not isinstance(record, _MAY_RISE):
        return "type"
    if not isinstance(record, Challenge) and record.succeeded < settings.least_confidence:
        return "confidence"
    text = told_text(record)
    if isinstance(record, Hypothesis | ReasoningStep) and not evidence:
        return "no evidence"
    words = normalised(text)
    if any(normalised(fact.text) == words for fact in known):
        return "duplicate"
    if any(contradictions(fact.text, text) for fact in known if not fact.disputed):
        return "conflict"
    return None


def share(
    record: Noted,
    *,
    agent: str,
    evidence: Sequence[str],
    shared: SharedMemory,
    scope: RecordScope,
    turn: int,
    settings: TeamSettings,
) -> Promotion | Quarantined:
    """Make a fact of the team of one agent's note, or hold it back; either is kept in the team's scope.

    `evidence` are the ids of the agent's notes that it stands on.
    """
    why_not = objection(record, known=shared.facts, evidence=evidence, settings=settings)
    if why_not is not None:
        return scope.add(Quarantined, agent=agent, turn=turn, record_id=record.id, to_scope=scope.name, reason=why_not)
    source = record.source if isinstance(record, Evidence) else agent
    text = told_text(record)
    fact = shared.add_fact(text, agent=agent, turn=turn, source=source, confidence=record.succeeded)
    assert fact is not None  # a duplicate is an objection
    return scope.add(
        Promotion,
        agent=agent,
        turn=turn,
        record_id=record.id,
        new_id=fact.id,
        from_scope=f"private.{agent}",
        to_scope=scope.name,
        evidence=tuple(evidence),
    )
