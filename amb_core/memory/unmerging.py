"""A merge taken back: nodes, links, neighbours and conflicts are as they were before it."""

from __future__ import annotations

from amb_core.errors import ConflictStateError
from amb_core.memory.changes import ChangeSet, id_number
from amb_core.memory.merging import remove_node
from amb_core.memory.state import BankState
from amb_core.models import EntryState, MergeEvent

__all__ = ["newcomers", "undo_merge"]


def undo_merge(state: BankState, event_id: str, changes: ChangeSet) -> None:
    """Put everything back as it was before a merge; ConflictStateError when it was undone or built upon."""
    event = state.merges[event_id]
    if event.undone or event.new_node_id not in state.graph:
        later = state.archive.get(event.new_node_id)
        hint = f"; undo {later.event_id} first" if later else ""
        raise ConflictStateError(f"merge {event_id} cannot be undone: its node is gone or it was undone{hint}")
    if any(n in state.archive and not state.archive[n].node.sources for n in event.merged_node_ids):
        raise ConflictStateError(f"merge {event_id} cannot be undone: what one of its nodes stood on was forgotten")
    remove_node(state.graph, event.new_node_id, changes)
    for before in event.neighbours_before:
        if before.id in state.graph:
            changes.put(before)
    alive = {*event.merged_node_ids, *(node.id for node in state.graph)}
    for kept in (state.archive[node_id] for node_id in event.merged_node_ids if node_id in state.archive):
        changes.put(kept.node)
        changes.put(*(link for link in kept.links if {link.a, link.b} <= alive))
    changes.delete("archive", event.merged_node_ids)
    _undo_conflicts(state, event, changes)
    _free_evidence(state, event, changes)
    changes.put(event.model_copy(update={"undone": True}))


def _free_evidence(state: BankState, event: MergeEvent, changes: ChangeSet) -> None:
    """Entries that only the merged node stood on are raw again: digested on resume, or when they are read again."""
    cited = {span.entry_id for node in state.graph if node.id != event.new_node_id for span in node.sources}
    cited |= {span.entry_id for n in event.merged_node_ids for span in state.archive[n].node.sources}
    for span in state.graph.node(event.new_node_id).sources:
        digestion = state.tree.digestions.get(span.entry_id)
        if digestion is not None and span.entry_id not in cited:
            changes.put(digestion.model_copy(update={"state": EntryState.RAW, "node_ids": ()}))


def _undo_conflicts(state: BankState, event: MergeEvent, changes: ChangeSet) -> None:
    """Conflicts the merge touched are as before; those found for the merged node since are gone."""
    before = {conflict.id: conflict for conflict in event.conflicts_before}
    for conflict in state.conflicts.values():
        if conflict.id in before:
            changes.put(before[conflict.id])
        elif event.new_node_id in conflict.node_ids:
            changes.delete("conflict", [conflict.id])


def newcomers(state: BankState, event: MergeEvent) -> list[str]:
    """Nodes that came after a merge and were joined to its node, by a link or a conflict: undoing parts them."""
    merged = event.new_node_id
    joined = {*state.graph.neighbour_ids(merged), *(n for c in state.disputes(merged) for n in c.node_ids)}
    younger = (n for n in joined if n in state.graph and id_number(n) > id_number(merged))
    return sorted(younger, key=id_number)
