"""What a team that answered its question leaves in long-term memory."""

from __future__ import annotations

from amb_core.longterm import LongTermMemory, MemoryType, Provenance, Written
from amb_core.team.settings import TeamSettings
from amb_core.team.shared_memory import SharedMemory

__all__ = ["leave"]


def leave(
    shared: SharedMemory, memory: LongTermMemory, *, namespace: str, settings: TeamSettings, task: str, run: str
) -> list[Written]:
    """Write the team's facts as domain facts with their provenance; disputed and unsure ones stay behind."""
    sure = [fact for fact in shared.facts if not fact.disputed and fact.confidence >= settings.least_confidence]
    return [
        memory.write(
            fact.text,
            namespace=namespace,
            metadata={"type": MemoryType.DOMAIN_FACTS.value, "source": "worker", "tags": [fact.agent]},
            provenance=Provenance(run=run, task=task, agent=fact.agent, entries=(fact.id,)),
            why="a team has finished its task",
        )
        for fact in sure
    ]
