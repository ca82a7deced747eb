"""The passages of what stands: no question is answered from a text that its host has replaced or deleted since."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.passage_index import PassageIndex

__all__ = ["StandingPassages"]


class StandingPassages(PassageIndex):
    """A PassageIndex in which what the host took back has no passages, until it stands again."""

    def span(self, entry_id: str) -> range:
        """The passages of an entry; none of one that was taken back."""
        return range(0) if self._state.tree.is_withdrawn(entry_id) else super().span(entry_id)

    def older(self) -> NDArray[np.bool_]:
        """Which passages stand in newer entries, or no longer anywhere."""
        tree, marks = self._state.tree, super().older().copy()
        if not tree.edits:
            return marks
        gone = np.array([tree.is_withdrawn(entry_id) for entry_id in self._entries], dtype=bool)
        marks |= gone[self.owners()]
        return marks
