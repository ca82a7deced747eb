"""The situations of planning as requests, with the right step, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from amb_core.agent_io import NodeView, PlanningRequest, StepOutcome
from amb_core.attachments import Attachment, AttachmentType
from amb_core.models import CompletedTask, Conflict, ConflictStatus, InsightDoc, PendingTask, TaskStatus, TaskType
from amb_core.text import Language

from .planning_situations import Situation
from .planning_words import WORDS

__all__ = ["request_of", "step_of"]

_ATTACHMENTS = ("a1", "a2")


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
