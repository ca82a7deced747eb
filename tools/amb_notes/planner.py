"""Planning the next step of a task, and closing the one that was pending with what it brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.agent_io import PlanningAnswer, PlanningRequest, StepOutcome
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.steps import Steps
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
from amb_notes.agent_calls import AgentCalls
from amb_notes.conflict_states import give_up, is_disputed, verify
from amb_notes.node_views import NodeViews
from amb_notes.settler import Settler

__all__ = ["Planner"]

_PATIENCE = 4
"""After so many texts that do not speak of a dispute, looking for its evidence counts as one try."""
_SHOWN = 8
"""How many of a step's newest nodes the planner is shown, and how many for the goal."""
_GOAL_CHARS = 4_000
"""Of a longer goal only the beginning is searched for."""


@dataclass(slots=True)
class Planner:
    """Asks the planning agent, commits what it says, and closes steps. `steps` say when."""

    writer: Writer
    steps: Steps
    settler: Settler
    nodes: NodeViews
    calls: AgentCalls

    def has_something_to_verify(self) -> bool:
        """Whether a matter is disputed that is neither given up nor being verified."""
        return bool(_one_of_each_matter(self.writer.state.conflicts.disputed()))

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

    def plan(self, closing: StepOutcome | None) -> InsightDoc:
        """Ask the planner and commit what it says; `closing` is the outcome of a step that ends now (hold no lock)."""

        def request() -> PlanningRequest | None:
            if closing is None and (self.steps.running or self.steps.planned_at == self.writer.state.version):
                return None
            return self._request(closing or self._progress())

        def commit(request: PlanningRequest, answer: PlanningAnswer) -> InsightDoc:
            return request.insight if closing is None and self.steps.running else self._record(answer, request.outcome)

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
            return self.calls.plan(request)

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
        self.steps.planned_at = state.version
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
        return self.plan(outcome)

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
