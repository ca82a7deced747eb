"""What is known of a team as JSON: what it shares, one agent's notes, or, for the team's owner, everything."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from amb_core.errors import InvalidInput, InvalidParameter, StoreError
from amb_core.frozen import Frozen
from amb_core.team.record_scope import AnyRecord
from amb_core.team.reflection import Reflection
from amb_core.team.team_records import Noted
from amb_core.team.team_statistics import TeamStatistics

__all__ = [
    "AnsweredSearch",
    "TeamExport",
    "read_snapshot",
    "snapshot_of",
    "write_snapshot",
]

FORMAT, VERSION = "amb-team-memory", 1


class AnsweredSearch(Frozen):
    """That an agent was given, instead of a search, what the one with the id `search` had brought."""

    agent: str
    search: str
    turn: int = 0


class TeamExport(Frozen):
    """A snapshot as it is read back; `private` has notes by agent only where the owner exported everything.

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
    private: dict[str, tuple[AnyRecord, ...]] = {}
    reflection: Reflection | None = None
    in_meta: bool = False

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


def snapshot_of(
    task: str,
    *,
    scope: str,
    agents: Iterable[str],
    answer: str,
    statistics: TeamStatistics,
    records: Iterable[Noted],
    answered: Iterable[AnsweredSearch] = (),
    reflection: Reflection | None = None,
    in_meta: bool = False,
    notes: Mapping[str, Iterable[Noted]] | None = None,
) -> dict[str, Any]:
    """The records of one scope with the task's figures, ready for JSON; `notes` by agent make it a full export.

    InvalidParameter when one agent's export would hold the notes of all.
    """
    if notes is not None and scope != "shared":
        raise InvalidParameter("everything is exported at once; leave out the agent, or `everything`.")
    made = {
        "format": FORMAT,
        "version": VERSION,
        "task": task,
        "scope": scope if notes is None else "everything",
        "holds_private_notes": scope != "shared" or notes is not None,
        "agents": list(agents),
        "status": statistics.task_status,
        "answer": answer,
        "statistics": statistics.model_dump(mode="json"),
        "records": _plain(records),
        "answered": _plain(answered),
        "reflection": None if reflection is None else reflection.model_dump(mode="json"),
        "in_meta": in_meta,
    }
    return made if notes is None else {**made, "private": {agent: _plain(each) for agent, each in notes.items()}}


def write_snapshot(path: str | Path, snapshot: Mapping[str, Any]) -> Path:
    """Write a snapshot to a file; it is whole or not there."""
    target = Path(path).absolute()
    partial = target.with_name(f"{target.name}.part")
    partial.write_text(json.dumps(snapshot, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, target)
    return target


def read_snapshot(path: str | Path) -> TeamExport:
    """Read what `write_snapshot` wrote; StoreError when the file cannot be read, InvalidInput when it is none."""
    try:
        read = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{str(path)!r:.200} cannot be read ({error.strerror or error}); check the name.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{str(path)!r:.200} is not JSON; pass a file that team.export wrote.") from error
    return TeamExport.of(read if isinstance(read, dict) else {})


def _plain(records: Iterable[Frozen]) -> list[dict[str, Any]]:
    return [record.model_dump(mode="json") for record in records]
