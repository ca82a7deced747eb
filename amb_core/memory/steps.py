"""The task's steps: planning the next one, and closing the one that was pending with what it brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.agent_io import PlanningAnswer, PlanningRequest, StepOutcome
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.conflict_states import give_up, is_disputed, verify
from amb_core.memory.node_views import NodeViews
from amb_core.memory.settler import Settler
from amb_core.memory.writer import Writer
from amb_core.models import (
    CompletedTask,
    Conflict,
    ConflictStatus,
    InsightDoc,
    PendingTask,
    StepResult,
    TaskStatus,
    TaskType,
)
from amb_core.protocols import Query
from amb_core.tracing import traced

__all__ = ["Steps", "finished"]

_PATIENCE = 4
"""After so many texts that do not speak of a dispute, looking for its evidence counts as one try."""
_SHOWN = 8
"""How many of a step's newest nodes the planner is shown, and how many for the goal."""
_GOAL_CHARS = 4_000
"""Of a longer goal only the beginning is searched for."""


@dataclass(slots=True)
class Steps:
    """Plans, and closes steps. `planned_at` is the state version the last plan was made for.

    While a step is `running` under an outer loop the plan stays as it is until the step is closed. Without an outer
    loop nobody says how a step went, and none is recorded but a verification: the evidence itself closes that one.
    """

    writer: Writer
    settler: Settler
    nodes: NodeViews
    follows_loop: bool
    """Whether disputes are verified as soon as an outer loop begins a step."""
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
        return self._planned(None)

    def says_more(self, *, special: bool) -> bool:
        """Whether the plan can say more than the goal: of something `special`, or because an agent of theirs plans."""
        state, pending = self.writer.state, self.writer.state.insight.pending
        if self.looped or state.waiting or state.insight.completed_tasks:
            return True
        if not special and self.writer.calls.parallel("planning"):
            return True
        if pending is not None and (pending.attachment_ids or pending.type is TaskType.CROSS_VALIDATE):
            return True
        return self.writer.verifies and bool(_one_of_each_matter(state.conflicts.disputed()))

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

    def _progress(self) -> StepOutcome | None:
        """What a verification that nobody closes has come to: settled, or one more text that did not settle it."""
        state = self.writer.state
        pending = state.insight.pending
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE:
            return None
        new = state.living(self.writer.step_nodes)
        tried = StepOutcome(status=TaskStatus.SUCCESS, new_node_ids=new, decided=False, running=True)
        return self._settled(pending) or (tried if self._is_try(pending, new) else None)

    def _is_try(self, pending: PendingTask, new: Sequence[str]) -> bool:
        """Whether something new speaks of the matter, or so much has come that nobody seems to look for it."""
        state = self.writer.state
        conflict = state.conflicts.get(pending.conflict_id or "")
        tally = None if conflict is None else self.nodes.witnesses.tally(conflict)
        heard = {} if tally is None else tally.heard
        entries = {span.entry_id for node_id in new for span in state.graph.bare(node_id).sources}
        return not entries.isdisjoint(heard) or len(entries) >= _PATIENCE

    def _settled(self, pending: PendingTask) -> StepOutcome | None:
        conflict = self.writer.state.conflicts.get(pending.conflict_id or "")
        if conflict is None or is_disputed(conflict):
            return None
        text = ": ".join(part for part in (conflict.subject, conflict.resolution) if part)
        return StepOutcome(status=TaskStatus.SUCCESS, text=text, decided=True)

    def _planned(self, closing: StepOutcome | None) -> InsightDoc:
        """Ask the planner and commit what it says; `closing` is the outcome of a step that ends now (hold no lock)."""

        def request() -> PlanningRequest | None:
            if closing is None and (self.running or self.planned_at == self.writer.state.version):
                return None
            return self._request(closing or self._progress())

        def commit(request: PlanningRequest, answer: PlanningAnswer) -> InsightDoc:
            return request.insight if closing is None and self.running else self._record(answer, request.outcome)

        planned = self.writer.agree(request, self._ask, commit)
        return self.writer.state.insight if planned is None else planned

    def _request(self, outcome: StepOutcome | None) -> PlanningRequest:
        """What the planning agent is asked of the state as it is (hold the lock)."""
        state, verifies = self.writer.state, self.writer.verifies
        hits = state.graph.search(Query(text=state.insight.task_goal[:_GOAL_CHARS], k=_SHOWN))
        return PlanningRequest(
            insight=state.insight,
            new_nodes=self.nodes.views(state.living(self.writer.step_nodes)[-_SHOWN:]),
            relevant=self.nodes.views(hit.id for hit in hits),
            open_conflicts=_one_of_each_matter(state.conflicts.disputed()) if verifies else (),
            waiting=tuple(state.waiting.values()),
            outcome=outcome,
        )

    def _ask(self, request: PlanningRequest) -> PlanningAnswer:
        with traced("plan"):
            return self.writer.calls.plan(request)

    def _record(self, answer: PlanningAnswer, outcome: StepOutcome | None) -> InsightDoc:
        """Commit a plan, and begin to count anew when it ends a step (hold the lock)."""
        state = self.writer.state
        changes, before = state.changes(), state.insight
        completed = before.completed_tasks
        if outcome is not None and before.pending is not None and answer.completed_status is not None:
            completed = (*completed, _completed(before.pending, answer))
            self._end_verifying(before.pending, answer, changes)
        pending = () if answer.pending is None else (answer.pending,)
        planned = before.model_copy(update={"completed_tasks": completed, "pending_tasks": pending})
        if planned != before:
            state.put_insight(changes, planned)
        self._begin_verifying(answer.pending, changes)
        if answer.pending != before.pending or (outcome is not None and not outcome.running):
            self.writer.step_nodes.clear()
            self.writer.step_repeats = 0
        if changes.puts:
            self.writer.commit(changes)
        self.planned_at = state.version
        return state.insight

    def _end_verifying(self, pending: PendingTask, answer: PlanningAnswer, changes: ChangeSet) -> None:
        """The conflict whose verification was given up is unresolved."""
        conflict = self.writer.state.conflicts.get(pending.conflict_id or "")
        if answer.gave_up and conflict is not None and conflict.status.is_open:
            changes.put(give_up(conflict, answer.completed_context, at=self.writer.clock.now()))

    def _begin_verifying(self, pending: PendingTask | None, changes: ChangeSet) -> None:
        """The conflict that is planned now is being verified."""
        if pending is not None and pending.type is TaskType.CROSS_VALIDATE:
            conflict = self.writer.state.conflicts.get(pending.conflict_id or "")
            if conflict is not None and conflict.status is ConflictStatus.OPEN:
                changes.put(verify(conflict))

    def close(self, step: StepResult, *, pending: PendingTask | None) -> InsightDoc:
        """Record how the pending step went and plan the next one (hold no lock)."""
        try:
            decided = self._verdict(step, pending)
            with self.writer.lock:
                settled = self._settled(pending) if pending is not None else None
                outcome = StepOutcome(
                    status=TaskStatus.FAILURE if step.failed else TaskStatus.SUCCESS,
                    text=settled.text if settled else self.writer.redacted(step.answer or step.text),
                    new_node_ids=self.writer.state.living(self.writer.step_nodes),
                    repeats=self.writer.step_repeats,
                    decided=decided,
                    answered=step.answer is not None,
                )
            return self._planned(outcome)
        finally:
            self.running = False

    def _verdict(self, step: StepResult, pending: PendingTask | None) -> bool | None:
        """Whether a cross-validation settled its conflict; one that is tried again in the same words is given up."""
        state = self.writer.state
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE or pending.conflict_id is None:
            return None
        with self.writer.lock:
            conflict = state.conflicts.get(pending.conflict_id)
            if conflict is None or not conflict.status.is_open:
                return conflict is not None
        if step.failed:
            return None
        if step.text.strip() and self._decided_by_words(conflict, step.text):
            return True
        with self.writer.lock:
            conflict = state.conflicts.get(conflict.id)  # what an agent was asked meanwhile may have ended it
            tried = any(task.description == pending.description for task in state.insight.completed_tasks)
            if tried and conflict is not None and conflict.status.is_open:
                changes = state.changes()
                changes.put(give_up(conflict, at=self.writer.clock.now()))
                self.writer.commit(changes)
            return conflict is not None and not is_disputed(conflict)

    def _decided_by_words(self, conflict: Conflict, text: str) -> bool:
        with self.writer.lock:
            entry, repeated = self.writer.record(
                self.writer.redacted(text), {"kind": "verification", "source": "verification step"}
            )
        return repeated is None and self.settler.decide(conflict, entry)


def _completed(pending: PendingTask, answer: PlanningAnswer) -> CompletedTask:
    assert answer.completed_status is not None
    return CompletedTask(
        type=pending.type,
        description=pending.description,
        status=answer.completed_status,
        context=answer.completed_context,
        gave_up=answer.gave_up,
    )


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


def finished(insight: InsightDoc) -> bool:
    """Whether the task is over: nothing pending, and every failed step was done again or given up."""
    tasks = insight.completed_tasks
    return insight.pending is None and not any(
        task.status is TaskStatus.FAILURE and not task.gave_up and not _done_again(task, tasks[number + 1 :])
        for number, task in enumerate(tasks)
    )


def _done_again(failed: CompletedTask, later: Sequence[CompletedTask]) -> bool:
    return any(task.type is failed.type and (task.gave_up or task.status is TaskStatus.SUCCESS) for task in later)
