"""What is known of a team as JSON: the shared scope, or one agent's notes, never both."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from amb_core.team.records import Noted
from amb_core.team.team_statistics import TeamStatistics

__all__ = ["snapshot_of", "write_snapshot"]

FORMAT, VERSION = "amb-team-memory", 1


def snapshot_of(
    task: str,
    *,
    scope: str,
    agents: Iterable[str],
    answer: str,
    statistics: TeamStatistics,
    records: Iterable[Noted],
) -> dict[str, Any]:
    """The records of one scope with the task's figures, ready for JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "task": task,
        "scope": scope,
        "agents": list(agents),
        "status": statistics.task_status,
        "answer": answer,
        "statistics": statistics.model_dump(mode="json"),
        "records": [record.model_dump(mode="json") for record in records],
    }


def write_snapshot(path: str | Path, snapshot: Mapping[str, Any]) -> Path:
    """Write a snapshot to a file; it is whole or not there."""
    target = Path(path).absolute()
    partial = target.with_name(f"{target.name}.part")
    partial.write_text(json.dumps(snapshot, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, target)
    return target
