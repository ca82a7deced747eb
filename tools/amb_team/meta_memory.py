"""What outlives a task: what was learnt from how it went, and ways of searching that worked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import JsonValue, ValidationError

from amb_core.frozen import Frozen
from amb_core.rendering import Language
from amb_core.text import clip_tokens, detect_language, index_tokens
from amb_longterm import LongTermMemory, MemoryRecord, MemoryType, Provenance
from amb_longterm.namespaces import TEAM_META, namespace_of
from amb_team.actions import argument_of
from amb_team.question_kind import question_type
from amb_team.team_records import Hop, Insight, Skill, Trajectory
from amb_team.team_settings import TeamSettings
from amb_values import entities

__all__ = ["TEAM_META", "MetaHits", "MetaMemory", "Reflection", "is_like", "reflect"]

_MOST_STEPS, _SHOWN = 8, 40
"""Steps that are told of each kind, and tokens of what a failed one brought."""
_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "way": "Questions of type {kind}: the page of what the question names has the answer ({pattern}).",
        "bridge": "Questions of type {kind} that go over another entity: search the entity the question names first, "
        "then the one found there ({pattern}).",
        "no result": "Searches that find nothing cost steps: search for the name of a page, or a suggested title.",
        "repeated": "the same search was made again {count} times",
        "no answer": "no step brought an answer",
        "wrong": "the answer {answer!r} did not hold",
        "dead ends": "{count} of {all} steps found nothing",
        "then": ", then ",
    },
    "zh": {
        "way": "{kind} 类问题：问题中所提名称的条目即含答案（{pattern}）。",
        "bridge": "需经过中间实体的 {kind} 类问题：先查问题中提到的实体，再查所得到的实体（{pattern}）。",
        "no result": "无结果的检索浪费步骤：应检索条目名称，并采用系统提示的相似条目。",
        "repeated": "同一检索重复了 {count} 次",
        "no answer": "没有一步得到答案",
        "wrong": "答案“{answer}”不成立",
        "dead ends": "{all} 步中有 {count} 步无所获",
        "then": "，然后 ",
    },
}
_LIKE = 0.6
_STEP = 0.2
"""By how much of what is left to 0 or 1 the importance of a record moves with an outcome."""
_NEUTRAL = 0.5
_Kept = TypeVar("_Kept", Trajectory, Insight, Skill)


class Reflection(Frozen):
    """What a task taught: the steps that brought something, why it failed, and what is kept for later tasks.

    `worked` are steps with what each brought, `failed` those that brought nothing, with the beginning of what did come.
    """

    worked: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    failed_because: str = ""
    strategy: str = ""
    trajectory: Trajectory
    insights: tuple[Insight, ...] = ()
    skill: Skill | None = None


def reflect(
    task: str, hops: Sequence[Hop], *, answer: str, success: bool, reason: str = "", repeats: int = 0
) -> Reflection:
    """Read off the hops what a later task of this kind can use; nothing is claimed that no hop shows.

    `reason` is why the task failed, as its environment said; `repeats` how many searches were made again.
    """
    words, kind = _WORDS[detect_language(task)], question_type(task)
    useful = [hop for hop in hops if hop.success and _brought(hop)]
    path = _path_to(answer, useful) if success else useful
    steps = tuple(f"{hop.action} → {_brought(hop)}" for hop in path)[-_MOST_STEPS:]
    because = "" if success else reason or _cause(hops, answer, repeats, words)
    pattern = _pattern(task, path) if success else ()
    general = bool(pattern) and all("{subject}" in step or "{bridge}" in step for step in pattern)
    strategy = words["then"].join(pattern)
    insights: list[Insight] = []
    if general:
        text = words["bridge" if "{bridge}" in strategy else "way"].format(kind=kind, pattern=strategy)
        insights.append(Insight(text=text, question_type=kind, success=True, importance=0.6))
    if sum(not hop.success for hop in hops) > 1:
        insights.append(Insight(text=words["no result"], question_type=kind, success=success, importance=0.4))
    return Reflection(
        worked=steps,
        failed=tuple(dict.fromkeys(map(_in_vain, (hop for hop in hops if not hop.success))))[-_MOST_STEPS:],
        failed_because=because,
        strategy=strategy,
        trajectory=Trajectory(task=task, steps=steps, answer=answer, success=success, reason=because),
        insights=tuple(insights),
        skill=Skill(pattern=pattern, question_type=kind, uses=1, successes=1) if general else None,
    )


def _brought(hop: Hop) -> str:
    """What a hop brought: an answer, or the entity that leads on."""
    return hop.extracted_answer or hop.bridge_entity or ""


def _in_vain(hop: Hop) -> str:
    return f"{hop.action} → {clip_tokens(' '.join(hop.observation.split()), _SHOWN)}"


def _path_to(answer: str, useful: Sequence[Hop]) -> list[Hop]:
    """The hops that led to the answer: from the one that named it back over the entities it was asked with."""
    path: list[Hop] = []
    wanted = answer.casefold()
    for hop in reversed(useful):
        found = _brought(hop).casefold()
        if wanted and (found in wanted or wanted in found):
            path.insert(0, hop)
            wanted = argument_of(hop.action).casefold()
    return path or list(useful[-2:])


def _pattern(task: str, path: Sequence[Hop]) -> tuple[str, ...]:
    """The actions of a path with `{subject}` for what the task names and `{bridge}` for what a hop found."""
    named = [entity.name for entity in entities(task)]
    bridges: list[str] = []
    pattern: list[str] = []
    for hop in path:
        action = hop.action
        for mark, names in (("{bridge}", bridges), ("{subject}", named)):
            for name in sorted(names, key=len, reverse=True):
                action = action.replace(name, mark)
        pattern.append(action)
        bridges += [name for name in (hop.extracted_answer, hop.bridge_entity) if name]
    return tuple(dict.fromkeys(pattern))


def _cause(hops: Sequence[Hop], answer: str, repeats: int, words: dict[str, str]) -> str:
    if repeats:
        return words["repeated"].format(count=repeats)
    in_vain = sum(not hop.success for hop in hops)
    if in_vain * 2 > len(hops):
        return words["dead ends"].format(count=in_vain, all=len(hops))
    return words["wrong"].format(answer=answer) if answer else words["no answer"]


def is_like(task: str, other: str) -> bool:
    """Whether another task asks so nearly the same that its way may be followed step by step."""
    return _likeness(task, other) >= _LIKE


def _likeness(task: str, other: str) -> float:
    """The share of the words of a task that another one has."""
    wanted = set(index_tokens(task))
    return len(wanted & set(index_tokens(other))) / max(len(wanted), 1)


@dataclass(frozen=True, slots=True)
class MetaHits:
    """Trajectories, insights and skills that are like a task, each best first; `ids` are their long-term records."""

    successes: tuple[Trajectory, ...] = ()
    failures: tuple[Trajectory, ...] = ()
    insights: tuple[Insight, ...] = ()
    skills: tuple[Skill, ...] = ()
    ids: tuple[str, ...] = ()

    @property
    def tasks(self) -> MetaHits:
        """What an agent begins with: how tasks like this one went."""
        return MetaHits(successes=self.successes, failures=self.failures, ids=self.ids)

    def refuted(self, task: str) -> tuple[str, ...]:
        """Answers that did not hold when this very task was tried before."""
        return tuple(answer for went in self.failures if _likeness(task, went.task) == 1 for answer in went.wrong)

    def ways_of(self, task: str) -> MetaHits:
        """What stays before an agent throughout: how tasks that are nearly this one went well."""
        return MetaHits(successes=tuple(went for went in self.successes if is_like(task, went.task)))


class MetaMemory:
    """Trajectories, insights and skills as long-term records: found by their task, weighed by importance and age."""

    def __init__(self, memory: LongTermMemory, *, settings: TeamSettings | None = None, user: str = "") -> None:
        self.memory = memory
        self.namespace = namespace_of(TEAM_META, user or "all")
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
        if isinstance(kept, Trajectory):
            kept = kept.model_copy(update={"refuted": Trajectory.model_validate(known.metadata["data"]).wrong})
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
        successes = self._like(task, of.successful_tasks, success=True)
        failures = self._like(task, of.failed_tasks, success=False)
        insights = self._of_type(Insight, task, question_type, of.insights)
        skills = self._of_type(Skill, task, question_type, of.skills)
        return MetaHits(
            successes=tuple(successes.values()),
            failures=tuple(failures.values()),
            insights=tuple(insights.values()),
            skills=tuple(skills.values()),
            ids=(*successes, *failures, *insights, *skills),
        )

    def _like(self, task: str, k: int, *, success: bool) -> dict[str, Trajectory]:
        """Tasks that ended so and share enough words with this one, by id, best first."""
        found = self._found(Trajectory, task, k, success=success)
        return {name: each for name, each in found.items() if _likeness(task, each.task) >= self._settings.threshold}

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
        """Those of its type of question: what speaks of the task, then the most important."""
        of_type = {"question_type": question_type} if question_type else {}
        found = self._found(kind, task, k, **of_type)
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
    return f"TEAM_META-{int.from_bytes(hashlib.sha256(topic.encode()).digest()[:6])}"
