"""Deletion down to the bytes: what remains to be done once records are gone, also after a process died half-way."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from amb_core.errors import StoreError
from amb_core.memory.files import BankFiles
from amb_core.memory.state import BankState
from amb_core.models import Attachment
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_core.text import forget_texts

__all__ = ["Eraser"]

_log = logging.getLogger("amb.bank")
_MARK = "task/erasing"
"""Where a record stands from before something is forgotten until no file of the store holds it any more."""


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erases what one bank has forgotten (hold its lock)."""

    store: RecordStore
    files: BankFiles
    state: BankState

    def begin(self, what: str) -> None:
        """Note that something (an entry, or `-` for all) is about to be forgotten: the next opening goes on with it."""
        self.store.put([Record(_MARK, what, {})])

    def finish(self, what: str, attachments: Iterable[Attachment] = ()) -> None:
        """Delete the files of attachments, and make sure that no file and no cache in memory holds what was deleted."""
        self.state.graph.forget_removed()
        forget_texts()
        self.files.remove(attachments)
        self._erase([what])

    def finish_if_possible(self, *what: str) -> None:
        """Erase for a task that is whole or over either way; what is left is tried again by the next opening."""
        try:
            self._erase(what)
        except StoreError as error:
            _log.warning("what was deleted may still be in the files of the store: %s", error)

    def resume(self) -> None:
        """Go on where an earlier process died: delete files that nobody holds, and erase what was forgotten."""
        marks = [record.id for record in self.store.search(RecordQuery(_MARK))]
        self.files.sweep(self.state.insight.doc_id, held=self._held, everywhere=bool(marks))
        if marks:
            self.finish_if_possible(*marks)

    def _erase(self, marks: Sequence[str]) -> None:
        scrub = getattr(self.store, "scrub", None)
        if scrub is not None:
            scrub()
        self.store.delete(_MARK, marks)

    def _held(self) -> Iterator[Attachment]:
        yield from self.state.waiting.values()
        for entry in self.state.tree.entries.values():
            yield from entry.attachments
