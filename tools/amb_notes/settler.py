"""How conflicts are settled: by evidence that a verification or a third source brings, merged and rechecked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace

from amb_core.agent_io import AnalysisAnswer, AnalysisRequest, IntegrationAnswer, IntegrationRequest, MergeInput
from amb_core.errors import AgentFailed
from amb_core.memory.arguments import require_id
from amb_core.memory.events import AbsorbReport
from amb_core.memory.ids import id_number
from amb_core.memory.writer import Writer
from amb_core.models import Conflict, ConflictStatus, EntryState, InteractionEntry, Span, TaskType
from amb_core.tracing import traced
from amb_notes.conflict_states import is_disputed, reopen
from amb_notes.drafts import Draft, Judgement, Weaver, remade
from amb_notes.merger import MergeDraft, Merger, newcomers, undo_merge
from amb_notes.proof import keeps, quoted_spans

__all__ = ["Settler"]

_log = logging.getLogger("amb.bank")
_LOOKED_AT, _TRIED_LATE = 20, 3
"""How many older conflicts a new text is held against, and tried on, as evidence that nobody asked for."""


class Settler:
    """Settles the conflicts of one bank, through its writer.

    Agents are asked outside the lock, but in the last attempt. Nothing is settled, late or asked for, unless the
    writer `verifies`: both sides of a conflict are then only shown.
    """

    def __init__(self, writer: Writer, weaver: Weaver, merger: Merger) -> None:
        self._witnesses = merger.nodes.witnesses
        self._writer = writer
        self._merger = merger
        self._state = writer.state
        self._lock = writer.lock
        self._weaver = weaver
        self._clock = writer.clock

    def being_verified(self, entry: InteractionEntry) -> Conflict | None:
        """The conflict the pending step verifies, when this entry can be evidence for it."""
        pending = self._state.insight.pending
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE or pending.conflict_id is None:
            return None
        conflict = self._state.conflicts.get(pending.conflict_id)
        return conflict if conflict is not None and self._winner(entry, conflict) is not None else None

    def _winner(self, entry: InteractionEntry, conflict: Conflict) -> int | None:
        """The side that has more witnesses, when this entry says so too and the conflict is still between these sides.

        Evidence whose merge was undone is none any more. What an agent says itself may end a conflict, but counts as
        no witness.
        """
        state, now = self._state, self._state.conflicts.get(conflict.id)
        if not self._writer.verifies or now is None or now.reopened or not is_disputed(now):
            return None
        if now.node_ids != conflict.node_ids or len(state.living(conflict.node_ids)) < 2:
            return None
        undone = (event for event in state.merges.values() if event.undone and conflict.id in event.conflict_ids)
        if any(span.entry_id == entry.entry_id for event in undone for span in event.evidence):
            return None
        tally = self._witnesses.tally(conflict, entry)
        winner = tally.winner if tally is not None else None
        return winner if tally is not None and tally.heard.get(entry.entry_id) == winner else None

    def verify(self, entry: InteractionEntry, drafts: Sequence[Draft], conflict: Conflict) -> AbsorbReport | None:
        """Try to decide a conflict with this entry; None when it settles nothing (hold no lock).

        One more source with a third value does not make that value right: it only makes three of them.
        """
        answer = self._answer(entry, conflict)
        return None if answer is None else self._merge(entry, conflict, answer, drafts)

    def _answer(self, entry: InteractionEntry, conflict: Conflict) -> IntegrationAnswer | None:
        """The integration agent's answer to a conflict that can be settled now, if it keeps the value that has won."""
        with self._lock:
            winner = self._winner(entry, conflict)
            if winner is None:
                return None
            conflict = self._state.conflicts[conflict.id]
            if self._reopen(conflict, winner):
                return None
            request = IntegrationRequest(
                nodes=tuple(
                    MergeInput(node=view) for view in self._weaver.views(self._state.living(conflict.node_ids))
                ),
                conflict=conflict,
                verification=entry.text,
                task_goal=self._state.insight.task_goal,
            )
        answer = self._weaver.calls.integrate(request)
        kept = answer.decided and keeps(answer, conflict.values[winner], conflict.values)
        return answer if kept else None

    def _reopen(self, conflict: Conflict, winner: int) -> bool:
        """Open again what was settled the other way: both are disputes, and nothing is refuted (hold the lock)."""
        question = self._witnesses.question(conflict)
        nodes = [self._state.graph.bare(node_id) for node_id in self._state.living(conflict.node_ids)]
        changes, now = self._state.changes(), self._clock.now()
        for node in nodes if question else ():
            back = [s for s in node.refuted if question and question.side(self._state.tree.text_of(s)) == winner]
            events = [e for e in self._state.merges.values() if not e.undone and e.new_node_id == node.id]
            older = [self._state.conflicts[c] for e in events for c in e.conflict_ids if c in self._state.conflicts]
            if back and older:
                changes.put(node.model_copy(update={"refuted": tuple(s for s in node.refuted if s not in back)}))
                changes.put(*(reopen(each, at=now) for each in older))
        if not changes.puts:
            return False
        changes.put(reopen(conflict, at=now))
        self._writer.commit(changes)
        return True

    def settle_late(self, entry: InteractionEntry, drafts: Sequence[Draft], report: AbsorbReport) -> AbsorbReport:
        """Take an older conflict up again when this entry, a third source, sides with one of the two values."""
        for conflict in self._heard_late(entry, report.conflicts)[:_TRIED_LATE]:
            verified = self.verify(entry, drafts, conflict)
            if verified is not None:
                node_ids = tuple(dict.fromkeys([*report.node_ids, *verified.node_ids]))
                with self._lock:
                    alive = self._state.living(node_ids)
                    found = tuple(
                        self._state.conflicts[c.id] for c in report.conflicts if c.id in self._state.conflicts
                    )
                return report.model_copy(update={"node_ids": alive, "conflicts": found, "resolved": verified.resolved})
        return report

    def _heard_late(self, entry: InteractionEntry, found: Sequence[Conflict]) -> list[Conflict]:
        """Older disputes of which this entry speaks, those with its own rivals first; its words may be others."""
        with self._lock:
            rivals = {node_id for conflict in found for node_id in conflict.node_ids}
            ids = {conflict.id for conflict in found}
            older = [c for c in self._state.conflicts.values() if c.id not in ids and is_disputed(c)]
            older.sort(key=lambda c: (len(rivals & set(c.node_ids)) != 1, id_number(c.id)))
            return [conflict for conflict in older[:_LOOKED_AT] if self._winner(entry, conflict) is not None]

    def decide(self, conflict: Conflict, verdict: InteractionEntry) -> bool:
        """Try to settle a conflict by the words of a verification step, where its witnesses say so too."""
        answer = self._answer(verdict, conflict)
        if answer is None:
            return False
        whole = Span(entry_id=verdict.entry_id, start=0, end=len(verdict.text))
        said = Draft(
            summary=verdict.text, context="", keywords=(), spans=(whole,), content=verdict.text, embedding=None
        )
        return self._merge(verdict, conflict, answer, [said]) is not None

    def _merge(
        self, entry: InteractionEntry, conflict: Conflict, answer: IntegrationAnswer, drafts: Sequence[Draft]
    ) -> AbsorbReport | None:
        """Merge, recheck and take in what else the entry says, in one commit; None when the conflict has changed."""
        with traced("merge", conflict_id=conflict.id) as span:
            report = self._merged(entry, conflict, answer, drafts)
            span["settled"] = report is not None
        if report is not None:
            self.refresh()
        return report

    def _merged(
        self, entry: InteractionEntry, conflict: Conflict, answer: IntegrationAnswer, drafts: Sequence[Draft]
    ) -> AbsorbReport | None:
        def plan() -> MergeDraft | None:
            winner = self._winner(entry, conflict)
            if winner is None or not keeps(answer, conflict.values[winner], conflict.values):
                return None
            return self._planned_merge(entry, conflict, answer, drafts)

        def ask(draft: MergeDraft) -> tuple[AnalysisAnswer, Sequence[Judgement]]:
            judgements = self._weaver.judge(entry, draft.rest, draft.candidates, [()] * len(draft.rest))
            return self._weaver.calls.analyse(draft.recheck), judgements

        return self._writer.agree(plan, ask, lambda draft, told: self._commit_merge(entry, conflict, draft, *told))

    def _planned_merge(
        self, entry: InteractionEntry, conflict: Conflict, answer: IntegrationAnswer, drafts: Sequence[Draft]
    ) -> MergeDraft:
        evidence = quoted_spans(answer.evidence, entry_id=entry.entry_id, text=entry.text)
        bearing = [draft for draft in drafts if _overlap(draft.spans, evidence)]
        proof = [span for draft in bearing for span in draft.spans]
        merge = self._merger.draft(conflict, answer, proof=proof, evidence=evidence, timestamp=self._clock.now())
        if self._state.tree.digestions[entry.entry_id].state is EntryState.DONE:
            return merge  # in memory already: it has its nodes, and has met others
        gone = {identifier for kind, identifier in merge.changes.deletes if kind == "node"}
        rest = [draft for draft in drafts if draft not in bearing]
        return replace(merge, rest=rest, candidates=[self._weaver.candidates(each, exclude=gone) for each in rest])

    def _commit_merge(
        self,
        entry: InteractionEntry,
        conflict: Conflict,
        draft: MergeDraft,
        recheck: AnalysisAnswer,
        judgements: Sequence[Judgement],
    ) -> AbsorbReport:
        changes, merged = draft.changes, draft.merged
        self._merger.conclude(draft, recheck, timestamp=merged.timestamp)
        node_ids = self._weaver.commit_woven(self._writer, entry, judgements, changes, merged=merged.id)
        opened = [c for c in changes.records(Conflict) if c.status is ConflictStatus.OPEN]
        return AbsorbReport(
            entry_ids=(entry.entry_id,),
            node_ids=node_ids,
            conflicts=tuple(opened),
            resolved=(self._state.conflicts[conflict.id],),
        )

    def refresh(self) -> None:
        """Summarise stale nodes anew from the raw text they stand on; one that fails stays stale (hold no lock)."""
        with self._lock:
            stale = self._state.graph.stale
        for node_id in stale:
            with self._lock:
                if node_id not in self._state.graph or not self._state.graph.bare(node_id).stale:
                    continue
                node = self._state.graph.bare(node_id)
                content = "\n".join(text for _, text in self._state.graph.passages(node))
            try:
                fresh = remade(node, content, calls=self._weaver.calls, embedder=self._merger.embedder)
            except AgentFailed as error:
                _log.warning("node %s stays stale: %s", node_id, type(error).__name__)
                continue
            with self._lock:
                if node_id in self._state.graph and self._state.graph.bare(node_id) == node:
                    changes = self._state.changes()
                    changes.put(fresh)
                    self._writer.commit(changes)

    def undo(self, event_id: str) -> None:
        """Take a merge back, and let what came after it meet the nodes that are back (hold no lock).

        UnknownId when there is no such merge.
        """
        with self._lock:
            require_id("merge event", event_id, among=self._state.merges)
            event = self._state.merges[event_id]
            later = newcomers(self._state, event)
            changes = self._state.changes()
            undo_merge(self._state, event_id, changes)
            self._writer.commit(changes)
            back = self._state.living(event.merged_node_ids)
            views, candidates = self._weaver.views(later), self._weaver.views(back)
        answers = [self._weaver.calls.analyse(AnalysisRequest(new=view, candidates=candidates)) for view in views]
        with self._lock:
            changes = self._state.changes()
            for view, answer in zip(views, answers, strict=True):
                self._weaver.relate(view.id, answer.relationships, changes, among=back, timestamp=self._clock.now())
            if changes.puts:
                self._writer.commit(changes)


def _overlap(some: Iterable[Span], others: Sequence[Span]) -> bool:
    return any(a.start < b.end and b.start < a.end for a in some for b in others)
