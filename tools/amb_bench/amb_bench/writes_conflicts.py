"""Contradictions planted in a stream of tool results: which of them a bank finds, and what else it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amb_bench.writes_texts import GOALS, Planted
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.models import ToolResult
from amb_core.protocols import Agents

__all__ = ["FoundConflicts", "found_conflicts"]


@dataclass(frozen=True, slots=True)
class FoundConflicts:
    """How many planted pairs were found, and how many conflicts there are besides."""

    found: int
    others: int


def found_conflicts(pairs: Sequence[Planted], name: str, agents: Agents | None) -> FoundConflicts:
    """Take in all the first sides, then all the second ones; a pair is found when a conflict joins its two results."""
    with MemoryBank(GOALS[name], agents=agents, clock=ManualClock(step=1.0)) as bank:
        entries = []
        for output in (*(pair.first for pair in pairs), *(pair.second for pair in pairs)):
            report = bank.absorb(ToolResult(tool="read", output=output.text, source=output.source))
            entries.append(report.entry_ids[0])
        wanted = [{entries[at], entries[at + len(pairs)]} for at in range(len(pairs))]
        joined = [
            {span.entry_id for node_id in conflict.node_ids for span in bank.host.node(node_id).sources}
            for conflict in bank.conflicts
        ]
        found = sum(any(pair <= entry_ids for entry_ids in joined) for pair in wanted)
        others = sum(not any(pair <= entry_ids for pair in wanted) for entry_ids in joined)
        return FoundConflicts(found, others)
