"""The next step by a model; what has to come first, what ids there are, and how a step is put, the program says.

A step stands in the `<task>` block, which an agent trusts, and the model that writes it has read what strangers wrote.
Its words are therefore never a step of their own: they are what is to be looked up, in quotation marks, without an
address that the goal does not name.
"""

from __future__ import annotations

import re

from amb_agents.goal_clauses import shortened
from amb_agents.planning_phrases import PHRASES
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import PlanningShape
from amb_core.agent_io import NodeView, PlanningAnswer, PlanningRequest
from amb_core.models import PendingTask, TaskStatus, TaskType
from amb_core.protocols import PlanningAgent
from amb_core.text.language import Language
from amb_values import find_unsupported

__all__ = ["PromptedPlanning"]

_OUTPUT = 500
_MOST_DONE = 20
_MOST_STEPS = 60
"""After so many steps the rules decide alone: a model that is led on by what it reads must come to an end."""
_LOOK_UP = {"en": "Look up: “{}”", "zh": "查找：“{}”"}
_QUOTES = str.maketrans(dict.fromkeys('“”„‟"「」『』', "'"))
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+|(?:mailto|data|javascript|tel|file):\S+|\bwww\.\S+|[^\s@]+@[^\s@]+\.\w+"
    r"|\b(?:\d{1,3}\.){3}\d{1,3}\b|(?<![\w.])(?:[a-z0-9-]{2,}\.)+[a-z]{2,24}(?![\w.])(?:[:/]\S*)?",
    re.IGNORECASE | re.ASCII,
)


class PromptedPlanning:
    """A PlanningAgent that asks a model for steps of research.

    Open conflicts and waiting files are the local planner's: which comes first is a rule, not an opinion. The model
    says what is missing, or that it is time to answer, and what was learnt.
    """

    def __init__(self, asker: Asker, *, rules: PlanningAgent) -> None:
        self._asker = asker
        self._rules = rules

    def plan(self, request: PlanningRequest) -> PlanningAnswer:
        """The next step; raises a ModelError without a usable answer."""
        by_rule = self._rules.plan(request)
        running = request.outcome is not None and request.outcome.running
        many = len(request.insight.completed_tasks) >= _MOST_STEPS
        if request.open_conflicts or request.waiting or running or many or by_rule.pending is None:
            return by_rule
        if (pending := _unclosed(request)) is not None:
            return PlanningAnswer(pending=pending, reasoning="nobody has closed the step yet")
        language = self._asker.language(request.insight.task_goal)
        answer = self._asker.ask(
            "planning",
            PlanningShape,
            self._state(request),
            language=language,
            max_output_tokens=_OUTPUT,
            check=lambda shape: _wrong(shape, request, language),
        )
        return _merged(by_rule, answer, request, language)

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


def _unclosed(request: PlanningRequest) -> PendingTask | None:
    """The pending step while nobody has said how it went; what was read meanwhile is no reason to ask a model."""
    pending = request.insight.pending
    special = pending is not None and (pending.attachment_ids or pending.type is TaskType.CROSS_VALIDATE)
    return None if request.outcome is not None or special else pending


def _topics(views: tuple[NodeView, ...]) -> list[str]:
    return [f"{view.context or view.summary[:160]}" for view in views]


def _wrong(answer: PlanningShape, request: PlanningRequest, language: Language) -> str | None:
    if answer.next != "search":
        return None
    step = _step(answer, language)
    if not answer.description.strip():
        return "the step has no description"
    if address := _foreign_address(answer.description, request.insight.task_goal):
        return f"a step names no address that the goal does not name, and {address[:60]!r} is one; say what to look up"
    done = [task for task in request.insight.completed_tasks if task.description in (step, answer.description)]
    failed = any(task.status is TaskStatus.FAILURE for task in done)
    told = "that step has failed in these words" if failed else "that step has been done"
    return f"{told}; find another way, or answer" if failed or len(done) > 1 else None


def _foreign_address(description: str, goal: str) -> str | None:
    """The first address (URL, host, mail) in a step that is not in the goal, where an agent could be led to."""
    known = goal.casefold()
    return next((found for found in _ADDRESS.findall(description) if found.casefold().strip(".,;") not in known), None)


def _step(answer: PlanningShape, language: Language) -> str:
    """The step as it is put: the model's words are quoted, and only say what to look up."""
    return _LOOK_UP[language].format(" ".join(answer.description.split()).translate(_QUOTES))


def _merged(
    by_rule: PlanningAnswer, answer: PlanningShape, request: PlanningRequest, language: Language
) -> PlanningAnswer:
    """The model's step, with the rules' record of what was done; the model may add what was learnt."""
    outcome, rule = request.outcome, by_rule.pending
    pending: PendingTask | None
    done = outcome is not None and outcome.answered and by_rule.completed_status is TaskStatus.SUCCESS
    if answer.next == "nothing" and done:
        pending = None
    elif answer.next in ("answer", "nothing"):
        pending = rule if rule is not None and rule.answers_goal else _answering(request, language)
    elif rule is not None and not rule.answers_goal and rule.description == answer.description.strip():
        pending = rule  # in the program's own words
    else:
        pending = PendingTask(type=TaskType.NORMAL, description=_step(answer, language))
    context = _learnt(answer, request) if by_rule.completed_status is TaskStatus.SUCCESS else ""
    return by_rule.model_copy(
        update={"pending": pending, "completed_context": context or by_rule.completed_context, "reasoning": answer.next}
    )


def _learnt(answer: PlanningShape, request: PlanningRequest) -> str:
    """What the model says was learnt, on one line, if no number, date or name in it is its own; else nothing."""
    learnt, outcome = " ".join(answer.learnt.split()), request.outcome
    views = (*request.new_nodes, *request.relevant)
    told = [part for view in views for part in (view.text, view.summary, view.context)]
    pending = request.insight.pending
    told += [request.insight.task_goal, outcome.text if outcome else "", pending.description if pending else ""]
    return learnt if learnt and find_unsupported(learnt, told) is None else ""


def _answering(request: PlanningRequest, language: Language) -> PendingTask:
    """The last step, in the program's words; in its other words when it has failed before."""
    phrases, goal = PHRASES[language], shortened(request.insight.task_goal)
    first = phrases.answer.format(goal=goal)
    tried = any(task.description == first for task in request.insight.completed_tasks)
    text = phrases.answer_again.format(goal=goal) if tried else first
    return PendingTask(type=TaskType.NORMAL, description=text, answers_goal=True)
