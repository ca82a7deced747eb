"""How raw text becomes memory: journalled raw first, then digested optimistically, then committed in one go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from amb_core.accounting import Ledger, accounting
from amb_core.agent_io import NodeView
from amb_core.errors import StoreError
from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.changes import ChangeSet
from amb_core.memory.digestion import Draft, Drafter, Judgement, Weaver
from amb_core.memory.events import Events, events_of
from amb_core.memory.journal import Journal
from amb_core.memory.merging import Merger
from amb_core.memory.reports import AbsorbReport
from amb_core.memory.settling import Settler
from amb_core.memory.state import BankState
from amb_core.models import (
    Attachment,
    Conflict,
    Digestion,
    EntryState,
    InteractionEntry,
)
from amb_core.protocols import Clock
from amb_core.tracing import traced
from amb_core.usage import Bill

__all__ = ["Absorber"]

_log = logging.getLogger("amb.bank")

_ATTEMPTS = 3
"""How often judgements are redone because nodes appeared meanwhile, before the lock is held for the last one."""
_REMEMBERED = 64
"""How many of the newest nodes of a running step are remembered for its record."""


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
    calls: AgentCalls
    events: Events
    verifies: bool
    """Whether disputes are verified, settled and merged where witnesses decide; else both sides are only shown."""
    step_nodes: dict[str, None] = field(default_factory=dict)
    """Nodes made since the pending step began, in order."""
    step_repeats: int = 0
    at_work: set[str] = field(default_factory=set)
    """Entries that are being digested right now."""
    settler: Settler = field(init=False)

    def __post_init__(self) -> None:
        self.settler = Settler(self, self.merger)

    def commit(self, changes: ChangeSet) -> None:
        """Journal the changes, then apply them; what fails leaves memory as it was (hold the lock)."""
        usage = self.calls.unkept(self.state.usage)
        if usage is not None:
            changes.put(usage)
        try:
            self.state.check(changes)
            self.journal.write(changes)
        except BaseException:
            self.state.graph.abandon()
            raise
        happened = events_of(changes, self.state) if self.events.wanted else ()
        self.state.apply(changes)
        self.events.tell(*happened)

    def record(
        self, text: str, metadata: dict[str, JsonValue], *, attachments: tuple[Attachment, ...] = ()
    ) -> tuple[InteractionEntry, str | None]:
        """Journal a raw entry; also returns the entry it repeats, which settles it at once (hold the lock)."""
        changes = self.state.changes()
        entry = InteractionEntry(
            entry_id=changes.new_id("e"),
            text=text,
            timestamp=self.clock.now(),
            metadata=metadata,
            attachments=attachments,
        )
        repeated = self.state.tree.repeats(entry) if not attachments else None
        entry = entry.model_copy(update={"parent_id": repeated})
        state = EntryState.RAW if repeated is None else EntryState.DONE
        changes.put(entry, Digestion(entry_id=entry.entry_id, state=state, repeat_of=repeated))
        self.commit(changes)
        return entry, repeated

    def verify_again(self, entry: InteractionEntry) -> AbsorbReport | None:
        """Try an entry that is in memory already as evidence for the pending cross-validation (hold no lock)."""
        with self.lock:
            conflict = self.settler.being_verified(entry)
        if conflict is None:
            return None
        drafts = self.drafter.drafts(entry, task_goal=self.state.insight.task_goal, locally=True)
        return self.settler.verify(entry, drafts, conflict)

    def repeat_report(self, entry_id: str, original: str, *, counts: bool = True) -> AbsorbReport:
        """The report for an entry that says nothing new; the same call handed over twice `counts` as no repeat."""
        self.step_repeats += counts
        return AbsorbReport(entry_ids=(entry_id,), node_ids=self.state.nodes_of_entry(original), repeat_of=original)

    def digest(self, entry: InteractionEntry) -> AbsorbReport:
        """Make nodes of a recorded entry; on failure it is marked failed and the error goes on (hold no lock)."""
        with traced("digest", entry_id=entry.entry_id, chars=len(entry.text)) as span:
            report = self._digested(entry)
            span.update(nodes=len(report.node_ids), conflicts=len(report.conflicts), resolved=len(report.resolved))
            return report

    def keep_usage(self) -> None:
        """Write down what was spent since the last commit, if anything (hold no lock)."""
        with self.lock:
            if self.calls.unkept(self.state.usage) is not None:
                self.commit(self.state.changes())

    def _digested(self, entry: InteractionEntry) -> AbsorbReport:
        with accounting(Ledger()) as ledger:
            try:
                report = self._taken_in(entry)
            finally:
                self._bill(entry, ledger)
        return report.model_copy(update={"usage": ledger.total})

    def _bill(self, entry: InteractionEntry, ledger: Ledger) -> None:
        """Write down what taking in the entry has cost, with what was spent on it before (hold no lock)."""
        spent = ledger.by_purpose
        if not spent:
            return
        with self.lock:
            before = self.state.bills.get(entry.entry_id)
            bill = Ledger(before.spent if before else None)
            bill.add_all(spent)
            changes = self.state.changes()
            changes.put(Bill(entry_id=entry.entry_id, spent=bill.by_purpose))
            try:
                self.commit(changes)
            except StoreError as error:  # the facts are safe; the figures are still in the bank's ledger
                _log.warning("the bill for %s was not kept (%s)", entry.entry_id, type(error).__name__)

    def _taken_in(self, entry: InteractionEntry) -> AbsorbReport:
        try:
            with self.lock:
                self.at_work.add(entry.entry_id)
                settled = self._settled(entry)
            if settled is not None:
                original = self.state.tree.entries.get(settled.repeat_of or "")
                return (original and self.verify_again(original)) or settled
            drafts = self.drafter.drafts(entry, task_goal=self.state.insight.task_goal)
            with self.lock:
                conflict = self.settler.being_verified(entry)
            report = self.settler.verify(entry, drafts, conflict) if conflict else None
            report = report or self.settler.settle_late(entry, drafts, self._weave(entry, drafts))
        except Exception as error:
            self._fail(entry, error)
            raise
        finally:
            self.at_work.discard(entry.entry_id)
        return report

    def _settled(self, entry: InteractionEntry) -> AbsorbReport | None:
        """The report for an entry that was forgotten, or that another one has said by now (hold the lock).

        So a text that came twice at the same time, or again after its digesting failed, is digested once.
        """
        tree = self.state.tree
        current = tree.entries.get(entry.entry_id)
        if current is None or current.forgotten:
            return AbsorbReport(entry_ids=(entry.entry_id,))
        original = None if current.attachments else tree.repeats(current)
        if original is None or tree.digestions[entry.entry_id].state is EntryState.DONE:
            return None
        changes = self.state.changes()
        repeats = [d.entry_id for d in tree.digestions.values() if d.repeat_of == entry.entry_id]
        for repeat in (entry.entry_id, *repeats):
            changes.put(
                tree.entries[repeat].model_copy(update={"parent_id": original}),
                Digestion(entry_id=repeat, state=EntryState.DONE, repeat_of=original),
            )
        self.commit(changes)
        return self.repeat_report(entry.entry_id, original)

    # --- the normal path ---------------------------------------------------------------------------------------------

    def _weave(self, entry: InteractionEntry, drafts: Sequence[Draft]) -> AbsorbReport:
        siblings = self.weaver.siblings(drafts)
        judgements: list[Judgement] = []
        for attempt in range(_ATTEMPTS):
            with self.lock:
                version = self.state.version
                fresh = [self.weaver.candidates(draft) for draft in drafts]
                if attempt == _ATTEMPTS - 1:
                    judgements = self.judge(entry, drafts, fresh, siblings)
                    return self._commit_nodes(entry, judgements)
            judgements = self.judge(entry, drafts, fresh, siblings)
            with self.lock:
                if self.state.version == version or not self._appeared(drafts, judgements):
                    return self._commit_nodes(entry, judgements)
        raise AssertionError("the last attempt returns")

    def judge(
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
        settled = self._settled(entry)
        if settled is not None:
            return settled
        changes = self.state.changes()
        node_ids = self.commit_woven(entry, judgements, changes)
        found = tuple(record for record in changes.of("conflict") if isinstance(record, Conflict))
        return AbsorbReport(entry_ids=(entry.entry_id,), node_ids=node_ids, conflicts=found)

    def commit_woven(
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
