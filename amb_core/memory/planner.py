"""The plan: what to do next, how the step just done is recorded, and when the task is over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.agent_io import PlanningAnswer, PlanningRequest, StepOutcome
from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.evidence import Evidence
from amb_core.models import (
    CompletedTask,
    Conflict,
    ConflictStatus,
    InsightDoc,
    PendingTask,
    TaskStatus,
    TaskType,
)
from amb_core.protocols import Clock, Query
from amb_core.tracing import traced

__all__ = ["Planner", "finished", "parse_task", "unresolved"]

_GOAL_CHARS = 4_000
"""Of a longer goal only the beginning is searched for."""
_RELEVANT = 8
"""How many nodes the planner is shown for the goal."""

_QUESTION_MARK = re.compile(r"(?:(?<!\w)question|问题)\s*[:：]\s*", re.IGNORECASE)
_CONTEXT_MARK = re.compile(r"(?:(?<!\w)context|上下文)\s*[:：]\s*", re.IGNORECASE)


def parse_task(text: str) -> tuple[str, str]:
    """(question, context) of a text that begins with `Context:` or `Question:` (or 上下文 / 问题) and has both.

    After a context the last question mark counts, after a question the first context mark; else all is question.
    """
    stripped = text.strip()
    if start := _CONTEXT_MARK.match(stripped):
        for mark in reversed(list(_QUESTION_MARK.finditer(stripped))):
            if question := stripped[mark.end() :].strip():
                return question, stripped[start.end() : mark.start()].strip()
    elif start := _QUESTION_MARK.match(stripped):
        context = _CONTEXT_MARK.search(stripped, start.end())
        if context and (question := stripped[start.end() : context.start()].strip()):
            return question, stripped[context.end() :].strip()
    return stripped, ""


@dataclass(frozen=True, slots=True)
class Planner:
    """Asks the planning agent and turns its answer into changes."""

    calls: AgentCalls
    evidence: Evidence

    def request(self, *, new_node_ids: Sequence[str], outcome: StepOutcome | None, verifies: bool) -> PlanningRequest:
        """What the planning agent is asked of the state as it is (hold the lock)."""
        state = self.evidence.state
        hits = state.graph.search(Query(text=state.insight.task_goal[:_GOAL_CHARS], k=_RELEVANT))
        return PlanningRequest(
            insight=state.insight,
            new_nodes=self.evidence.views(state.living(new_node_ids)),
            relevant=self.evidence.views(hit.id for hit in hits),
            open_conflicts=_one_of_each_matter(state.conflicts.unresolved()) if verifies else (),
            waiting=tuple(state.waiting.values()),
            outcome=outcome,
        )

    def ask(self, request: PlanningRequest) -> PlanningAnswer:
        """What the planning agent answers (an agent call; hold no lock)."""
        with traced("plan"):
            return self.calls.plan(request)

    def record(self, answer: PlanningAnswer, changes: ChangeSet, *, clock: Clock) -> InsightDoc:
        """Put the new Insight Doc into `changes` if it differs (hold the lock).

        The conflict now planned is being verified; the one whose verification was given up is unresolved.
        """
        insight = self.evidence.state.insight
        completed = insight.completed_tasks
        if insight.pending is not None and answer.completed_status is not None:
            done = CompletedTask(
                type=insight.pending.type,
                description=insight.pending.description,
                status=answer.completed_status,
                context=answer.completed_context,
                gave_up=answer.gave_up,
            )
            completed = (*completed, done)
            self._end_verifying(insight.pending, answer, changes, clock=clock)
        pending = () if answer.pending is None else (answer.pending,)
        planned = insight.model_copy(update={"completed_tasks": completed, "pending_tasks": pending})
        if planned != insight:
            changes.put(planned)
        self._begin_verifying(answer.pending, changes)
        return planned

    def _end_verifying(self, pending: PendingTask, answer: PlanningAnswer, changes: ChangeSet, *, clock: Clock) -> None:
        conflict = self.evidence.state.conflicts.get(pending.conflict_id or "")
        if answer.gave_up and conflict is not None and conflict in self.evidence.state.conflicts.unsettled():
            changes.put(unresolved(conflict, answer.completed_context, timestamp=clock.now()))

    def _begin_verifying(self, pending: PendingTask | None, changes: ChangeSet) -> None:
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE or pending.conflict_id is None:
            return
        conflict = self.evidence.state.conflicts.get(pending.conflict_id)
        if conflict is not None and conflict.status is ConflictStatus.OPEN:
            changes.put(conflict.model_copy(update={"status": ConflictStatus.VERIFYING}))


def _one_of_each_matter(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """The conflicts without those about a matter that another one, given up or being verified, is about as well.

    When several documents disagree, each pair of them is a conflict; looking for evidence once answers them all.
    """
    order = {ConflictStatus.UNRESOLVED: 0, ConflictStatus.VERIFYING: 1, ConflictStatus.OPEN: 2}
    first: dict[object, Conflict] = {}
    for conflict in sorted(conflicts, key=lambda each: order[each.status]):
        matter = (conflict.subject, frozenset(conflict.values)) if conflict.values else conflict.id
        first.setdefault(matter, conflict)
    return tuple(conflict for conflict in first.values() if conflict.status is not ConflictStatus.UNRESOLVED)


def unresolved(conflict: Conflict, reason: str, *, timestamp: float) -> Conflict:
    """The conflict when verification came to no conclusion: both nodes stay, marked as disputed."""
    return conflict.model_copy(
        update={"status": ConflictStatus.UNRESOLVED, "resolution": reason, "settled_at": timestamp}
    )


def finished(insight: InsightDoc) -> bool:
    """Whether the task is over: nothing pending, and every failed step was done again or given up."""
    tasks = insight.completed_tasks
    return insight.pending is None and not any(
        task.status is TaskStatus.FAILURE and not task.gave_up and not _done_again(task, tasks[number + 1 :])
        for number, task in enumerate(tasks)
    )


def _done_again(failed: CompletedTask, later: Sequence[CompletedTask]) -> bool:
    return any(task.type is failed.type and (task.gave_up or task.status is TaskStatus.SUCCESS) for task in later)
