"""How raw text becomes memory: journalled raw first, then digested optimistically, then committed in one go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from amb_core.agent_io import IntegrationAnswer, NodeView
from amb_core.errors import StoreError
from amb_core.memory.changes import ChangeSet
from amb_core.memory.digestion import Draft, Drafter, Judgement, Weaver
from amb_core.memory.journal import Journal
from amb_core.memory.merging import Merger
from amb_core.memory.state import BankState
from amb_core.models import (
    Attachment,
    Conflict,
    ConflictStatus,
    Digestion,
    EntryState,
    Frozen,
    InteractionEntry,
    Span,
    TaskType,
)
from amb_core.protocols import Clock
from amb_core.text import index_tokens

__all__ = ["AbsorbReport", "Absorber"]

_ATTEMPTS = 3
"""How often judgements are redone because nodes appeared meanwhile, before the lock is held for the last one."""
_REMEMBERED = 64
"""How many of the newest nodes of a running step are remembered for its record."""


class AbsorbReport(Frozen):
    """What became of one text: its entry, the nodes it lives in now, and what was found on the way.

    For a repeat `node_ids` are the nodes that hold it already and `repeat_of` names the earlier entry. `resolved`
    are conflicts this text decided. `pending` is True while it is digested in the background (`wait=False`).
    """

    entry_ids: tuple[str, ...]
    node_ids: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    resolved: tuple[Conflict, ...] = ()
    repeat_of: str | None = None
    llm_calls: int = 0
    pending: bool = False


@dataclass(slots=True)
class Absorber:
    """Takes texts in. `lock` guards the state and is never held during an agent call but in the last attempt."""

    state: BankState
    journal: Journal
    drafter: Drafter
    weaver: Weaver
    merger: Merger
    clock: Clock
    lock: threading.RLock
    llm_calls: Callable[[], int]
    step_nodes: dict[str, None] = field(default_factory=dict)
    """Nodes made since the pending step began, in order."""
    step_repeats: int = 0

    def commit(self, changes: ChangeSet) -> None:
        """Journal the changes, then apply them; what fails leaves memory as it was (hold the lock)."""
        try:
            self.state.check(changes)
            self.journal.write(changes)
        except BaseException:
            self.state.graph.abandon()
            raise
        self.state.apply(changes)

    def record(
        self, text: str, metadata: dict[str, JsonValue], *, attachments: tuple[Attachment, ...] = ()
    ) -> tuple[InteractionEntry, str | None]:
        """Journal a raw entry; also returns the entry it repeats, which settles it at once (hold the lock)."""
        repeated = self.state.tree.repeat_of(text) if not attachments else None
        changes = self.state.changes()
        entry = InteractionEntry(
            entry_id=changes.new_id("e"),
            text=text,
            timestamp=self.clock.now(),
            metadata=metadata,
            attachments=attachments,
            parent_id=repeated,
        )
        state = EntryState.RAW if repeated is None else EntryState.DONE
        changes.put(entry, Digestion(entry_id=entry.entry_id, state=state, repeat_of=repeated))
        self.commit(changes)
        return entry, repeated

    def verify_again(self, entry: InteractionEntry) -> AbsorbReport | None:
        """Try an entry that is in memory already as evidence for the pending cross-validation (hold no lock)."""
        with self.lock:
            conflict = self._being_verified(entry)
        if conflict is None:
            return None
        return self._verify(entry, self.drafter.drafts(entry, task_goal=self.state.insight.task_goal), conflict)

    def repeat_report(self, entry_id: str, original: str, *, counts: bool = True) -> AbsorbReport:
        """The report for an entry that says nothing new; the same call handed over twice `counts` as no repeat."""
        self.step_repeats += counts
        return AbsorbReport(entry_ids=(entry_id,), node_ids=self.state.nodes_of_entry(original), repeat_of=original)

    def digest(self, entry: InteractionEntry) -> AbsorbReport:
        """Make nodes of a recorded entry; on failure it is marked failed and the error goes on (hold no lock)."""
        calls_before = self.llm_calls()
        try:
            drafts = self.drafter.drafts(entry, task_goal=self.state.insight.task_goal)
            with self.lock:
                conflict = self._being_verified(entry)
            report = self._verify(entry, drafts, conflict) if conflict else None
            report = report or self._weave(entry, drafts)
        except Exception as error:
            self._fail(entry, error)
            raise
        return report.model_copy(update={"llm_calls": self.llm_calls() - calls_before})

    # --- the normal path ---------------------------------------------------------------------------------------------

    def _weave(self, entry: InteractionEntry, drafts: Sequence[Draft]) -> AbsorbReport:
        siblings = self.weaver.siblings(drafts)
        judgements: list[Judgement] = []
        for attempt in range(_ATTEMPTS):
            with self.lock:
                version = self.state.version
                fresh = [self.weaver.candidates(draft) for draft in drafts]
                if attempt == _ATTEMPTS - 1:
                    judgements = self._judge(entry, drafts, fresh, siblings)
                    return self._commit_nodes(entry, judgements)
            judgements = self._judge(entry, drafts, fresh, siblings)
            with self.lock:
                if self.state.version == version or not self._appeared(drafts, judgements):
                    return self._commit_nodes(entry, judgements)
        raise AssertionError("the last attempt returns")

    def _judge(
        self,
        entry: InteractionEntry,
        drafts: Sequence[Draft],
        candidates: Sequence[Sequence[NodeView]],
        siblings: Sequence[tuple[str, ...]],
    ) -> list[Judgement]:
        source = str(entry.metadata.get("source") or "")
        judgements = []
        for draft, found, near in zip(drafts, candidates, siblings, strict=True):
            views = [
                *found,
                *(drafts[int(name[1:])].view(name, timestamp=entry.timestamp, source=source) for name in near),
            ]
            judgements.append(self.weaver.judge(draft, views, timestamp=entry.timestamp, source=source))
        return judgements

    def _appeared(self, drafts: Sequence[Draft], judgements: Sequence[Judgement]) -> bool:
        """Whether a candidate turned up that was not judged, or one that was judged is gone."""
        for draft, judgement in zip(drafts, judgements, strict=True):
            now = {view.id for view in self.weaver.candidates(draft)}
            known = {name for name in judgement.judged if name.startswith("n")}
            if not now <= known or any(name not in self.state.graph for name in known):
                return True
        return False

    def _commit_nodes(self, entry: InteractionEntry, judgements: Sequence[Judgement]) -> AbsorbReport:
        changes = self.state.changes()
        node_ids = self._woven(entry, judgements, changes)
        found = tuple(record for record in changes.of("conflict") if isinstance(record, Conflict))
        return AbsorbReport(entry_ids=(entry.entry_id,), node_ids=node_ids, conflicts=found)

    def _woven(
        self, entry: InteractionEntry, judgements: Sequence[Judgement], changes: ChangeSet, *, merged: str | None = None
    ) -> tuple[str, ...]:
        """Add the judgements' nodes to `changes` and commit it all as the digestion of the entry."""
        if self.state.tree.entries[entry.entry_id].forgotten:  # meanwhile
            return ()
        known = self.state.tree.digestions[entry.entry_id].node_ids
        try:
            new = self.weaver.weave(judgements, changes, timestamp=self.clock.now())
        except BaseException:
            self.state.graph.abandon()
            raise
        node_ids = (*known, *([merged] if merged else []), *new)
        changes.put(Digestion(entry_id=entry.entry_id, state=EntryState.DONE, node_ids=node_ids))
        self.commit(changes)
        alive = self.state.living(node_ids)
        self.step_nodes.update(dict.fromkeys(alive))
        for oldest in list(self.step_nodes)[:-_REMEMBERED]:
            del self.step_nodes[oldest]
        return alive

    def _fail(self, entry: InteractionEntry, error: Exception) -> None:
        """Mark the entry as failed; when the store is the trouble it stays raw. Either way resume tries again."""
        if isinstance(error, StoreError):
            return
        with self.lock:
            if self.state.tree.entries[entry.entry_id].forgotten:
                return
            changes = self.state.changes()
            changes.put(Digestion(entry_id=entry.entry_id, state=EntryState.FAILED, error=type(error).__name__))
            self.commit(changes)

    # --- cross-validation --------------------------------------------------------------------------------------------

    def _being_verified(self, entry: InteractionEntry) -> Conflict | None:
        """The conflict the pending step verifies, when this entry is a source independent of both sides."""
        pending = self.state.insight.pending
        if pending is None or pending.type is not TaskType.CROSS_VALIDATE or pending.conflict_id is None:
            return None
        conflict = self.state.conflicts.get(pending.conflict_id)
        if conflict is None or conflict not in self.state.unsettled():
            return None
        nodes = [self.state.graph.node(node_id) for node_id in self.state.living(conflict.node_ids)]
        known = {
            str(other.metadata.get("source") or "")
            for node in nodes
            for other in self.state.tree.of_spans(node.sources)
        }
        source = str(entry.metadata.get("source") or "")
        return None if len(nodes) < 2 or (source and source in known) else conflict

    def _verify(self, entry: InteractionEntry, drafts: Sequence[Draft], conflict: Conflict) -> AbsorbReport | None:
        """Try to decide a conflict with this entry; None when it settles nothing."""
        with self.lock:
            if self._being_verified(entry) != conflict:
                return None
            request = self.merger.request(conflict, [entry.text])
        answer = self.merger.integrate(request)
        if not answer.decided:
            return None
        with self.lock:
            if self._being_verified(entry) != conflict:
                return None
            bearing, rest = _bearing_on(conflict, drafts)
            if self.state.tree.digestions[entry.entry_id].state is EntryState.DONE:
                rest = []  # in memory already: what else it says has its nodes
            proof = [span for draft in bearing for span in draft.spans]
            return self._merge(entry, conflict, answer, proof, rest)

    def decide(self, conflict: Conflict, verdict: InteractionEntry) -> bool:
        """Try to settle a conflict by the words of a verification step (hold the lock)."""
        answer = self.merger.integrate(self.merger.request(conflict, [verdict.text]))
        if answer.decided:
            proof = [Span(entry_id=verdict.entry_id, start=0, end=len(verdict.text))]
            self._merge(verdict, conflict, answer, proof, [])
        return answer.decided

    def _merge(
        self,
        entry: InteractionEntry,
        conflict: Conflict,
        answer: IntegrationAnswer,
        proof: Sequence[Span],
        rest: Sequence[Draft],
    ) -> AbsorbReport:
        """Merge, recheck and take in what else the entry says, in one commit (hold the lock)."""
        changes = self.state.changes()
        merged = self.merger.merge(conflict, answer, proof, changes, timestamp=self.clock.now())
        gone = {identifier for kind, identifier in changes.deletes if kind == "node"}
        candidates = [self.weaver.candidates(draft, exclude=gone) for draft in rest]
        judgements = self._judge(entry, rest, candidates, [()] * len(rest))
        node_ids = self._woven(entry, judgements, changes, merged=merged.id)
        opened = [c for c in changes.of("conflict") if isinstance(c, Conflict) and c.status is ConflictStatus.OPEN]
        return AbsorbReport(
            entry_ids=(entry.entry_id,),
            node_ids=node_ids,
            conflicts=tuple(opened),
            resolved=(self.state.conflicts[conflict.id],),
        )


def _bearing_on(conflict: Conflict, drafts: Sequence[Draft]) -> tuple[list[Draft], list[Draft]]:
    """The drafts that speak of the conflict's subject most, and the others."""
    subject = set(
        index_tokens(f"{conflict.subject} {' '.join(conflict.values)}" if conflict.subject else conflict.description)
    )
    shared = [len(subject & set(index_tokens(draft.content))) for draft in drafts]
    best = max(shared, default=0)
    bearing = [draft for draft, count in zip(drafts, shared, strict=True) if count == best]
    return bearing, [draft for draft, count in zip(drafts, shared, strict=True) if count != best]
