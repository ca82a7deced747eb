"""Deletion down to the bytes: what is left to do once records are deleted, also after a process died half-way."""

from __future__ import annotations

import logging

from amb_core.errors import StoreError
from amb_core.protocols import Embedder, Record, RecordStore, Scrubbing
from amb_core.text import forget_texts

__all__ = ["erase_files", "finish_erasure", "mark_erasure"]

_log = logging.getLogger("amb.longterm")
_STATE, _MARK = "memory-state", "erasing"


def mark_erasure(store: RecordStore) -> None:
    """Note, in the transaction that deletes, that files and caches may still hold what was deleted."""
    store.put([Record(_STATE, _MARK, {})])


def erase_files(store: RecordStore, *, embedder: Embedder | None = None, vacuum: bool = True) -> None:
    """Take what was deleted out of the caches of this process and the files of the store; StoreError if it cannot."""
    forget_texts()
    if (forget := getattr(embedder, "forget", None)) is not None:
        forget()
    if isinstance(store, Scrubbing):
        store.scrub(vacuum=vacuum)
    store.delete(_STATE, [_MARK])


def finish_erasure(store: RecordStore) -> None:
    """Go on where an earlier process died between deleting and erasing."""
    if store.get(_STATE, _MARK) is None:
        return
    try:
        erase_files(store)
    except StoreError as error:
        _log.warning("what was deleted may still be in the files of the store: %s", error)
