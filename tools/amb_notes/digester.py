"""How a raw entry that is journalled becomes notes: drafted and compared without the lock, committed in one go."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agent_io import NodeView
from amb_core.call_lock import RunningCall
from amb_core.errors import AmbError, StoreError
from amb_core.memory.events import AbsorbReport
from amb_core.memory.undigested import Undigested
from amb_core.memory.writer import Writer
from amb_core.models import (
    Conflict,
    Digestion,
    EntryState,
    InteractionEntry,
)
from amb_core.tracing import traced
from amb_core.usage import Bill, Ledger, accounting
from amb_notes.drafts import Draft, Drafter, Judgement, Weaver
from amb_notes.settler import Settler

__all__ = ["Digester"]

_log = logging.getLogger("amb.bank")


@dataclass(slots=True)
class Digester:
    """Makes notes of raw entries; the lock of the bank is never held during an agent call but in the last attempt."""

    writer: Writer
    drafter: Drafter
    settler: Settler
    undigested: Undigested
    weaver: Weaver

    def repeat(self, entry: InteractionEntry, original: str) -> AbsorbReport:
        """What became of an entry that says an earlier one again, which may be evidence now (hold no lock)."""
        known = self.writer.state.tree.entries.get(original)
        verified = None if known is None else self._verify_again(known)
        if verified is None:
            return self.undigested.repeat_report(entry.entry_id, original)
        return verified.model_copy(update={"entry_ids": (entry.entry_id,)})

    def _verify_again(self, entry: InteractionEntry) -> AbsorbReport | None:
        """Try an entry that is in memory already as evidence for the pending cross-validation (hold no lock)."""
        if not self.writer.verifies:
            return None
        with self.writer.lock:
            if self.settler.being_verified(entry) is None:
                return None
        drafts = self.drafter.drafts(entry, task_goal=self.writer.state.insight.task_goal, locally=True)
        return self._verify(entry, drafts)

    def _verify(self, entry: InteractionEntry, drafts: Sequence[Draft]) -> AbsorbReport | None:
        """Try to settle the conflict that the pending step verifies; None when this entry does not."""
        with self.writer.lock:
            conflict = self.settler.being_verified(entry)
        return None if conflict is None else self.settler.verify(entry, drafts, conflict)

    def digest(self, entry: InteractionEntry) -> AbsorbReport:
        """Make nodes of a recorded entry; on failure it is marked failed and the error goes on (hold no lock).

        It stays raw where a worker digests for this bank, or while another process is at it.
        """
        if not self.writer.journal.digests_here:
            self.undigested.at_work.pop(entry.entry_id, None)
            return self._left_to_others(entry)
        with traced("digest", entry_id=entry.entry_id, chars=len(entry.text)) as span, accounting(Ledger()) as ledger:
            try:
                report = self._digest(entry)
            finally:
                self._bill(entry, ledger)
            span.update(nodes=len(report.node_ids), conflicts=len(report.conflicts), resolved=len(report.resolved))
        return report.model_copy(update={"usage": ledger.total})

    def _bill(self, entry: InteractionEntry, ledger: Ledger) -> None:
        """Write down what taking in the entry has cost, with what was spent on it before (hold no lock)."""
        spent = ledger.by_purpose
        if not spent:
            return
        with self.writer.lock:
            before = self.writer.state.bills.get(entry.entry_id)
            bill = Ledger(before.spent if before else None)
            bill.add_all(spent)
            changes = self.writer.state.changes()
            changes.put(Bill(entry_id=entry.entry_id, spent=bill.by_purpose))
            try:
                self.writer.commit(changes)
            except StoreError as error:  # the facts are safe; the figures are still in the bank's ledger
                _log.warning("the bill for %s was not kept (%s)", entry.entry_id, type(error).__name__)

    def _digest(self, entry: InteractionEntry) -> AbsorbReport:
        try:
            with self.writer.lock:
                self.undigested.at_work[entry.entry_id] = RunningCall()
                known = self.writer.state.tree.entries.get(entry.entry_id)
                forgotten = known is None or known.forgotten or known.text != entry.text  # or never committed
                ours = not forgotten and self._is_ours(entry)
                original = self._repeated(entry) if ours else None
            if not ours or original is not None:
                self.undigested.at_work.pop(entry.entry_id, None)
            if forgotten:
                return AbsorbReport(entry_ids=(entry.entry_id,))
            if not ours:
                return self._left_to_others(entry)
            if original is not None:
                return self.repeat(entry, original)
            drafts = self.drafter.drafts(entry, task_goal=self.writer.state.insight.task_goal)
            report = (self.writer.verifies and self._verify(entry, drafts)) or self._weave(entry, drafts)
            if self.writer.verifies and not report.resolved:
                report = self.settler.settle_late(entry, drafts, report)
        except Exception as error:
            if self._fail(entry, error) and not isinstance(error, AmbError):
                self.undigested.at_work[entry.entry_id] = None  # it may have been a time limit: it is tried once more
            else:
                self.undigested.at_work.pop(entry.entry_id, None)
            raise
        self.undigested.at_work.pop(entry.entry_id, None)
        return report

    def _is_ours(self, entry: InteractionEntry) -> bool:
        """Whether nobody else has digested an entry, or is at it (hold the lock)."""
        done = self.writer.state.tree.digestions[entry.entry_id].state is EntryState.DONE
        if done and self.writer.journal.shared is not None:
            self.writer.journal.shared.queue([], [entry.entry_id], claimed=False)
        return not done and self.writer.journal.claim(entry.entry_id)

    def _left_to_others(self, entry: InteractionEntry) -> AbsorbReport:
        state = self.writer.state
        pending = state.tree.digestions[entry.entry_id].state is not EntryState.DONE
        return AbsorbReport(entry_ids=(entry.entry_id,), node_ids=state.nodes_of_entry(entry.entry_id), pending=pending)

    def _repeated(self, entry: InteractionEntry) -> str | None:
        """The entry that says this undigested one by now, which is then written down as its repeat (hold the lock).

        So a text that came twice at the same time, or again after its digesting failed, is digested once.
        """
        tree = self.writer.state.tree
        if entry.attachments or tree.digestions[entry.entry_id].state is EntryState.DONE:
            return None
        original = tree.repeats.original_of(entry)
        if original is not None:
            changes = self.writer.state.changes()
            repeats = [d.entry_id for d in tree.digestions.values() if d.repeat_of == entry.entry_id]
            for repeat in (entry.entry_id, *repeats):
                changes.put(
                    tree.entries[repeat].model_copy(update={"parent_id": original}),
                    Digestion(entry_id=repeat, state=EntryState.DONE, repeat_of=original),
                )
            self.writer.commit(changes)
        return original

    # --- the normal path ---------------------------------------------------------------------------------------------

    def _weave(self, entry: InteractionEntry, drafts: Sequence[Draft]) -> AbsorbReport:
        weaver = self.weaver
        siblings = weaver.siblings(drafts)

        def ask(fresh: Sequence[Sequence[NodeView]]) -> Sequence[Judgement]:
            return self.weaver.judge(entry, drafts, fresh, siblings)

        report = self.writer.agree(
            lambda: [weaver.candidates(draft) for draft in drafts],
            ask,
            lambda _, judgements: self._commit_nodes(entry, judgements),
            still=lambda judgements: not self._appeared(drafts, judgements),
        )
        assert report is not None
        return report

    def _appeared(self, drafts: Sequence[Draft], judgements: Sequence[Judgement]) -> bool:
        """Whether a candidate turned up that was not judged, or one that was judged is gone."""
        for draft, judgement in zip(drafts, judgements, strict=True):
            now = {view.id for view in self.weaver.candidates(draft)}
            known = {name for name in judgement.judged if name.startswith("n")}
            if not now <= known or any(name not in self.writer.state.graph for name in known):
                return True
        return False

    def _commit_nodes(self, entry: InteractionEntry, judgements: Sequence[Judgement]) -> AbsorbReport:
        if self.writer.state.tree.digestions[entry.entry_id].state is EntryState.DONE:
            return self._left_to_others(entry)  # meanwhile, by a process to which the entry had passed
        original = self._repeated(entry)
        if original is not None:
            return self.undigested.repeat_report(entry.entry_id, original)
        changes = self.writer.state.changes()
        node_ids = self.weaver.commit_woven(self.writer, entry, judgements, changes)
        found = tuple(changes.records(Conflict))
        return AbsorbReport(entry_ids=(entry.entry_id,), node_ids=node_ids, conflicts=found)

    def _fail(self, entry: InteractionEntry, error: Exception) -> bool:
        """Mark the entry as failed; when the store is the trouble it stays raw. Either way resume tries again.

        Returns whether it was the first failure.
        """
        if isinstance(error, StoreError):
            return False
        with self.writer.lock:
            known = self.writer.state.tree.digestions.get(entry.entry_id)
            if known is None or known.state is EntryState.DONE:  # it was stopped on the way back, or is forgotten
                return False
            first = known.state is EntryState.RAW
            changes = self.writer.state.changes()
            changes.put(Digestion(entry_id=entry.entry_id, state=EntryState.FAILED, error=type(error).__name__))
            self.writer.commit(changes)
            return first
