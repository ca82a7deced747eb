"""The next step by a model; what has to come first, and what ids there are, is the program's to say."""

from __future__ import annotations

from amb_core.agent_io import NodeView, PlanningAnswer, PlanningRequest
from amb_core.agents.prompted.asking import Asker
from amb_core.agents.prompted.shapes import PlanningShape
from amb_core.models import PendingTask, TaskStatus, TaskType
from amb_core.protocols import PlanningAgent

__all__ = ["PromptedPlanning"]

_OUTPUT = 500
_MOST_DONE = 20


class PromptedPlanning:
    """A PlanningAgent that asks a model for steps of research.

    Open conflicts and waiting files are the local planner's: which comes first is a rule, not an opinion. The model
    judges the step just done, and says what is missing or that it is time to answer.
    """

    def __init__(self, asker: Asker, *, rules: PlanningAgent) -> None:
        self._asker = asker
        self._rules = rules

    def plan(self, request: PlanningRequest) -> PlanningAnswer:
        """The next step; raises a ModelError without a usable answer."""
        by_rule = self._rules.plan(request)
        running = request.outcome is not None and request.outcome.running
        if request.open_conflicts or request.waiting or running or by_rule.pending is None:
            return by_rule
        answer = self._asker.ask(
            "planning",
            PlanningShape,
            self._state(request),
            language=self._asker.language(request.insight.task_goal),
            max_output_tokens=_OUTPUT,
            check=lambda shape: _wrong(shape, request),
        )
        return _merged(by_rule, answer, request)

    @staticmethod
    def _state(request: PlanningRequest) -> dict[str, object]:
        pending, outcome = request.insight.pending, request.outcome
        done = [
            {"step": task.description, "status": task.status.value, "learnt": task.context}
            for task in request.insight.completed_tasks[-_MOST_DONE:]
        ]
        state: dict[str, object] = {"goal": request.insight.task_goal, "done": done}
        if pending is not None:
            state["pending"] = {
                "step": pending.description,
                "outcome": None if outcome is None else {"status": outcome.status.value, "text": outcome.text[:600]},
            }
        return {**state, "new": _topics(request.new_nodes), "known": _topics(request.relevant)}


def _topics(views: tuple[NodeView, ...]) -> list[str]:
    return [f"{view.context or view.summary[:160]}" for view in views]


def _wrong(answer: PlanningShape, request: PlanningRequest) -> str | None:
    if answer.next in ("verify", "recognise"):
        return "there is no open conflict and no waiting file; choose search, answer or nothing"
    if answer.next in ("search", "answer") and not answer.description.strip():
        return "the step has no description"
    failed = {task.description for task in request.insight.completed_tasks if task.status is TaskStatus.FAILURE}
    return "that step has failed in these words; find another way" if answer.description in failed else None


def _merged(by_rule: PlanningAnswer, answer: PlanningShape, request: PlanningRequest) -> PlanningAnswer:
    """The model's step, with the rules' record of what was done; the model may add what was learnt."""
    outcome = request.outcome
    answers = answer.next == "answer" or (answer.next == "nothing" and by_rule.pending is not None)
    if answer.next == "nothing" and outcome is not None and outcome.answered:
        pending = None
    elif answers:
        pending = by_rule.pending if by_rule.pending and by_rule.pending.answers_goal else _answering(answer, request)
    else:
        pending = PendingTask(type=TaskType.NORMAL, description=" ".join(answer.description.split()))
    context = answer.learnt.strip() if by_rule.completed_status is TaskStatus.SUCCESS else ""
    return by_rule.model_copy(
        update={"pending": pending, "completed_context": context or by_rule.completed_context, "reasoning": answer.next}
    )


def _answering(answer: PlanningShape, request: PlanningRequest) -> PendingTask:
    text = " ".join(answer.description.split()) or request.insight.task_goal
    return PendingTask(type=TaskType.NORMAL, description=text, answers_goal=True)
