"""What a bank worked out from its records, kept in a file beside its store so that opening it again is quick.

The file is never trusted further than the records it was made from: it holds a checksum of every one of them. All
equal: it is taken as it is. Some differ, as after a killed process: those are indexed anew. Anything else (no file, a
torn one, another version of the text processing): the index is made from the records, as if there were no file.
"""

from __future__ import annotations

import logging
from pathlib import Path

from amb_core.memory.bank_state import BankState
from amb_core.memory.change_set import KINDS, ChangeSet
from amb_core.memory.journal import RowStore, StoredRows
from amb_core.retrieval.kept_index import Kept, KeptIndex

__all__ = ["BankIndex"]

_log = logging.getLogger("amb.bank")
_GROWTH = 1.5
"""The file is written anew when there are this many times the nodes of the last time."""
_LAZY = ("entry", "digestion", "node", "link")
"""The kinds of which there are many; they are read from their rows when somebody looks at one."""


_HERE = Path(__file__).parent
_FILES = [_HERE / f"{name}.py" for name in ("query_graph", "interaction_tree", "repeats")]
"""The files of this package that have a part in what is kept."""


class BankIndex:
    """The file beside one store; `least` is the number of nodes from which on one is written."""

    def __init__(self, store: RowStore, *, least: int) -> None:
        self._store = store
        self._least = least
        self._written_at = 0
        self.file = KeptIndex(store.path.with_name(f"{store.path.name}.index"), *_FILES)

    def rows(self) -> StoredRows:
        """The records as they are in the store now."""
        return StoredRows.of(self._store)

    def write(self, state: BankState) -> None:
        """Write the file, unless the bank is too small for it to matter (hold the lock, no transaction open)."""
        if len(state.graph) < self._least:
            self.drop()
            return
        self.file.write({}, lambda: {**state.graph.packed(), **state.tree.packed(), **self.rows().packed()})
        self._written_at = len(state.graph)

    def grown(self, state: BankState) -> None:
        """Write the file when the bank has grown much since the last time."""
        if len(state.graph) >= max(self._least, _GROWTH * self._written_at):
            self.write(state)

    def drop(self) -> None:
        """Remove the file, with every word in it."""
        self._written_at = 0
        self.file.drop()

    def restore(self, kept: Kept, rows: StoredRows, stored: ChangeSet | None, state: BankState) -> bool:
        """Bring an empty state to where the records are; False when that takes making the index anew.

        `stored` are all records, found whole; None when the rows are those that were kept.
        """
        try:
            raw = {kind: rows.raw[kind] for kind in _LAZY}
            if stored is None:
                rest = rows.parsed(kind for kind in KINDS if kind not in _LAZY)
            else:
                changed = {kind: rows.changed(kept.parts, kind) for kind in _LAZY}
                if not _is_catching_up(changed, rows, kept):
                    return False
                rest = _rest(stored, changed)
                raw |= {kind: _without(raw[kind], changed[kind][0]) for kind in ("entry", "digestion")}
            self._written_at = len(kept.parts["nodes"]["ids"])
            state.restore(kept.parts, raw, rest)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            _log.warning("the kept index is of no use (%s); it is made anew", type(error).__name__)
            return False
        return True


def _is_catching_up(changed: dict[str, tuple[set[str], set[str]]], rows: StoredRows, kept: Kept) -> bool:
    """Whether a bank came from there to here by taking things in; when entries were forgotten or replaced it is not."""
    known = set(rows.ids(kept.parts, "entry"))
    return not (changed["entry"][0] & known or changed["entry"][1] or changed["digestion"][1])


def _rest(stored: ChangeSet, changed: dict[str, tuple[set[str], set[str]]]) -> ChangeSet:
    """The change from what was kept to what is stored."""
    rest = ChangeSet(last=dict(stored.last))
    for kind in ("node", "link"):
        rest.delete(kind, sorted(changed[kind][1]))
    for (kind, name), record in stored.puts.items():
        if kind not in changed or name in changed[kind][0]:
            rest.put(record)
    return rest


def _without(raw: dict[str, bytes], names: set[str]) -> dict[str, bytes]:
    return {name: data for name, data in raw.items() if name not in names}
