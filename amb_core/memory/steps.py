"""The task's steps: planning the next one, and closing the one that was pending with what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agent_io import PlanningAnswer, StepOutcome
from amb_core.memory.planner import Planner, unresolved
from amb_core.memory.settler import Settler
from amb_core.memory.writer import Writer
from amb_core.models import (
    Conflict,
    ConflictStatus,
    InsightDoc,
    PendingTask,
    StepResult,
    TaskStatus,
    TaskType,
)
from amb_core.text import detect_language

__all__ = ["Steps"]

_NO_CONCLUSION = {"en": "the verification came to no conclusion", "zh": "核实没有得出结论"}

_ATTEMPTS = 3
"""How often the planner is asked again because the bank has changed meanwhile, before the lock is held for it."""
_PATIENCE = 4
"""After so many texts that do not speak of a dispute, looking for its evidence counts as one try."""
_SHOWN = 8
"""How many of a step's newest nodes the planner is shown."""


@dataclass(slots=True)
class Steps:
    """Plans, and closes steps. `planned_at` is the state version the last plan was made for.

    While a step is `running` under an outer loop the plan stays as it is until the step is closed. Without an outer
    loop nobody says how a step went, and none is recorded but a verification: the evidence itself closes that one.
    """

    writer: Writer
    settler: Settler
    planner: Planner
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
        self.looped = True
        insight = self.plan()
        self.running = True
        return insight

    def plan(self) -> InsightDoc:
        """The Insight Doc, planned anew when the state changed since the last plan (hold no lock)."""
        return self._planned(None)

    def shows_plan(self, insight: InsightDoc) -> bool:
        """Whether the plan says more than the goal: steps are closed, or another agent than ours plans."""
        pending = insight.pending
        special = pending is not None and (bool(pending.attachment_ids) or pending.type is TaskType.CROSS_VALIDATE)
        return self.looped or special or bool(insight.completed_tasks) or self.planner.calls.parallel("planning")

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
        tally = None if conflict is None else self.planner.evidence.witnesses.tally(conflict)
        heard = {} if tally is None else tally.heard
        entries = {span.entry_id for node_id in new for span in state.graph.bare(node_id).sources}
        return not entries.isdisjoint(heard) or len(entries) >= _PATIENCE

    def _settled(self, pending: PendingTask) -> StepOutcome | None:
        conflict = self.writer.state.conflicts.get(pending.conflict_id or "")
        if conflict is None or conflict.status is not ConflictStatus.RESOLVED:
            return None
        text = ": ".join(part for part in (conflict.subject, conflict.resolution) if part)
        return StepOutcome(status=TaskStatus.SUCCESS, text=text, decided=True)

    def _planned(self, closing: StepOutcome | None) -> InsightDoc:
        """Ask the planner and commit what it says; it is asked again when the state has changed meanwhile.

        `closing` is the outcome of a step that ends now.
        """
        state = self.writer.state
        for attempt in range(_ATTEMPTS):
            with self.writer.lock:
                if closing is None and (self.running or self.planned_at == state.version):
                    return state.insight
                version, outcome = state.version, closing or self._progress()
                new = state.living(self.writer.step_nodes)[-_SHOWN:]
                request = self.planner.request(new_node_ids=new, outcome=outcome, verifies=self.writer.verifies)
                if attempt == _ATTEMPTS - 1:
                    return self._record(self.planner.ask(request), outcome)
            answer = self.planner.ask(request)
            with self.writer.lock:
                if closing is None and self.running:
                    return state.insight
                if state.version == version:
                    return self._record(answer, outcome)
        raise AssertionError("the last attempt returns")

    def _record(self, answer: PlanningAnswer, outcome: StepOutcome | None) -> InsightDoc:
        """Commit a plan, and begin to count anew when it ends a step (hold the lock)."""
        state = self.writer.state
        if outcome is None:
            answer = answer.model_copy(update={"completed_status": None})
        changes, before = state.changes(), state.insight.pending
        self.planner.record(answer, changes, clock=self.writer.clock)
        if answer.pending != before or (outcome is not None and not outcome.running):
            self.writer.step_nodes.clear()
            self.writer.step_repeats = 0
        if changes.puts:
            self.writer.commit(changes)
        self.planned_at = state.version
        return state.insight

    def close(self, step: StepResult, *, pending: PendingTask | None) -> InsightDoc:
        """Record how the pending step went and plan the next one (hold no lock)."""
        try:
            decided = self._verdict(step, pending)
            with self.writer.lock:
                settled = self._settled(pending) if pending is not None else None
                outcome = StepOutcome(
                    status=TaskStatus.FAILURE if step.failed else TaskStatus.SUCCESS,
                    text=settled.text if settled else step.answer or step.text,
                    new_node_ids=self.writer.state.living(self.writer.step_nodes),
                    repeats=self.writer.step_repeats,
                    decided=decided,
                    answered=step.answer is not None,
                )
            return self._planned(outcome)
        finally:
            self.running = False

    def _verdict(self, step: StepResult, pending: PendingTask | None) -> bool | None:
        """Whether a cross-validation settled its conflict; one that did not leaves it unresolved."""
        state = self.writer.state
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE or pending.conflict_id is None:
            return None
        with self.writer.lock:
            conflict = state.conflicts.get(pending.conflict_id)
            if conflict is None or conflict not in state.conflicts.unsettled():
                return conflict is not None
        if step.failed:
            return None
        if step.text.strip() and self._decided_by_words(conflict, step.text):
            return True
        with self.writer.lock:
            changes, now = state.changes(), self.writer.clock.now()
            changes.put(unresolved(conflict, _NO_CONCLUSION[detect_language(conflict.description)], timestamp=now))
            self.writer.commit(changes)
        return False

    def _decided_by_words(self, conflict: Conflict, text: str) -> bool:
        with self.writer.lock:
            entry, repeated = self.writer.record(text, {"kind": "verification", "source": "verification step"})
        return repeated is None and self.settler.decide(conflict, entry)
