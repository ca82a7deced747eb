"""Deletion down to the bytes: what is left to do once records are deleted, also after a process died half-way."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordStore, Scrubbing
from amb_core.text import forget_texts

__all__ = ["Eraser"]

_log = logging.getLogger("amb.stores")


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erases what was deleted from a store; `marks` is the namespace that says what is not erased yet."""

    store: RecordStore
    marks: str

    def begin(self, what: str) -> None:
        """Note, before or with a deletion, that files and caches may hold it: the next opening goes on with that."""
        self.store.put([Record(self.marks, what, {})])

    def finish(self, *what: str, vacuum: bool = True) -> None:
        """Take what was deleted out of the caches of this process and the files of the store; StoreError if not."""
        forget_texts()
        self._scrub(what, vacuum=vacuum)

    def finish_if_possible(self, *what: str) -> None:
        """Scrub the files for what is over, or a process that died has left; what stays waits for the next opening."""
        try:
            self._scrub(what, vacuum=True)
        except StoreError as error:
            _log.warning("what was deleted may still be in the files of the store: %s", error)

    def _scrub(self, what: Sequence[str], *, vacuum: bool) -> None:
        if isinstance(self.store, Scrubbing):
            self.store.scrub(vacuum=vacuum)
        self.store.delete(self.marks, what)
