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
    Hypothesis,
    Noted,
    Promotion,
    Quarantined,
    ReasoningStep,
)

__all__ = ["share"]


def share(record_id: str, *, private: PrivateMemory, shared: SharedMemory, turn: int) -> Promotion | Quarantined:
    """Make a fact of the team of one agent's note, or hold it back; either is kept in the team's scope.

    The note must be of a kind that says something of the world, be sure enough, stand on evidence, be new, and
    contradict nothing the team holds undisputed. Raises UnknownId for what is not a note of this agent.
    """
    record = private.get(record_id)
    who: dict[str, Any] = {"agent": private.agent, "turn": turn}
    moved = {**who, "record_id": record_id, "to_scope": shared.name}
    evidence = tuple(each.id for each in private.of(Evidence) if record_id in (each.supports, each.id))
    why_not = _objection(record, shared, evidence)
    if why_not is not None:
        return shared.add(Quarantined(**moved, reason=why_not))
    source = record.source if isinstance(record, Evidence) else private.agent
    fact = shared.add_fact(_says(record), **who, source=source, confidence=record.succeeded)
    assert fact is not None  # a duplicate is an objection
    return shared.add(Promotion(**moved, new_id=fact.id, from_scope=private.name, evidence=evidence))


def _objection(
    record: Noted, shared: SharedMemory, evidence: Sequence[str]
) -> Literal["type", "confidence", "duplicate", "conflict", "no evidence"] | None:
    """Why a private record may not be shared; None when it may."""
    if not isinstance(record, Evidence | Hypothesis | ReasoningStep | Challenge):
        return "type"
    if not isinstance(record, Challenge) and record.succeeded < shared.settings.least_confidence:
        return "confidence"
    if isinstance(record, Hypothesis | ReasoningStep) and not evidence:
        return "no evidence"
    text = _says(record)
    if any(normalised(fact.text) == normalised(text) for fact in shared.facts):
        return "duplicate"
    if any(contradictions(fact.text, text) for fact in shared.facts if not fact.disputed):
        return "conflict"
    return None


def _says(record: Noted) -> str:
    """What a record would say one level up."""
    return record.conclusion if isinstance(record, ReasoningStep) else record.told
