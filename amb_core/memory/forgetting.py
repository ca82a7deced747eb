"""The user's one way to delete: an entry and everything derived from it is gone or made anew without it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from amb_core.agent_io import StructureRequest
from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.changes import ChangeSet
from amb_core.memory.digestion import embedding_of
from amb_core.memory.state import BankState
from amb_core.models import InteractionEntry, MergeEvent, QueryNode
from amb_core.protocols import Embedder
from amb_core.text import index_tokens, keywords, sentences

__all__ = ["Forgetter"]

_TELLING = 3
"""A sentence with fewer content words ("Yes, it is.") says nothing that would have to be hunted down elsewhere."""


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Builds the change set that forgets an entry; makes no change itself."""

    state: BankState
    calls: AgentCalls
    embedder: Embedder | None

    def forget(self, entry_id: str, changes: ChangeSet) -> None:
        """Leave a tombstone; drop or remake nodes, archive, conflicts, merges, injections and done tasks."""
        entry = self.state.tree.entries[entry_id]
        repeats = [e for e in self.state.tree.entries.values() if e.parent_id == entry_id and e.text]
        gone = {entry_id, *(repeat.entry_id for repeat in repeats)}
        lost = {sentence.strip() for sentence in sentences(entry.text) if len(index_tokens(sentence)) >= _TELLING}
        for forgotten in (entry, *repeats):
            changes.put(
                InteractionEntry(entry_id=forgotten.entry_id, text="", timestamp=forgotten.timestamp, forgotten=True)
            )
            digestion = self.state.tree.digestions[forgotten.entry_id]
            changes.put(digestion.model_copy(update={"node_ids": (), "error": None}))
        touched = self._forget_nodes(gone, lost, changes)
        self._forget_archive(gone, touched, changes)
        self._forget_conflicts(touched, changes)
        self._forget_injections(touched, lost, changes)
        self._forget_tasks(lost, changes)

    def _forget_nodes(self, gone: set[str], lost: set[str], changes: ChangeSet) -> set[str]:
        """Remove nodes that stood on the entry alone, remake those that stand on others too; returns both."""
        touched: set[str] = set()
        for node in list(self.state.graph):
            rest = tuple(span for span in node.sources if span.entry_id not in gone)
            if len(rest) == len(node.sources):
                own = "\n".join(text for _, text in self.state.graph.passages(node))
                borrowed = {sentence for sentence in lost if sentence not in own}
                if _says_any(f"{node.summary}\n{node.context}", borrowed):
                    touched.add(node.id)
                    changes.put(self._remade(node))
                continue
            touched.add(node.id)
            if rest:
                refuted = tuple(span for span in node.refuted if span.entry_id not in gone)
                changes.put(self._remade(node.model_copy(update={"sources": rest, "refuted": refuted})))
            else:
                changes.delete("node", [node.id])
                changes.delete("link", [f"{a}-{b}" for a, b in (x.key for x in self.state.graph.links_of(node.id))])
        return touched

    def _remade(self, node: QueryNode) -> QueryNode:
        """The node with summary, topic, keywords and embedding made from what it still stands on."""
        content = "\n".join(text for _, text in self.state.graph.passages(node))
        words = keywords(content)
        summary = self.calls.structure(StructureRequest(content=content, keywords=words)).summary
        topic = next(iter(sentences(summary)), "")
        fresh = node.model_copy(update={"summary": summary, "context": topic, "keywords": words, "links": ()})
        [vector] = embedding_of(self.embedder, [fresh.indexed_text])
        return fresh.model_copy(update={"embedding": vector})

    def _forget_archive(self, gone: set[str], touched: set[str], changes: ChangeSet) -> None:
        """Drop archived nodes that stood on the entry; their merge can no longer be undone."""
        events: set[str] = set()
        for node_id, kept in self.state.archive.items():
            if any(span.entry_id in gone for span in kept.node.sources):
                events.add(kept.event_id)
                touched.add(node_id)
        for event in self.state.merges.values():
            if event.event_id in events or event.new_node_id in touched:
                self._forget_merge(event, changes)

    def _forget_merge(self, event: MergeEvent, changes: ChangeSet) -> None:
        changes.delete("archive", event.merged_node_ids)
        changes.delete("merge", [event.event_id])

    def _forget_conflicts(self, touched: set[str], changes: ChangeSet) -> None:
        for conflict in self.state.conflicts.values():
            if touched & set(conflict.node_ids):
                changes.delete("conflict", [conflict.id])

    def _forget_injections(self, touched: set[str], lost: Iterable[str], changes: ChangeSet) -> None:
        for injection in self.state.injections.values():
            shown = {receipt.node_id for receipt in injection.receipts}
            if shown & touched or _says_any(injection.block, lost):
                changes.put(injection.model_copy(update={"block": ""}))

    def _forget_tasks(self, lost: Iterable[str], changes: ChangeSet) -> None:
        insight = self.state.insight
        kept = tuple(
            task.model_copy(update={"context": ""}) if _says_any(task.context, lost) else task
            for task in insight.completed_tasks
        )
        if kept != insight.completed_tasks:
            changes.put(insight.model_copy(update={"completed_tasks": kept}))


def _says_any(text: str, lost: Iterable[str]) -> bool:
    return any(sentence in text for sentence in lost)
