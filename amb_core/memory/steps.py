"""The task's steps: whether one runs, when the next is planned, and the goal they serve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amb_core.memory.derived_notes import DerivedNotes
from amb_core.memory.writer import Writer
from amb_core.models import CompletedTask, InsightDoc, PendingTask, StepResult, TaskStatus, TaskType
from amb_core.registry import from_package
from amb_core.settings import Settings
from amb_core.tracing import traced

__all__ = ["Steps", "finished"]


@dataclass(slots=True)
class Steps:
    """Says when is planned. `planned_at` is the state version the last plan was made for.

    While a step is `running` under an outer loop the plan stays as it is until the step is closed. Without an outer
    loop nobody says how a step went, and none is recorded but a verification: the evidence itself closes that one.
    """

    writer: Writer
    notes: Callable[[], DerivedNotes]
    follows_loop: bool
    """Whether disputes are verified as soon as an outer loop begins a step."""
    plans_itself: bool
    """Whether another agent than AMB's local one plans."""
    planned_at: int = -1
    running: bool = False
    looped: bool = False
    """Whether an outer loop has begun a step."""

    def begin(self) -> InsightDoc:
        """Plan for an outer loop, which really does what is planned, and hold the plan still (hold no lock)."""
        if self.follows_loop and not self.writer.verifies:
            with self.writer.lock:
                self.writer.verifies, self.planned_at = True, -1
        self.looped, self.writer.lazy = True, False
        insight = self.plan()
        self.running = True
        return insight

    def plan(self) -> InsightDoc:
        """The Insight Doc, planned anew when the state changed since the last plan (hold no lock)."""
        return self.notes().plan(None)

    def plan_first(self, settings: Settings) -> InsightDoc:
        """The first plan of a task, of which there is nothing yet but its goal (hold no lock)."""
        if not self.writer.lazy or self.writer.state.tree.entries:
            return self.plan()
        from amb_core.agent_io import PlanningAnswer, PlanningRequest  # here, for a bank that is resumed has a plan

        planner = from_package("amb_agents.local_planning:LocalPlanning")(settings)
        with self.writer.lock, traced("plan"):
            self.writer.counts.count_call("planning")
            state = self.writer.state
            answer: PlanningAnswer = planner.plan(PlanningRequest(insight=state.insight))
            if answer.pending is not None:
                changes = state.changes()
                state.put_insight(changes, state.insight.model_copy(update={"pending_tasks": (answer.pending,)}))
                self.writer.commit(changes)
            self.planned_at = state.version
            return state.insight

    def plan_again(self) -> None:
        """Plan anew after something was taken out of the state (hold no lock); a first plan told of the goal alone."""
        if self.planned_at >= 0 and (not self.writer.lazy or len(self.writer.state.graph)):
            self.plan()

    def says_more(self, *, special: bool) -> bool:
        """Whether the plan can say more than the goal: of something `special`, or because an agent of theirs plans."""
        state, pending = self.writer.state, self.writer.state.insight.pending
        if self.looped or state.waiting or state.insight.completed_tasks:
            return True
        if not special and self.plans_itself:
            return True
        if pending is not None and (pending.attachment_ids or pending.type is TaskType.CROSS_VALIDATE):
            return True
        return self.writer.verifies and bool(state.conflicts) and self.notes().has_something_to_verify()

    def change_goal(self, goal: str) -> InsightDoc:
        """Close the Insight Doc, which stays among the `earlier` ones, and open one for another goal.

        Nothing happens for the goal there is, and while an outer loop works on its own: until that is finished. Hold
        no lock.
        """
        with self.writer.lock:
            state, before = self.writer.state, self.writer.state.insight
            goal = self.writer.redacted(goal)
            if goal == before.task_goal or (self.looped and (self.running or not finished(before))):
                return before
            changes, closed = state.changes(), before.model_copy(update={"earlier": ()})
            earlier = (*before.earlier, closed)
            state.put_insight(changes, InsightDoc(doc_id=before.doc_id, task_goal=goal, earlier=earlier))
            self.writer.commit(changes)
            self.writer.step_nodes.clear()
            self.writer.step_repeats = 0
            self.planned_at, self.looped = -1, False
            return state.insight

    def close(self, step: StepResult, *, pending: PendingTask | None) -> InsightDoc:
        """Record how the pending step went and plan the next one (hold no lock)."""
        try:
            return self.notes().close(step, pending=pending)
        finally:
            self.running = False


def finished(insight: InsightDoc) -> bool:
    """Whether the task is over: nothing pending, and every failed step was done again or given up."""
    tasks = insight.completed_tasks
    return insight.pending is None and not any(
        task.status is TaskStatus.FAILURE and not task.gave_up and not _done_again(task, tasks[number + 1 :])
        for number, task in enumerate(tasks)
    )


def _done_again(failed: CompletedTask, later: Sequence[CompletedTask]) -> bool:
    return any(task.type is failed.type and (task.gave_up or task.status is TaskStatus.SUCCESS) for task in later)
