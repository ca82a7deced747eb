"""What a bank worked out from its records, kept in a file beside its store so that opening it again is quick.

The file is never trusted further than the records it was made from: it holds a checksum of every one of them. All
equal: it is taken as it is. Some differ, as after a killed process: those are indexed anew. Anything else (no file, a
torn one, another version of the text processing): the index is made from the records, as if there were no file.
"""

from __future__ import annotations

from pathlib import Path

from amb_core.memory.bank_state import BankState
from amb_core.memory.change_set import KINDS, ChangeSet
from amb_core.memory.journal import RowStore, StoredRows
from amb_core.retrieval.kept_index import Kept, KeptIndex

__all__ = ["BankIndex"]

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
        return StoredRows(self._store)

    def write(self, state: BankState) -> None:
        """Write the file, unless the bank is too small for it to matter (hold the lock, no transaction open)."""
        if len(state.graph) < self._least:
            self.drop()
            return
        self.file.write({}, lambda: {**state.graph.packed(), **state.tree.packed(), "rows": dict(self.rows().sums())})
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
        raw = {kind: rows.raw[kind] for kind in _LAZY}
        if stored is None:
            rest = rows.parsed(kind for kind in KINDS if kind not in _LAZY)
        else:
            before, now = kept.parts["rows"], rows.sums()
            new = {kind: {name for name, crc in now[kind].items() if before[kind].get(name) != crc} for kind in _LAZY}
            if new["entry"] & before["entry"].keys() or _gone(before, now, "entry") or _gone(before, now, "digestion"):
                return False  # entries were forgotten or replaced: it does not come from there by taking things in
            rest = ChangeSet(last=dict(stored.last))
            for kind in ("node", "link"):
                rest.delete(kind, _gone(before, now, kind))
            for (kind, name), record in stored.puts.items():
                if kind not in new or name in new[kind]:
                    rest.put(record)
            raw = {kind: {n: data for n, data in held.items() if n not in new[kind]} for kind, held in raw.items()}
        nodes = rows.raw["node"]  # a link ends with either of its nodes, but its record may outlive them
        raw["link"] = {name: data for name, data in raw["link"].items() if all(end in nodes for end in name.split("-"))}
        self._written_at = len(kept.parts["graph"]["places"])
        state.restore(kept.parts, raw, rest)
        return True


def _gone(before: dict[str, dict[str, int]], now: dict[str, dict[str, int]], kind: str) -> list[str]:
    """The ids of a kind that are no longer there."""
    return sorted(before[kind].keys() - now[kind].keys())
