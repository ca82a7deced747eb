"""Raw entries as others see them (deep retrieval): by a step, an entry's id, or the note they are behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from amb_core.attachments import Attachment, AttachmentContent
from amb_core.errors import UnknownId
from amb_core.memory.arguments import require_id
from amb_core.memory.bank_state import BankState
from amb_core.memory.interaction_tree import EDIT
from amb_core.memory.step_places import StepPlace, parse_step_place, step_entry, step_number
from amb_core.models import Frozen, InteractionEntry, QueryNode

__all__ = ["INSTEAD", "EntryView", "EntryViews", "call_of"]

INSTEAD = "instead_of"
"""In the metadata of a view, the entry of an older text of its call that was asked for and that its host took back."""


def call_of(metadata: Mapping[str, Any]) -> tuple[str, str]:
    """The tool an entry came from and what it was called with; for a text that was read, its source."""
    tool, arguments = str(metadata.get("tool") or ""), metadata.get("arguments")
    if tool and isinstance(arguments, dict) and arguments:
        return tool, " ".join(map(str, arguments.values()))
    source = str(metadata.get("source") or "")
    return (tool, "" if source == f"{tool}()" else source) if tool else (source, "")


class EntryView(Frozen):
    """One raw entry behind a node, with its attachments opened."""

    entry_id: str
    text: str
    timestamp: float
    metadata: dict[str, Any]
    attachments: tuple[AttachmentContent, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryViews:
    """Reads entries of one state; `open_attachment` reads a file from the bank's own folder."""

    state: BankState
    open_attachment: Callable[[Attachment], AttachmentContent]

    def entries_behind(self, node: QueryNode) -> list[EntryView]:
        """Every raw entry behind a node, oldest first."""
        return [self.entry_view(entry) for entry in self.state.tree.of_spans(node.sources)]

    def entries_of(self, shown: str) -> list[EntryView]:
        """Every raw entry of what is shown as a node's id, as a step, or as an entry's; UnknownId for anything else."""
        entry = self.state.tree.entries.get(shown) if isinstance(shown, str) else None
        if entry is not None and not entry.forgotten:
            return [self.entry_view(entry)]
        place = parse_step_place(shown) or self.withdrawn_step(shown)
        return self.entries_behind(self.node(shown)) if place is None else self.step_views(place.number)

    def withdrawn_step(self, node_id: str) -> StepPlace | None:
        """The step of which a note was, that is gone since the host took its text back; None for any other id."""
        tree = self.state.tree
        if not tree.edits or self.state.living([node_id]):
            return None
        made = (name for name in tree.edits if tree.is_withdrawn(name) and node_id in tree.digestions[name].node_ids)
        return next((StepPlace(step_number(name)) for name in made), None)

    def node(self, node_id: str) -> QueryNode:
        """The living node of an id, without its vector; UnknownId when there is none."""
        require_id("node", node_id)
        return self.state.graph.bare(self.state.resolve(node_id))

    def step_views(self, number: int) -> list[EntryView]:
        """The raw entry of a step and what the agent and the user said at it; UnknownId when there is neither."""
        tree = self.state.tree
        entry, said = step_entry(tree, number), tree.messages_at(number)
        found = [*([] if entry is None else [entry]), *(one for one in said if not tree.is_withdrawn(one.entry_id))]
        found = found or said[:1]
        if not found:
            newest = self.state.tree.newest_results(1)
            raise UnknownId("step", str(number), near=[f"step {step_number(one.entry_id)}" for one in newest])
        return [self.entry_view(one) for one in found]

    def entry_view(self, entry: InteractionEntry) -> EntryView:
        """A raw entry with its attachments opened; of one that its host took back, what stands in its place.

        Where nothing does, it has no text, and of one that was deleted nothing is told but its tool.
        """
        standing = self.state.tree.standing_for(entry)
        if standing is None:
            deleted = self.state.tree.edits[entry.entry_id] == "deleted"
            kept = ("kind", "tool", "speaker", EDIT) if deleted else entry.metadata
            metadata = {name: entry.metadata[name] for name in kept if name in entry.metadata}
            return EntryView(entry_id=entry.entry_id, text="", timestamp=entry.timestamp, metadata=metadata)
        if standing is not entry:
            entry = standing.model_copy(update={"metadata": {**standing.metadata, INSTEAD: entry.entry_id}})
        return EntryView(
            entry_id=entry.entry_id,
            text=entry.text,
            timestamp=entry.timestamp,
            metadata=dict(entry.metadata),
            attachments=tuple(self.open_attachment(attachment) for attachment in entry.attachments),
        )
