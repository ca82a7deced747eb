"""The task's steps: planning the next one, and closing the one that was pending with what it brought."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.agent_io import StepOutcome
from amb_core.memory.absorption import Absorber
from amb_core.memory.planning import Planner, unresolved
from amb_core.models import (
    Conflict,
    InsightDoc,
    PendingTask,
    StepResult,
    TaskStatus,
    TaskType,
)

__all__ = ["Steps"]


@dataclass(slots=True)
class Steps:
    """Plans, and closes steps. `planned_at` is the state version the last plan was made for."""

    absorber: Absorber
    planner: Planner
    planned_at: int = -1

    def plan(self) -> InsightDoc:
        """The Insight Doc, planned anew when the state changed since the last plan."""
        state = self.absorber.state
        with self.absorber.lock:
            if self.planned_at == state.version:
                return state.insight
            answer = self.planner.ask(new_node_ids=tuple(self.absorber.step_nodes))
            changes = state.changes()
            self.planner.record(answer.model_copy(update={"completed_status": None}), changes)
            if changes.puts:
                self.absorber.commit(changes)
            self.planned_at = state.version
            return state.insight

    def close(self, step: StepResult, *, pending: PendingTask | None) -> InsightDoc:
        """Record how the pending step went and plan the next one."""
        state = self.absorber.state
        with self.absorber.lock:
            decided = self._verdict(step, pending)
            outcome = StepOutcome(
                status=TaskStatus.FAILURE if step.failed else TaskStatus.SUCCESS,
                text=step.answer or step.text,
                new_node_ids=state.living(self.absorber.step_nodes),
                repeats=self.absorber.step_repeats,
                decided=decided,
                answered=step.answer is not None,
            )
            answer = self.planner.ask(new_node_ids=outcome.new_node_ids, outcome=outcome)
            changes = state.changes()
            self.planner.record(answer, changes)
            self.absorber.step_nodes.clear()
            self.absorber.step_repeats = 0
            if changes.puts:
                self.absorber.commit(changes)
            self.planned_at = state.version
            return state.insight

    def _verdict(self, step: StepResult, pending: PendingTask | None) -> bool | None:
        """Whether a cross-validation settled its conflict; one that did not leaves it unresolved."""
        state = self.absorber.state
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE or pending.conflict_id is None:
            return None
        conflict = state.conflicts.get(pending.conflict_id)
        if conflict is None or conflict not in state.unsettled():
            return conflict is not None
        if step.failed:
            return None
        if step.text.strip() and self._decided_by_words(conflict, step.text):
            return True
        changes = state.changes()
        changes.put(unresolved(conflict, "the verification came to no conclusion"))
        self.absorber.commit(changes)
        return False

    def _decided_by_words(self, conflict: Conflict, text: str) -> bool:
        entry, repeated = self.absorber.record(text, {"kind": "verification", "source": "verification step"})
        return repeated is None and self.absorber.decide(conflict, entry)
