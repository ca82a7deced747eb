"""Conflicting nodes → one, by what a verification found; and a merge taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from amb_core.agent_io import (
    AnalysisAnswer,
    AnalysisRequest,
    IntegrationAnswer,
    NodeView,
    Relationship,
)
from amb_core.errors import ConflictStateError
from amb_core.memory.bank_state import BankState
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.ids import id_number
from amb_core.memory.query_graph import remove_node
from amb_core.models import ArchivedNode, Conflict, ConflictStatus, EntryState, Link, MergeEvent, QueryNode, Span
from amb_core.protocols import Embedder
from amb_notes.conflict_states import is_disputed, move, resolve
from amb_notes.drafts import Draft, embedding_of
from amb_notes.node_views import NodeViews
from amb_notes.proof import states

__all__ = ["MergeDraft", "Merger", "newcomers", "undo_merge"]

_TRACED = 3
"""How many of the dropped statements are looked for in other nodes."""


@dataclass(frozen=True, slots=True)
class MergeDraft:
    """A merge that still has to be rechecked: its changes, the merged node, and what the analysis is to be asked.

    `rivals` are the conflicts that the old nodes had with others, by the other node. `rest` is what else the entry
    says, with the nodes that it may meet.
    """

    changes: ChangeSet
    merged: QueryNode
    recheck: AnalysisRequest
    rivals: Mapping[str, Sequence[Conflict]]
    rest: Sequence[Draft] = ()
    candidates: Sequence[Sequence[NodeView]] = ()


@dataclass(frozen=True, slots=True)
class Merger:
    """Builds the change sets of merges; makes no change itself."""

    nodes: NodeViews
    embedder: Embedder | None
    candidates: int

    def draft(
        self,
        conflict: Conflict,
        answer: IntegrationAnswer,
        *,
        proof: Sequence[Span],
        evidence: Sequence[Span],
        timestamp: float,
    ) -> MergeDraft:
        """The merged node with its links, the archive, the event and every conflict it settles (hold the lock).

        `proof` are the passages of the verification that bear on the conflict: they become sources of the merged
        node. `evidence` are the sentences in them that decided.
        """
        state, changes = self.nodes.state, self.nodes.state.changes()
        old = [state.graph.bare(node_id) for node_id in state.living(conflict.node_ids)]
        old_ids = {node.id for node in old}
        event_id, new_id = changes.new_id("m"), changes.new_id("n")
        merged = self._merged_node(old, answer, proof, new_id, timestamp=timestamp)
        changes.put(merged)
        neighbours = self._inherit(old, old_ids, merged, changes)
        around = neighbours | self._around(answer, old_ids)
        self._mark_dependants(answer, conflict, around, changes)
        for node in old:
            links = tuple(state.graph.links_of(node.id))
            changes.put(ArchivedNode(node=node, links=links, event_id=event_id))
            remove_node(state.graph, node.id, changes)
        touched = [c for c in state.conflicts.values() if old_ids & set(state.living(c.node_ids))]
        changes.put(resolve(state.conflicts[conflict.id], answer.reason, at=timestamp))
        changes.put(
            MergeEvent(
                event_id=event_id,
                merged_node_ids=tuple(node.id for node in old),
                new_node_id=new_id,
                timestamp=timestamp,
                description=answer.merge_description,
                conflict_ids=(conflict.id,),
                evidence=tuple(evidence),
                conflicts_before=tuple(touched),
                neighbours_before=self._as_they_are(neighbours | around, changes),
            )
        )
        others = [c for c in touched if c.id != conflict.id and is_disputed(c)]
        rivals = self._rivals(merged, old_ids, others, changes, settled=conflict, timestamp=timestamp)
        asked = self._questioned(merged, old_ids, rivals)
        request = AnalysisRequest(new=self.nodes.view(merged), candidates=asked, task_goal=state.insight.task_goal)
        return MergeDraft(changes, merged, request, rivals)

    def _as_they_are(self, node_ids: set[str], changes: ChangeSet) -> tuple[QueryNode, ...]:
        """The nodes among these that `changes` changes or links, as they are now."""
        graph = self.nodes.state.graph
        changed = [n for n in sorted(node_ids, key=id_number) if ("node", n) in changes.puts]
        return tuple(graph.node(node_id) for node_id in changed)

    def _rivals(
        self,
        merged: QueryNode,
        old_ids: set[str],
        conflicts: Sequence[Conflict],
        changes: ChangeSet,
        *,
        settled: Conflict,
        timestamp: float,
    ) -> dict[str, list[Conflict]]:
        """The conflicts the old nodes still had with others; one that was given up moves to the merged node.

        What else the old nodes disagree in is not settled with this conflict: both stay.
        """
        state = self.nodes.state
        rivals: defaultdict[str, list[Conflict]] = defaultdict(list)
        for conflict in conflicts:
            other = next((n for n in state.living(conflict.node_ids) if n not in old_ids), None)
            if other is None and set(conflict.values) in (set(), set(settled.values)):
                changes.put(resolve(conflict, at=timestamp))
            elif other is None:
                changes.put(move(conflict, merged.id, merged.id))
            elif conflict.status is ConflictStatus.UNRESOLVED:
                changes.put(move(conflict, other, merged.id))
            else:
                rivals[other].append(conflict)
        return dict(rivals)

    def _questioned(self, merged: QueryNode, old_ids: set[str], rivals: Iterable[str]) -> tuple[NodeView, ...]:
        """The nodes the merged one, with the verification that is in it now, is compared with: rivals first."""
        text = f"{merged.context}\n{self.nodes.view(merged).text}"
        found = self.nodes.state.graph.index.candidates(text, k=self.candidates, exclude=old_ids)
        return self.nodes.views(dict.fromkeys([*rivals, *found]))

    def conclude(self, draft: MergeDraft, answer: AnalysisAnswer, *, timestamp: float) -> None:
        """Add to the draft's changes what the recheck found (hold the lock).

        A rival's conflict moves to the merged node where the contradiction is still there and ends where it is not.
        """
        wanted = {view.id for view in draft.recheck.candidates}
        rivals = {other: list(conflicts) for other, conflicts in draft.rivals.items()}
        for relation in answer.relationships:
            other = relation.existing_node
            if relation.relationship == "conflict" and other in wanted:
                known = rivals.get(other, [])
                self._still_open(draft, relation, known[0] if known else None, timestamp=timestamp)
                rivals[other] = known[1:]
            elif relation.relationship == "related" and other in wanted:
                draft.changes.put(Link(a=other, b=draft.merged.id, reason=relation.reasoning))
        for group in rivals.values():
            draft.changes.put(*(resolve(conflict, at=timestamp) for conflict in group))

    # --- parts of a merge --------------------------------------------------------------------------------------------

    def _merged_node(
        self,
        old: Sequence[QueryNode],
        answer: IntegrationAnswer,
        proof: Sequence[Span],
        new_id: str,
        *,
        timestamp: float,
    ) -> QueryNode:
        spans = [*(span for node in old for span in node.sources), *proof]
        node = QueryNode(
            id=new_id,
            summary=answer.summary,
            context=answer.context,
            keywords=answer.keywords,
            timestamp=timestamp,
            sources=tuple(dict.fromkeys(spans)),
            refuted=(*dict.fromkeys(r for n in old for r in n.refuted), *self._places(old, answer.dropped)),
        )
        [vector] = embedding_of(self.embedder, [node.indexed_text])
        return node.model_copy(update={"embedding": vector})

    def _places(self, old: Sequence[QueryNode], dropped: Sequence[str]) -> list[Span]:
        """Where dropped statements stand in the raw text of the old nodes."""
        places = []
        for span, text in (passage for node in old for passage in self.nodes.state.graph.passages(node)):
            for sentence in dropped:
                at = text.find(sentence.strip())
                if sentence.strip() and at >= 0:
                    start = span.start + at
                    places.append(Span(entry_id=span.entry_id, start=start, end=start + len(sentence.strip())))
        return places

    def _inherit(self, old: Sequence[QueryNode], old_ids: set[str], merged: QueryNode, changes: ChangeSet) -> set[str]:
        """Give the merged node every link of the old ones, once each; returns the neighbours."""
        graph = self.nodes.state.graph
        neighbours: set[str] = set()
        for node in old:
            for link in graph.links_of(node.id):
                other = link.other(node.id)
                if other not in old_ids and other not in neighbours:
                    neighbours.add(other)
                    changes.put(Link(a=other, b=merged.id, reason=link.reason))
        return neighbours

    def _around(self, answer: IntegrationAnswer, old_ids: set[str]) -> set[str]:
        """Other nodes that may repeat a dropped statement."""
        index = self.nodes.state.graph.index
        found = (index.candidates(text, k=self.candidates, exclude=old_ids) for text in answer.dropped[:_TRACED])
        return {node_id for near in found for node_id in near}

    def _mark_dependants(
        self, answer: IntegrationAnswer, conflict: Conflict, around: set[str], changes: ChangeSet
    ) -> None:
        """A node is stale when it repeats what is dropped now, and its own raw text does not say it."""
        given_up = [value for value in conflict.values if not states(answer.summary, value)]
        for node_id in sorted(around, key=id_number):
            pending = changes.puts.get(("node", node_id))
            node = pending if isinstance(pending, QueryNode) else self.nodes.state.graph.bare(node_id)
            told, raw = node.indexed_text, self._raw(node_id)
            repeats = any(text.strip() in told and text.strip() not in raw for text in answer.dropped if text.strip())
            if repeats or any(states(told, value) and not states(raw, value) for value in given_up):
                changes.put(node.model_copy(update={"stale": True}))

    def _raw(self, node_id: str) -> str:
        graph = self.nodes.state.graph
        return "\n".join(text for _, text in graph.passages(graph.bare(node_id)))

    def _still_open(
        self, draft: MergeDraft, relation: Relationship, known: Conflict | None, *, timestamp: float
    ) -> None:
        draft.changes.put(
            Conflict(
                id=known.id if known else draft.changes.new_id("c"),
                node_ids=(relation.existing_node, draft.merged.id),
                description=relation.conflict_description or relation.reasoning,
                subject=relation.conflict_subject,
                values=relation.conflict_values,
                found_at=known.found_at if known else timestamp,
            )
        )


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
    for span in state.graph.bare(event.new_node_id).sources:
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
