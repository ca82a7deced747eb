"""How each conflict ended, read off the merge that settled it: which value was kept, and on what evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from amb_core.models import BankSnapshot, Conflict, InteractionEntry, MergeEvent, QueryNode, Span
from amb_core.text import value_signature

__all__ = ["conflict_outcomes"]


def conflict_outcomes(snapshot: BankSnapshot) -> dict[str, dict[str, object]]:
    """For each settled conflict `event` (merge id), `kept` (index into its values, or None) and `evidence` spans.

    A value counts as kept only when the merged node states it and states no other: nothing is guessed.
    """
    nodes = {node.id: node for node in (*(kept.node for kept in snapshot.archive), *snapshot.nodes)}
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    conflicts = {conflict.id: conflict for conflict in snapshot.conflicts}
    return {
        conflict_id: {
            "event": event.event_id,
            "kept": _kept_value(conflicts[conflict_id], nodes.get(event.new_node_id)),
            "evidence": [span.model_dump() for span in _evidence(event, nodes, entries)],
        }
        for event, conflict_id in _settled(snapshot.merges)
        if conflict_id in conflicts
    }


def _settled(merges: Iterable[MergeEvent]) -> Iterator[tuple[MergeEvent, str]]:
    return ((event, conflict_id) for event in merges if not event.undone for conflict_id in event.conflict_ids)


def _kept_value(conflict: Conflict, merged: QueryNode | None) -> int | None:
    if merged is None or len(conflict.values) < 2:
        return None
    stated = [index for index, value in enumerate(conflict.values) if _states(merged.summary, value)]
    return stated[0] if len(stated) == 1 else None


def _states(text: str, value: str) -> bool:
    """Whether the text contains the value, as written or in another notation of the same numbers and dates."""
    wanted = value.strip()
    if not wanted:
        return False
    verbatim = rf"(?<![A-Za-z0-9])(?<!\d[.,]){re.escape(wanted)}(?![A-Za-z0-9]|[.,]\d)"
    if re.search(verbatim, text, re.IGNORECASE):
        return True
    figures = value_signature(wanted)
    return bool(figures) and figures <= value_signature(text)


def _evidence(event: MergeEvent, nodes: dict[str, QueryNode], entries: dict[str, InteractionEntry]) -> tuple[Span, ...]:
    """What the merged node quotes from verifications; failing that, from entries the old nodes did not have."""
    merged = nodes.get(event.new_node_id)
    if merged is None:
        return ()
    known = {span.entry_id for old in event.merged_node_ids if old in nodes for span in nodes[old].sources}
    verified = tuple(span for span in merged.sources if _is_verification(entries.get(span.entry_id)))
    return verified or tuple(span for span in merged.sources if span.entry_id not in known)


def _is_verification(entry: InteractionEntry | None) -> bool:
    return entry is not None and entry.metadata.get("kind") == "verification"
