"""Nodes as others see them: for the agents (views) and for the renderer (items)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from amb_agents.sources import identify_source, passages_in, prose_of
from amb_core.agent_io import NodeView, Passage
from amb_core.memory.bank_state import BankState
from amb_core.memory.entry_states import state_in
from amb_core.memory.entry_views import INSTEAD, EntryView, EntryViews, call_of
from amb_core.models import Conflict, QueryNode, Span
from amb_core.protocols import Hit
from amb_core.rendering import MemoryItem
from amb_core.rendering.memory_items import Claim, Dispute, State
from amb_notes.proof import states
from amb_notes.witnesses import Witnesses, shown_document

__all__ = ["INSTEAD", "EntryView", "EntryViews", "NodeViews", "call_of"]


@dataclass(frozen=True, slots=True)
class NodeViews:
    """Reads nodes of one state."""

    state: BankState
    witnesses: Witnesses

    def view(self, node: QueryNode) -> NodeView:
        """A node for an agent: no embedding, with the raw text it stands on."""
        passages = self.state.graph.passages(node)
        return NodeView(
            id=node.id,
            summary=node.summary,
            context=node.context,
            keywords=node.keywords,
            text="\n".join(text for _, text in passages),
            timestamp=node.timestamp,
            source=self.source(node),
            passages=self._prose(passages),
        )

    def _prose(self, passages: Iterable[tuple[Span, str]]) -> tuple[Passage, ...]:
        """The prose under some spans, document by document."""
        tree = self.state.tree
        found: list[Passage] = []
        for span, _ in passages:
            entry = tree.entries[span.entry_id]
            found.extend(passages_in(entry, prose_of(entry), [(span.start, span.end)]))
        return tuple(found)

    def views(self, node_ids: Iterable[str]) -> tuple[NodeView, ...]:
        """The views of several nodes."""
        return tuple(self.view(self.state.graph.bare(node_id)) for node_id in node_ids)

    def source(self, node: QueryNode) -> str:
        """Where a node's text came from, sources joined by '; '; one that was refuted supports nothing."""
        if len(node.sources) == 1 and not node.refuted:
            only = self.state.tree.entries.get(node.sources[0].entry_id)
            return "" if only is None else str(only.metadata.get("source") or "")
        refuted = {span.entry_id for span in node.refuted}
        entries = [entry for entry in self.state.tree.of_spans(node.sources) if entry.entry_id not in refuted]
        names = (str(entry.metadata.get("source") or "") for entry in entries)
        return "; ".join(dict.fromkeys(name for name in names if name))

    def state_of(self, node_id: str) -> State | None:
        """How a node stands to other states of what it shows; None where there is no other."""
        node = self.state.graph.bare(node_id)
        entry_ids = {span.entry_id for span in node.sources}
        entry = self.state.tree.entries.get(entry_ids.pop()) if len(entry_ids) == 1 else None
        places = [(span.start, span.end) for span in node.sources]
        state = None if entry is None else state_in(self.state.tree, entry, places)
        if entry is None or state is None or state.newer is None:
            return state
        return replace(state, newer=self._counterpart(node, entry.entry_id, state.newer))

    def _counterpart(self, node: QueryNode, entry_id: str, newer: str) -> str:
        """The node of the newer state that stands where this one stands in its own; "" when it has none yet."""
        mine = self.state.nodes_of_entry(entry_id)
        theirs = self.state.nodes_of_entry(self.state.tree.original(newer))
        place = mine.index(node.id) if node.id in mine else 0
        return theirs[min(place, len(theirs) - 1)] if theirs else ""

    def item(self, hit: Hit, *, state: State | None) -> MemoryItem:
        """What has to be said of a node; `state` is what `state_of` says of it."""
        node = self.state.graph.bare(hit.id)
        return MemoryItem(
            node=node,
            hit=hit,
            disputes=tuple(self._dispute(node.id, conflict) for conflict in self.state.disputes(node.id)),
            refuted=tuple(dict.fromkeys(self._refuted(node))),
            state=state,
        )

    def _dispute(self, node_id: str, conflict: Conflict) -> Dispute:
        """What one side of a conflict has to be told of the other."""
        others = tuple(other for other in self.state.living(conflict.node_ids) if other != node_id)
        if len(conflict.values) != 2 or len(conflict.node_ids) != 2:
            return Dispute(others)
        tally = self.witnesses.tally(conflict)
        first, second = tally.sides if tally else (Claim(conflict.values[0]), Claim(conflict.values[1]))
        mine, theirs = (first, second) if conflict.node_ids[0] == node_id else (second, first)
        is_so = not self.witnesses.missing_for(conflict)
        return Dispute(others, mine, theirs, conflict.id, conflict.opinion, opinion_counts=is_so)

    def _refuted(self, node: QueryNode) -> Iterator[Claim]:
        """What was refuted of a node's sources: the value, or else the sentence, and the document that said it."""
        events = self.state.merges.values() if node.refuted else ()
        mine = [e for e in events if not e.undone and self.state.living([e.new_node_id]) == (node.id,)]
        conflicts = [self.state.conflicts.get(name) for event in mine for name in event.conflict_ids]
        values = [value for conflict in conflicts if conflict for value in conflict.values]
        for span in node.refuted:
            entry = self.state.tree.entries.get(span.entry_id)
            text = self.state.tree.text_of(span)
            if entry is not None and text.strip():
                said = [value for value in values if states(text, value) and not states(node.summary, value)]
                yield Claim(said[0] if said else text, shown_document(identify_source(entry.metadata, entry.text)))
