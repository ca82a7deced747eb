"""What came in and has no notes yet: at work, left by a call that was stopped, or waiting until somebody asks."""

from __future__ import annotations

from dataclasses import dataclass, field

from amb_core.call_lock import RunningCall
from amb_core.memory.events import AbsorbReport
from amb_core.memory.ids import id_number
from amb_core.memory.writer import Writer
from amb_core.models import EntryState, InteractionEntry

__all__ = ["Undigested"]


@dataclass(slots=True)
class Undigested:
    """The entries of one bank that are to become notes."""

    writer: Writer
    at_work: dict[str, RunningCall | None] = field(default_factory=dict)
    """Entries that are being digested right now, and by which call; None for one that is over."""
    unasked: dict[str, None] = field(default_factory=dict)
    """Entries that wait for somebody to ask for their notes, oldest first."""

    def is_at_work(self, entry_id: str) -> bool:
        """Whether a call that still runs is digesting an entry."""
        call = self.at_work.get(entry_id)
        return call is not None and not call.ended

    def note_left(self) -> None:
        """Have what nobody digests, after a call was stopped, digested before it is asked for (hold the lock)."""
        tree = self.writer.state.tree
        for entry in tree.undigested():
            if tree.digestions[entry.entry_id].state is EntryState.RAW and entry.entry_id not in self.unasked:
                self.at_work.setdefault(entry.entry_id, None)

    def leave_all(self) -> None:
        """Let everything that is not digested wait for somebody to ask for its notes (hold no lock)."""
        with self.writer.lock:
            self.unasked.update(dict.fromkeys(entry.entry_id for entry in self.writer.state.tree.undigested()))

    def left(self) -> list[InteractionEntry]:
        """What a call that was stopped has left raw (hold no lock)."""
        if all(map(self.is_at_work, list(self.at_work))):
            return []
        with self.writer.lock.reading():
            tree = self.writer.state.tree
            ids = [entry_id for entry_id in list(self.at_work) if not self.is_at_work(entry_id)]
            raw = {entry.entry_id: entry for entry in tree.undigested()}
            for entry_id in ids:
                if entry_id not in raw:
                    self.at_work.pop(entry_id, None)
            return [raw[entry_id] for entry_id in sorted(raw.keys() & {*ids}, key=id_number)]

    def repeat_report(self, entry_id: str, original: str, *, counts: bool = True) -> AbsorbReport:
        """The report for an entry that says nothing new; the same call handed over twice `counts` as no repeat."""
        self.writer.step_repeats += counts
        return AbsorbReport(
            entry_ids=(entry_id,), node_ids=self.writer.state.nodes_of_entry(original), repeat_of=original
        )
