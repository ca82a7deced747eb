"""The next step without a model: open conflict, waiting attachment, what is not known yet, the answer."""

from collections.abc import Sequence
from typing import Literal

from amb_agents.goal_clauses import answering_sentences, clauses_of, is_covered, is_touched, shortened, unanswered
from amb_agents.planning_phrases import PHRASES, Phrases
from amb_core.agent_io import PlanningAnswer, PlanningRequest, StepOutcome
from amb_core.models import (
    CompletedTask,
    Conflict,
    PendingTask,
    TaskStatus,
    TaskType,
)
from amb_core.settings import Settings
from amb_core.text import detect_language
from amb_values import sentences

__all__ = ["LocalPlanning"]

_TRIES = 2
"""A step is tried once more with other words; then it is given up."""
_LOOKS = 8
"""How many steps that are to answer may look something up instead."""

_MAX_CONTEXT = 240
_MAX_SUBJECT, _MAX_VALUE = 160, 80
"""Characters of what sources say that a step repeats."""
_A_NAME = 48
"""A longer subject is a sentence of somebody's and stands in quotation marks."""
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟「」『』', "'"))


class LocalPlanning:
    """A small state machine over the Insight Doc and memory; a PlanningAgent. Never reads a type from words."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._language: Literal["auto", "en", "zh"] = settings.language if settings is not None else "auto"

    def plan(self, request: PlanningRequest) -> PlanningAnswer:
        """The one next step (None when the question is answered) and the record of the step just done."""
        goal = request.insight.task_goal
        language = detect_language(goal) if self._language == "auto" else self._language
        return _Plan(request, PHRASES[language], chinese=language == "zh").answer()


_Wordings = tuple[str, str]
"""The two wordings of one step, the second for the second try."""


def _tries(step: _Wordings, done: Sequence[CompletedTask]) -> list[CompletedTask]:
    """The finished tasks that were this step."""
    return [task for task in done if task.description in step]


def _next_wording(step: _Wordings, done: Sequence[CompletedTask]) -> str | None:
    """The wording of the next try; None after the last."""
    tries = _tries(step, done)
    if len(tries) >= _TRIES or any(task.gave_up for task in tries):
        return None
    return step[len(tries)]


class _Plan:
    """One decision in the making."""

    def __init__(self, request: PlanningRequest, phrases: Phrases, *, chinese: bool) -> None:
        self._request = request
        self._phrases = phrases
        self._chinese = chinese
        self._goal = shortened(request.insight.task_goal)
        self._nodes = [*request.new_nodes, *request.relevant]
        self._clauses = clauses_of(request.insight.task_goal)

    def answer(self) -> PlanningAnswer:
        """The record of the step just done, then the next step as if it were recorded already."""
        done = list(self._request.insight.completed_tasks)
        record = self._record()
        if record is None:
            step, reason = self._next(done)
            return PlanningAnswer(pending=step, reasoning=reason)
        step, reason = self._next([*done, record])
        return PlanningAnswer(
            pending=step,
            completed_status=record.status,
            completed_context=record.context,
            gave_up=record.gave_up,
            reasoning=reason,
        )

    # --- the step just done ------------------------------------------------------------------------------------------

    def _record(self) -> CompletedTask | None:
        """How the step just done goes into the Insight Doc; None while nobody knows how it went."""
        pending, outcome = self._request.insight.pending, self._request.outcome
        if pending is None or outcome is None:
            return None
        if outcome.status is TaskStatus.FAILURE:
            return self._failure(pending, outcome.text)
        if pending.type is TaskType.CROSS_VALIDATE:
            return self._validated(pending, outcome)
        if pending.answers_goal or (outcome.answered and not unanswered(self._clauses, outcome.text)):
            return self._answered(pending, outcome)
        if pending.attachment_ids:
            text = self._noted(self._clauses) or self._first(outcome.text)
            return _success(pending, self._phrases.recognised.format(text=text).strip())
        if outcome.running:  # nobody has closed it, so nobody knows
            return None
        clause = next((one for one in self._clauses if pending.description in self._finding(one)), None)
        found = bool(outcome.new_node_ids or self._request.new_nodes)
        if found and (clause is None or is_touched(clause, self._request.new_nodes)):
            return _success(pending, self._noted(self._clauses if clause is None else (clause,)))
        if clause is not None and not is_covered(clause, self._nodes) and self._is_last_try(pending):
            return _failed(pending, self._phrases.gave_up_nothing_new, gave_up=True)
        return _success(pending, self._phrases.nothing_new)

    def _answered(self, pending: PendingTask, outcome: StepOutcome) -> CompletedTask | None:
        """A step that was to answer has answered when it said something; looking something up is no answer."""
        text = self._first(outcome.text)
        if text and (missing := unanswered(self._clauses, outcome.text)):
            said = self._phrases.answered_in_part.format(text=text, missing=" ".join(missing))
            return _failed(pending, said, gave_up=self._is_last_try(pending))
        if text:
            return _success(pending, self._phrases.answered.format(text=text))
        if outcome.running:
            return None
        looks = sum(task.context == self._phrases.not_answered for task in self._request.insight.completed_tasks)
        if outcome.new_node_ids and looks < _LOOKS:
            return _failed(pending, self._phrases.not_answered)
        return self._failure(pending, self._phrases.nothing_new)

    def _failure(self, pending: PendingTask, text: str) -> CompletedTask:
        last = self._is_last_try(pending)
        phrase = self._phrases.gave_up_failed if last else self._phrases.failed
        return _failed(pending, phrase.format(text=self._first(text)).strip(), gave_up=last)

    def _validated(self, pending: PendingTask, outcome: StepOutcome) -> CompletedTask:
        still_open = pending.conflict_id in {conflict.id for conflict in self._open_conflicts()}
        if outcome.decided or (outcome.decided is None and not still_open):
            return _success(pending, self._phrases.settled.format(text=self._first(outcome.text)).strip())
        if not still_open or self._is_last_try(pending):
            return _failed(pending, self._phrases.kept_disputed, gave_up=True)
        return _failed(pending, self._phrases.not_settled.format(text=self._first(outcome.text)).strip())

    def _is_last_try(self, pending: PendingTask) -> bool:
        """Whether the step is in its other wording, or one that somebody else planned: that is tried once."""
        steps = [self._validating(conflict) for conflict in self._request.open_conflicts]
        if pending.attachment_ids:
            steps.append(self._recognising(pending.attachment_ids))
        steps += [*map(self._finding, self._clauses), self._answering()]
        return all(pending.description != first for first, _ in steps)

    def _noted(self, clauses: Sequence[str]) -> str:
        """What the step itself or a new node says with every word that was asked; nothing else answers."""
        said = [self._request.outcome.text if self._request.outcome else ""]
        said += [node.text or node.summary for node in self._request.new_nodes]
        found = [sentence for text in said for clause in clauses for sentence in answering_sentences(clause, text)]
        return self._clipped(list(dict.fromkeys(found))[:2])

    def _first(self, text: str) -> str:
        return self._clipped(sentences(text)[:1])

    def _clipped(self, parts: Sequence[str]) -> str:
        """As many whole sentences as fit; the first is cut if it is too long alone."""
        text = ""
        for part in parts:
            flat = " ".join(part.split())
            joined = f"{text}{'' if self._chinese or not text else ' '}{flat}"
            if text and len(joined) > _MAX_CONTEXT:
                break
            text = joined
        return text if len(text) <= _MAX_CONTEXT else text[: _MAX_CONTEXT - 1].rstrip() + "…"

    # --- the next step -----------------------------------------------------------------------------------------------

    def _next(self, done: Sequence[CompletedTask]) -> tuple[PendingTask | None, str]:
        phrases = self._phrases
        for conflict in self._open_conflicts():
            if wording := _next_wording(self._validating(conflict), done):
                task = PendingTask(type=TaskType.CROSS_VALIDATE, description=wording, conflict_id=conflict.id)
                return task, phrases.because_conflict.format(id=conflict.id)
        ids = tuple(attachment.id for attachment in self._request.waiting)
        if ids and (wording := _next_wording(self._recognising(ids), done)):
            task = PendingTask(type=TaskType.NORMAL, description=wording, attachment_ids=ids)
            return task, phrases.because_attachment
        if self._is_answered(done):
            return None, phrases.because_done
        for clause in self._clauses:
            if not self._is_settled(clause, done) and (wording := _next_wording(self._finding(clause), done)):
                task = PendingTask(type=TaskType.NORMAL, description=wording)
                return task, phrases.because_clause.format(clause=clause)
        return self._answer_step(done)

    def _answer_step(self, done: Sequence[CompletedTask]) -> tuple[PendingTask | None, str]:
        step = self._answering()
        tried = (task for task in _tries(step, done) if task.status is TaskStatus.FAILURE)
        failed = [task for task in tried if task.context != self._phrases.not_answered]  # those looked something up
        if len(failed) >= _TRIES or any(task.gave_up for task in failed):
            return None, self._phrases.because_covered
        task = PendingTask(type=TaskType.NORMAL, description=step[len(failed)], answers_goal=True)
        return task, self._phrases.because_covered

    def _is_settled(self, clause: str, done: Sequence[CompletedTask]) -> bool:
        """Whether memory has every word of the clause in one place, or a step on it brought something new."""
        tries = _tries(self._finding(clause), done)
        found = any(t.status is TaskStatus.SUCCESS and t.context != self._phrases.nothing_new for t in tries)
        return found or is_covered(clause, self._nodes)

    def _is_answered(self, done: Sequence[CompletedTask]) -> bool:
        """Whether the answer was given and no conflict has been settled since."""
        opening = self._phrases.answered.format(text="").strip()
        for task in reversed(done):
            if task.type is TaskType.CROSS_VALIDATE and task.status is TaskStatus.SUCCESS:
                return False
            if task.status is TaskStatus.SUCCESS and task.context.startswith(opening):
                return True
        return False

    def _open_conflicts(self) -> list[Conflict]:
        return [conflict for conflict in self._request.open_conflicts if conflict.status.is_open]

    # --- the wordings ------------------------------------------------------------------------------------------------

    def _validating(self, conflict: Conflict) -> _Wordings:
        said = ""
        if len(conflict.values) >= 2:
            a, b = (_cite(value, _MAX_VALUE) for value in conflict.values[:2])
            said = self._phrases.said.format(a=a, b=b)
        subject = _cite((conflict.subject or conflict.description).strip().rstrip(".。"), _MAX_SUBJECT)
        if not conflict.subject or len(subject) > _A_NAME:
            subject = self._phrases.quote.format(subject)
        first, again = self._worded("validate", id=conflict.id, subject=subject, said=said)
        return " ".join(first.split()), " ".join(again.split())

    def _recognising(self, ids: Sequence[str]) -> _Wordings:
        return self._worded("recognise", ids=self._phrases.joint.join(ids), goal=self._goal)

    def _finding(self, clause: str) -> _Wordings:
        return self._worded("find", clause=clause)

    def _answering(self) -> _Wordings:
        return self._worded("answer", goal=self._goal)

    def _worded(self, step: str, **fields: str) -> _Wordings:
        first, again = (getattr(self._phrases, name).format(**fields) for name in (step, f"{step}_again"))
        return first, again


def _success(pending: PendingTask, context: str) -> CompletedTask:
    return _completed(pending, TaskStatus.SUCCESS, context)


def _failed(pending: PendingTask, context: str, *, gave_up: bool = False) -> CompletedTask:
    return _completed(pending, TaskStatus.FAILURE, context, gave_up=gave_up)


def _completed(pending: PendingTask, status: TaskStatus, context: str, *, gave_up: bool = False) -> CompletedTask:
    return CompletedTask(
        type=pending.type, description=pending.description, status=status, context=context, gave_up=gave_up
    )


def _cite(text: str, limit: int) -> str:
    """Words of a source as a step may quote them: on one line, cut, without quotation marks of their own."""
    flat = " ".join(text.split()).translate(_QUOTES)
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
