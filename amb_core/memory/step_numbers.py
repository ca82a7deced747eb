"""Which step of the agent a raw entry is: results are numbered from 1 in the order in which they were taken in.

A number stays with its entry when others are forgotten, and it is the number in the entry's own id.
"""

from __future__ import annotations

from amb_core.memory.change_set import id_number
from amb_core.memory.interaction_tree import InteractionTree
from amb_core.models import InteractionEntry

__all__ = ["step_entry", "step_number"]


def step_number(entry_id: str) -> int:
    """The step that an entry is, from 1."""
    return id_number(entry_id)


def step_entry(tree: InteractionTree, number: int) -> InteractionEntry | None:
    """The entry of a step; None when there is none of that number or its text was forgotten."""
    entry = tree.entries.get(f"e{number}")
    return None if entry is None or entry.forgotten else entry
