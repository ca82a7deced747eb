"""What outlives a task: how tasks went, what was learnt from them, and ways of searching that worked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import JsonValue, ValidationError

from amb_core.longterm import LongTermMemory, MemoryRecord, MemoryType, Provenance
from amb_core.longterm.namespaces import namespace_of
from amb_core.team.reflection import Reflection
from amb_core.team.team_records import Insight, Skill, Trajectory
from amb_core.team.team_settings import TeamSettings
from amb_core.text import index_tokens

__all__ = ["META", "MetaHits", "MetaMemory", "is_like"]

_LIKE = 0.6
META = "team_meta"
"""The scope of what outlives a task; the user follows, or `all`."""
_STEP = 0.2
"""By how much of what is left to 0 or 1 the importance of a record moves with an outcome."""
_NEUTRAL = 0.5
_Kept = TypeVar("_Kept", Trajectory, Insight, Skill)


def is_like(task: str, other: str) -> bool:
    """Whether another task asks so nearly the same that its way may be followed step by step."""
    wanted = set(index_tokens(task))
    return len(wanted & set(index_tokens(other))) >= _LIKE * max(len(wanted), 1)


@dataclass(frozen=True, slots=True)
class MetaHits:
    """Trajectories, insights and skills that are like a task, each best first; `ids` are their long-term records."""

    successes: tuple[Trajectory, ...] = ()
    failures: tuple[Trajectory, ...] = ()
    insights: tuple[Insight, ...] = ()
    skills: tuple[Skill, ...] = ()
    ids: tuple[str, ...] = ()

    def ways_of(self, task: str) -> MetaHits:
        """What stays before an agent throughout: how tasks that are nearly this one went well."""
        return MetaHits(successes=tuple(went for went in self.successes if is_like(task, went.task)))


class MetaMemory:
    """Trajectories, insights and skills as long-term records: found by their task, weighed by importance and age."""

    def __init__(self, memory: LongTermMemory, *, settings: TeamSettings | None = None, user: str = "") -> None:
        self.memory = memory
        self.namespace = namespace_of(META, user or "all")
        self._settings = settings or TeamSettings()

    def keep(self, reflection: Reflection, *, shown: Iterable[str], run: str = "") -> None:
        """Keep what a finished task taught, and weigh and count by its outcome what it was `shown` of earlier ones.

        The trajectory names the insights and skills that the task used: those it was shown, and the skill it found. A
        run that ends twice in the same way is counted once.
        """
        went = reflection.trajectory
        known = self._known(went)
        if run and known is not None and Trajectory.model_validate(known.metadata["data"]).run == run:
            return
        for insight in reflection.insights:
            self.add(insight, run=run)
        found = [] if reflection.skill is None else [self.add(reflection.skill, run=run)]
        used = tuple(dict.fromkeys((*shown, *found)))
        self.reinforce(used, success=went.success, counted=found)
        self.add(went.model_copy(update={"run": run, "used": used}), run=run)

    def add(self, kept: Trajectory | Insight | Skill, *, run: str = "") -> str:
        """Keep what was learnt, as a record of its own; returns the record's id.

        A later run of the same task takes the place of the earlier, an insight learnt again matters more, and the
        counts of a skill are added up.
        """
        known = self._known(kept)
        if known is None:
            return self._write(kept, told=_told(kept), topic=_topic(kept), run=run)
        if isinstance(kept, Insight):
            self.reinforce([known.id], success=True, counted=[known.id])
            return known.id
        if isinstance(kept, Skill):
            before = Skill.model_validate(known.metadata["data"])
            counts = {"uses": before.uses + kept.uses, "successes": before.successes + kept.successes}
            kept = before.model_copy(update=counts)
        self.memory.update(known.id, namespace=self.namespace, metadata={"data": kept.model_dump(mode="json")})
        return known.id

    def reinforce(self, ids: Iterable[str], *, success: bool, counted: Collection[str] = ()) -> None:
        """Move the importance of records that were used towards 1 when the task went well, else towards 0.

        The use of insights and skills is counted, but for those `counted` already.
        """
        for record_id in dict.fromkeys(ids):
            record = self.memory.get(record_id, namespace=self.namespace)
            if record is None:
                continue
            changed: dict[str, Any] = {"score": round(record.importance + _STEP * (success - record.importance), 4)}
            kind = next((each for each in (Insight, Skill) if each.__name__ == record.metadata["kind"]), None)
            if kind is not None and record_id not in counted:
                kept = kind.model_validate(record.metadata["data"])
                counts = {"uses": kept.uses + 1, "successes": kept.successes + success}
                changed["data"] = kept.model_copy(update=counts).model_dump(mode="json")
            self.memory.update(record_id, namespace=self.namespace, metadata=changed)

    def for_task(self, task: str, *, question_type: str = "") -> MetaHits:
        """What is known of tasks like this one, as many of each kind as the settings say."""
        of = self._settings
        successes = self._found(Trajectory, task, of.successful_tasks, success=True)
        failures = self._found(Trajectory, task, of.failed_tasks, success=False)
        insights = self._of_type(Insight, task, question_type, of.insights)
        skills = self._of_type(Skill, task, question_type, of.skills)
        return MetaHits(
            successes=tuple(successes.values()),
            failures=tuple(failures.values()),
            insights=tuple(insights.values()),
            skills=tuple(skills.values()),
            ids=(*successes, *failures, *insights, *skills),
        )

    def recent_successes(self, k: int = 2) -> list[Trajectory]:
        """The newest tasks that went well."""
        records = self.memory.records(self.namespace, filters={"kind": "Trajectory", "success": True})
        newest = sorted(records, key=lambda record: -record.updated_at)[:k]
        return [Trajectory.model_validate(record.metadata["data"]) for record in newest]

    @property
    def insights(self) -> list[Insight]:
        """All insights, oldest first."""
        return self._all(Insight)

    @property
    def skills(self) -> list[Skill]:
        """All ways of searching, oldest first."""
        return self._all(Skill)

    def _known(self, kept: Trajectory | Insight | Skill) -> MemoryRecord | None:
        filters = {"kind": type(kept).__name__, "topic": _topic(kept)}
        return next(iter(self.memory.records(self.namespace, filters=filters, limit=1)), None)

    def _all(self, kind: type[_Kept], **filters: JsonValue) -> list[_Kept]:
        records = self.memory.records(self.namespace, filters={"kind": kind.__name__, **filters})
        return [kind.model_validate(record.metadata["data"]) for record in records]

    def _of_type(self, kind: type[_Kept], task: str, question_type: str, k: int) -> dict[str, _Kept]:
        """Those that speak of the task, then the most important of its type of question."""
        found = self._found(kind, task, k)
        if len(found) < k and question_type:
            filters = {"kind": kind.__name__, "question_type": question_type}
            others = [each for each in self.memory.records(self.namespace, filters=filters) if each.id not in found]
            best = sorted(others, key=lambda record: (-record.importance, -record.updated_at))[: k - len(found)]
            found |= {record.id: kind.model_validate(record.metadata["data"]) for record in best}
        return found

    def _found(self, kind: type[_Kept], task: str, k: int, **filters: JsonValue) -> dict[str, _Kept]:
        """Records by id, best first; one that cannot be read is passed over."""
        found: dict[str, _Kept] = {}
        if not k or not task.strip():
            return found
        wanted = {"kind": kind.__name__, **filters}
        for hit in self.memory.search(task, namespace=self.namespace, top_k=k, filters=wanted):
            try:
                found[hit.id] = kind.model_validate(hit.metadata["data"])
            except (KeyError, ValidationError):
                continue
        return found

    def _write(self, kept: Trajectory | Insight | Skill, *, told: str, topic: str, run: str) -> str:
        data = kept.model_dump(mode="json")
        metadata: dict[str, Any] = {
            "type": MemoryType.TASK_TRACES.value,
            "source": "supervisor",
            "topic": topic,
            "score": data.get("importance", _NEUTRAL),
            "kind": type(kept).__name__,
            "data": data,
            **{name: data[name] for name in ("success", "question_type") if name in data},
        }
        said = f"{told} [{_code(topic)}]"
        written = self.memory.write(
            said, namespace=self.namespace, metadata=metadata, provenance=Provenance(run=run), why="a task has ended"
        )
        return written.id


def _told(kept: Trajectory | Insight | Skill) -> str:
    """What it is found by."""
    if isinstance(kept, Skill):
        return f"{kept.question_type}: {' → '.join(kept.pattern)}"
    return kept.task if isinstance(kept, Trajectory) else kept.text


def _topic(kept: Trajectory | Insight | Skill) -> str:
    """What tells a record from all others, word for word; only white space and case make no difference."""
    match kept:
        case Trajectory():
            parts: tuple[object, ...] = (kept.success, kept.task)
        case Insight():
            parts = (kept.success, kept.question_type, kept.text)
        case Skill():
            parts = (kept.question_type, *kept.pattern)
    return json.dumps([type(kept).__name__, *(" ".join(str(part).casefold().split()) for part in parts)])


def _code(topic: str) -> str:
    """A code of its own for each topic: texts with different codes are never one memory."""
    return f"META-{int.from_bytes(hashlib.sha256(topic.encode()).digest()[:6])}"
