"""How often the planner takes the right next step, over a table of situations in English and Chinese."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from amb_bench.bench_metrics import mean
from amb_bench.planning_situations import SITUATIONS, Situation
from amb_bench.planning_words import WORDS
from amb_bench.tables import Table
from amb_core.agent_io import NodeView, PlanningRequest, StepOutcome
from amb_core.agents.local_planning import LocalPlanning
from amb_core.attachments import Attachment, AttachmentType
from amb_core.models import CompletedTask, Conflict, ConflictStatus, InsightDoc, PendingTask, TaskStatus, TaskType
from amb_core.protocols import PlanningAgent
from amb_core.text import Language

__all__ = ["Planned", "is_right", "judged", "planning_tables", "request_of", "step_of"]

Planner = Callable[[PlanningRequest], PendingTask | None]
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_ATTACHMENTS = ("a1", "a2")


@dataclass(frozen=True, slots=True)
class Planned:
    """One situation in one language, the step that was planned, and whether it is the right one."""

    situation: Situation
    language: Language
    step: PendingTask | None
    right: bool


def step_of(name: str, *, language: Language) -> PendingTask:
    """The step of that name in the local agent's wording."""
    words = name.split()
    validates = words[0] == "validate"
    return PendingTask(
        type=TaskType.CROSS_VALIDATE if validates else TaskType.NORMAL,
        description=WORDS[language].steps[name],
        conflict_id=words[1] if validates else None,
        attachment_ids=tuple(word for word in words[1:] if word in _ATTACHMENTS),
        answers_goal="answer" in words,
    )


def request_of(situation: Situation, *, language: Language) -> PlanningRequest:
    """What the planner is asked in a situation."""
    words = WORDS[language]
    done = []
    for name, status, text in situation.done:
        task = step_of(name, language=language)
        done.append(
            CompletedTask(
                type=task.type, description=task.description, status=TaskStatus(status), context=words.texts[text]
            )
        )
    pending = (step_of(situation.pending, language=language),) if situation.pending else ()
    return PlanningRequest(
        insight=InsightDoc(
            doc_id="d", task_goal=words.goals[situation.goal], completed_tasks=tuple(done), pending_tasks=pending
        ),
        new_nodes=tuple(words.nodes[name] for name in situation.new),
        relevant=tuple(words.nodes[name] for name in situation.relevant),
        open_conflicts=tuple(_conflict(name, words.conflicts) for name in situation.conflicts),
        waiting=tuple(Attachment(id=name, type=AttachmentType.IMAGE, content=name) for name in situation.waiting),
        outcome=_outcome(situation, words.texts, words.nodes),
    )


def _conflict(name: str, known: Mapping[str, Conflict]) -> Conflict:
    key, _, status = name.partition(" ")
    return known[key].model_copy(update={"status": ConflictStatus(status or "open")})


def _outcome(situation: Situation, texts: Mapping[str, str], nodes: Mapping[str, NodeView]) -> StepOutcome | None:
    told = situation.outcome
    if told is None:
        return None
    return StepOutcome(
        status=TaskStatus(told.status),
        text=texts[told.text] if told.text else "",
        new_node_ids=tuple(nodes[name].id for name in situation.new),
        repeats=told.repeats,
        decided=told.decided,
        answered=told.answered,
        running=told.running,
    )


def is_right(step: PendingTask | None, situation: Situation, *, language: Language) -> bool:
    """Whether a step, in whatever words, is the one the situation calls for.

    Type, conflict, attachments and whether it answers must agree; a search must name what is to be found out.
    """
    if step is None or not situation.then:
        return step is None and not situation.then
    wanted = step_of(situation.then, language=language)
    if (step.type, step.conflict_id, step.attachment_ids) != (wanted.type, wanted.conflict_id, wanted.attachment_ids):
        return False
    if step.answers_goal != wanted.answers_goal:
        return False
    words = situation.then.split()
    if "find" not in words and not (words[1:2] == ["again"] and words[0] in WORDS[language].goals):
        return True
    topic = f"{words[0]} {words[2]}" if len(words) > 2 else words[0]
    return any(word in step.description for word in WORDS[language].asked[topic])


def judged(planner: Planner) -> Iterator[Planned]:
    """Every situation in both languages with the step the planner takes."""
    for language in _LANGUAGES:
        for situation in SITUATIONS:
            step = planner(request_of(situation, language=language))
            yield Planned(situation, language, step, is_right(step, situation, language=language))


def planning_tables(agent: PlanningAgent | None = None) -> Iterator[Table]:
    """The share of right steps beside two simple planners, and the situations in which the agent is wrong."""
    planner = agent or LocalPlanning()
    ways: dict[str, Planner] = {
        "agent": lambda request: planner.plan(request).pending,
        "conflict, attachment, else answer": _by_priority,
        "always answer": lambda request: _answer(request),
    }
    found = {name: list(judged(way)) for name, way in ways.items()}
    yield Table(
        f"planning: right next step in {len(SITUATIONS)} situations",
        ("planner", "English", "Chinese", "all"),
        tuple(
            (name, *(mean(p.right for p in plans if p.language == language) for language in _LANGUAGES),
             mean(p.right for p in plans))
            for name, plans in found.items()
        ),
    )  # fmt: skip
    wrong = tuple(
        (plan.situation.name, plan.language, plan.situation.then or "nothing", _named(plan.step))
        for plan in found["agent"]
        if not plan.right
    )
    if wrong:
        yield Table("planning: wrong steps of the agent", ("situation", "language", "right", "planned"), wrong)


def _named(step: PendingTask | None) -> str:
    return "nothing" if step is None else step.description[:60]


def _answer(request: PlanningRequest) -> PendingTask:
    return PendingTask(type=TaskType.NORMAL, description=request.insight.task_goal, answers_goal=True)


def _by_priority(request: PlanningRequest) -> PendingTask | None:
    """The order of the design without any memory of what was tried."""
    for conflict in request.open_conflicts:
        if conflict.status in (ConflictStatus.OPEN, ConflictStatus.VERIFYING):
            return PendingTask(type=TaskType.CROSS_VALIDATE, description=conflict.description, conflict_id=conflict.id)
    if request.waiting:
        ids = tuple(attachment.id for attachment in request.waiting)
        return PendingTask(type=TaskType.NORMAL, description=request.insight.task_goal, attachment_ids=ids)
    outcome = request.outcome
    return None if outcome is not None and outcome.answered else _answer(request)
