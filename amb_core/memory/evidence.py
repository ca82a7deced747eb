"""Nodes as others see them: for the agents (views), for the renderer (items), and as raw entries (deep retrieval)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from amb_core.agent_io import NodeView, Passage
from amb_core.memory.newer_states import state_of
from amb_core.memory.proof import states
from amb_core.memory.prose import passages_in
from amb_core.memory.state import BankState
from amb_core.memory.witnesses import Side, Witnesses, shown_document
from amb_core.models import Attachment, AttachmentContent, Conflict, Frozen, InteractionEntry, QueryNode, Span
from amb_core.protocols import Hit
from amb_core.reading import identify_source
from amb_core.rendering import MemoryItem
from amb_core.rendering.memory_items import Claim, Dispute, State
from amb_core.rendering.pieces import dialogue_heading

__all__ = ["EntryView", "Evidence"]

_HEAD = 1_500
"""Characters of an entry in which the line above a dialogue and its first turns are looked for."""


class EntryView(Frozen):
    """One raw entry behind a node, with its attachments opened."""

    entry_id: str
    text: str
    timestamp: float
    metadata: dict[str, Any]
    attachments: tuple[AttachmentContent, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Reads nodes of one state; `open_attachment` reads a file from the bank's own folder."""

    state: BankState
    open_attachment: Callable[[Attachment], AttachmentContent]
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
            found.extend(passages_in(entry, tree.prose(span.entry_id), [(span.start, span.end)]))
        return tuple(found)

    def views(self, node_ids: Iterable[str]) -> tuple[NodeView, ...]:
        """The views of several nodes."""
        return tuple(self.view(self.state.graph.node(node_id)) for node_id in node_ids)

    def source(self, node: QueryNode) -> str:
        """Where a node's text came from, sources joined by '; '; one that was refuted supports nothing."""
        refuted = {span.entry_id for span in node.refuted}
        entries = [entry for entry in self.state.tree.of_spans(node.sources) if entry.entry_id not in refuted]
        names = (str(entry.metadata.get("source") or "") for entry in entries)
        return "; ".join(dict.fromkeys(name for name in names if name))

    def state_of(self, node_id: str) -> State | None:
        """How a node stands to other states of what it shows; None where there is no other."""
        return state_of(self.state, self.state.graph.node(node_id))

    def item(self, hit: Hit) -> MemoryItem:
        """A hit for the renderer."""
        node = self.state.graph.node(hit.id)
        return MemoryItem(
            node=node,
            hit=hit,
            passages=self.state.graph.passages(node),
            disputes=tuple(self._dispute(node.id, conflict) for conflict in self.state.disputes(node.id)),
            refuted=tuple(dict.fromkeys(self._refuted(node))),
            source=self.source(node),
            heading=self._heading(node),
            state=state_of(self.state, node),
        )

    def _dispute(self, node_id: str, conflict: Conflict) -> Dispute:
        """What one side of a conflict has to be told of the other."""
        others = tuple(other for other in self.state.living(conflict.node_ids) if other != node_id)
        if len(conflict.values) != 2 or len(conflict.node_ids) != 2:
            return Dispute(others)
        tally = self.witnesses.tally(conflict)
        sides = tally.sides if tally else (Side(conflict.values[0]), Side(conflict.values[1]))
        first, second = (Claim(s.value, next(iter(s.documents), ""), s.witnesses) for s in sides)
        return Dispute(others, first, second) if conflict.node_ids[0] == node_id else Dispute(others, second, first)

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

    def _heading(self, node: QueryNode) -> str:
        """The line above the dialogue that a node is a part of, such as the date of the session."""
        if not node.sources:
            return ""
        entry = self.state.tree.entries.get(node.sources[0].entry_id)
        return "" if entry is None else dialogue_heading(entry.text[:_HEAD])

    def entry_view(self, entry: InteractionEntry) -> EntryView:
        """A raw entry with its attachments opened."""
        return EntryView(
            entry_id=entry.entry_id,
            text=entry.text,
            timestamp=entry.timestamp,
            metadata=dict(entry.metadata),
            attachments=tuple(self.open_attachment(attachment) for attachment in entry.attachments),
        )
