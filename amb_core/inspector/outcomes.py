"""How each conflict ended, read off the merge that settled it: which value was kept, and on what evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amb_core.memory.proof import states
from amb_core.models import BankSnapshot, Conflict, InteractionEntry, MergeEvent, QueryNode, Span

__all__ = ["conflict_outcomes"]


def conflict_outcomes(snapshot: BankSnapshot) -> dict[str, dict[str, object]]:
    """For each settled conflict `event` (merge id), `kept` (index into its values, or None) and `evidence` spans.

    A side counts as kept when the merged node states its value and no other, or when everything that was refuted
    stands in the other side's sources: nothing is guessed.
    """
    nodes = {node.id: node for node in (*(kept.node for kept in snapshot.archive), *snapshot.nodes)}
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    conflicts = {conflict.id: conflict for conflict in snapshot.conflicts}
    return {
        conflict_id: {
            "event": event.event_id,
            "kept": _kept_side(_as_merged(conflicts[conflict_id], event), nodes.get(event.new_node_id), nodes),
            "evidence": [span.model_dump() for span in _evidence(event, nodes, entries)],
        }
        for event, conflict_id in _settled(snapshot.merges)
        if conflict_id in conflicts
    }


def _settled(merges: Iterable[MergeEvent]) -> Iterator[tuple[MergeEvent, str]]:
    return ((event, conflict_id) for event in merges if not event.undone for conflict_id in event.conflict_ids)


def _as_merged(conflict: Conflict, event: MergeEvent) -> Conflict:
    """The conflict with the sides it had when the merge settled it."""
    return next((before for before in event.conflicts_before if before.id == conflict.id), conflict)


def _kept_side(conflict: Conflict, merged: QueryNode | None, nodes: dict[str, QueryNode]) -> int | None:
    if merged is None:
        return None
    stated = [index for index, value in enumerate(conflict.values) if states(merged.summary, value)]
    if len(conflict.values) > 1 and len(stated) == 1:
        return stated[0]
    sides = [nodes[node_id].sources if node_id in nodes else () for node_id in conflict.node_ids]
    standing = [index for index, sources in enumerate(sides) if not _any_within(merged.refuted, sources)]
    return standing[0] if len(sides) > 1 and len(standing) == 1 else None


def _any_within(spans: Iterable[Span], sources: Iterable[Span]) -> bool:
    known = tuple(sources)
    return any(
        span.entry_id == source.entry_id and source.start <= span.start and span.end <= source.end
        for span in spans
        for source in known
    )


def _evidence(event: MergeEvent, nodes: dict[str, QueryNode], entries: dict[str, InteractionEntry]) -> tuple[Span, ...]:
    """The places the merge names; of an older one what it quotes from verifications, or what no old node quoted."""
    if event.evidence:
        return event.evidence
    merged = nodes.get(event.new_node_id)
    if merged is None:
        return ()
    known = {_place(span) for old in event.merged_node_ids if old in nodes for span in nodes[old].sources}
    verified = tuple(span for span in merged.sources if _is_verification(entries.get(span.entry_id)))
    return verified or tuple(span for span in merged.sources if _place(span) not in known)


def _place(span: Span) -> tuple[str, int, int]:
    return span.entry_id, span.start, span.end


def _is_verification(entry: InteractionEntry | None) -> bool:
    return entry is not None and entry.metadata.get("kind") == "verification"
