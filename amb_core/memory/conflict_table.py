"""The conflicts of a bank, found by id, by node, and by whether they still have to be verified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from amb_core.models import Conflict, ConflictStatus

__all__ = ["ConflictTable"]

_UNSETTLED = (ConflictStatus.OPEN, ConflictStatus.VERIFYING)


class ConflictTable(Mapping[str, Conflict]):
    """Conflicts by id, in the order they were recorded."""

    def __init__(self) -> None:
        self._conflicts: dict[str, Conflict] = {}
        self._of_node: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._unsettled: dict[str, None] = {}

    def __getitem__(self, conflict_id: str) -> Conflict:
        return self._conflicts[conflict_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._conflicts)

    def __len__(self) -> int:
        return len(self._conflicts)

    def put(self, conflict: Conflict) -> None:
        """Insert or replace a conflict, which keeps its place."""
        self._forget_sides(conflict.id)
        self._conflicts[conflict.id] = conflict
        for node_id in conflict.node_ids:
            self._of_node[node_id][conflict.id] = None
        if conflict.status in _UNSETTLED:
            self._unsettled[conflict.id] = None
        else:
            self._unsettled.pop(conflict.id, None)

    def remove(self, conflict_id: str) -> None:
        """Remove a conflict; a missing one is no error."""
        self._forget_sides(conflict_id)
        self._conflicts.pop(conflict_id, None)
        self._unsettled.pop(conflict_id, None)

    def _forget_sides(self, conflict_id: str) -> None:
        known = self._conflicts.get(conflict_id)
        for node_id in known.node_ids if known is not None else ():
            self._of_node[node_id].pop(conflict_id, None)
            if not self._of_node[node_id]:
                del self._of_node[node_id]

    def of_node(self, node_id: str) -> list[Conflict]:
        """The conflicts a node is a side of, settled ones included, oldest first."""
        return [self._conflicts[conflict_id] for conflict_id in self._of_node.get(node_id, ())]

    def unsettled(self) -> list[Conflict]:
        """Conflicts that still have to be verified, oldest first."""
        return [self._conflicts[conflict_id] for conflict_id in sorted(self._unsettled, key=lambda c: int(c[1:]))]
