"""What is known of a team as JSON: what it shares, one agent's notes, or, for the team's owner, everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from amb_core.errors import InvalidInput
from amb_core.file_writer import write_file
from amb_core.frozen import Frozen
from amb_team.meta_memory import Reflection
from amb_team.shared_memory import SharedMemory
from amb_team.team_records import AnyRecord, PromotionNote, Quarantined

__all__ = ["AnsweredSearch", "TeamExport", "TeamStatistics", "write_snapshot"]


class TeamStatistics(Frozen):
    """Counts of one task; `repeats_avoided` are searches answered from memory, `stuck` how often a loop was broken."""

    total_hops: int = 0
    hops_with_answer: int = 0
    successful_hops: int = 0
    failed_hops: int = 0
    facts: int = 0
    unique_searches: int = 0
    repeats_avoided: int = 0
    repeated_searches: int = 0
    interactions: int = 0
    stuck: int = 0
    promoted: int = 0
    quarantined: int = 0
    insights: int = 0
    task_status: str = "in_progress"

    @property
    def answered_share(self) -> float:
        """Share of hops with an extracted answer; 0.0 before the first hop."""
        return self.hops_with_answer / self.total_hops if self.total_hops else 0.0

    @classmethod
    def of(cls, shared: SharedMemory, **counts: int) -> TeamStatistics:
        """The figures of what a team shares, with those that only its facade counts."""
        hops = shared.hops
        return cls(
            total_hops=len(hops),
            hops_with_answer=sum(bool(hop.extracted_answer) for hop in hops),
            successful_hops=sum(hop.success for hop in hops),
            failed_hops=sum(not hop.success for hop in hops),
            facts=len(shared.facts),
            unique_searches=len(shared.searches),
            interactions=len(shared.interactions),
            promoted=len(shared.of(PromotionNote)),
            quarantined=len(shared.of(Quarantined)),
            task_status=shared.status,
            **counts,
        )


class AnsweredSearch(Frozen):
    """That an agent was given, instead of a search, what the one with the id `search` had brought."""

    agent: str
    search: str
    turn: int = 0


class TeamExport(Frozen):
    """A snapshot; `private` has notes by agent only where the owner exported everything.

    `scope` is "shared", "private.<agent>" or "everything"; `in_meta` says whether the reflection went to meta memory.
    """

    format: Literal["amb-team-memory"]
    version: Literal[1]
    task: str
    scope: str
    holds_private_notes: bool = False
    agents: tuple[str, ...]
    status: Literal["in_progress", "completed", "failed"]
    answer: str
    statistics: TeamStatistics
    records: tuple[AnyRecord, ...] = ()
    answered: tuple[AnsweredSearch, ...] = ()
    reflection: Reflection | None = None
    in_meta: bool = False
    private: dict[str, tuple[AnyRecord, ...]] = {}

    @classmethod
    def of(cls, snapshot: Mapping[str, Any]) -> TeamExport:
        """What `TeamMemory.snapshot` gave; InvalidInput says what is wrong with anything else."""
        try:
            return cls.model_validate(dict(snapshot))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in first["loc"][:4]) or "it"
            raise InvalidInput(
                f"this is no export of a team's memory: {where:.80}: {first['msg']:.120}. "
                "Write one with team.export(path, everything=True)."
            ) from None


def write_snapshot(path: str | Path, snapshot: Mapping[str, Any]) -> Path:
    """Write a snapshot to a file; it is whole or not there."""
    target = Path(path).absolute()
    with write_file(target) as partial:
        partial.write_text(json.dumps(snapshot, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    return target
