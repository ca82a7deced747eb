"""Conflicting nodes → one, by what a verification found; and the way back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agent_io import (
    AnalysisRequest,
    IntegrationAnswer,
    IntegrationRequest,
    MergeInput,
    Relationship,
)
from amb_core.errors import ConflictStateError
from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.changes import ChangeSet, id_number, link_id
from amb_core.memory.digestion import embedding_of
from amb_core.memory.evidence import Evidence
from amb_core.memory.query_graph import QueryGraph
from amb_core.models import (
    ArchivedNode,
    Conflict,
    ConflictStatus,
    EntryState,
    Link,
    MergeEvent,
    QueryNode,
    Span,
)
from amb_core.protocols import Embedder
from amb_core.text import sentences, value_signature

__all__ = ["Merger", "remove_node", "unsupported_values"]


def unsupported_values(answer: IntegrationAnswer, sources: Sequence[str]) -> list[str]:
    """Numbers and dates of a merged summary that occur in none of the source texts."""
    known = {pair for text in sources for pair in value_signature(text)}
    said = value_signature(f"{answer.summary}\n{answer.context}")
    return sorted(key for kind, key in said if kind in ("number", "date") and (kind, key) not in known)


def remove_node(graph: QueryGraph, node_id: str, changes: ChangeSet) -> None:
    """Put the removal of a node and of all its links into `changes`."""
    changes.delete("node", [node_id])
    changes.delete("link", [link_id(link.a, link.b) for link in graph.links_of(node_id)])


def _ended(conflict: Conflict) -> Conflict:
    resolution = "the contradiction ended with a merge"
    return conflict.model_copy(update={"status": ConflictStatus.RESOLVED, "resolution": resolution})


@dataclass(frozen=True, slots=True)
class Merger:
    """Builds the change sets of a merge and of its undoing; makes no change itself."""

    calls: AgentCalls
    evidence: Evidence
    embedder: Embedder | None
    candidates: int

    def request(self, conflict: Conflict, verification: Sequence[str]) -> IntegrationRequest:
        """What the integration agent is asked (hold the lock)."""
        state = self.evidence.state
        return IntegrationRequest(
            nodes=tuple(
                MergeInput(node=view, neighbours=self.evidence.views(state.graph.neighbour_ids(view.id)))
                for view in self.evidence.views(state.living(conflict.node_ids))
            ),
            conflict=conflict,
            verification="\n\n".join(verification),
            task_goal=state.insight.task_goal,
        )

    def integrate(self, request: IntegrationRequest) -> IntegrationAnswer:
        """Ask the integration agent; an answer with a value that no source has is refused (`decided=False`)."""
        answer = self.calls.integrate(request)
        views = [part.node for part in request.nodes]
        sources = [*(f"{view.text}\n{view.summary}\n{view.context}" for view in views), request.verification]
        invented = unsupported_values(answer, sources)
        if answer.decided and invented:
            return IntegrationAnswer(decided=False, reason=f"the merged text names {invented[0]}, which no source has")
        return answer

    def merge(
        self,
        conflict: Conflict,
        answer: IntegrationAnswer,
        proof: Sequence[Span],
        changes: ChangeSet,
        *,
        timestamp: float,
    ) -> QueryNode:
        """Put the merged node, its links, the archive, the event and every conflict it touches into `changes`.

        `proof` are the spans of the verification that bear on the conflict; they become sources of the merged node.
        """
        state = self.evidence.state
        old = [state.graph.node(node_id) for node_id in state.living(conflict.node_ids)]
        old_ids = {node.id for node in old}
        event_id, new_id = changes.new_id("m"), changes.new_id("n")
        merged = self._merged_node(old, answer, proof, new_id, timestamp=timestamp)
        changes.put(merged)
        neighbours = self._inherit(old, old_ids, merged, changes)
        before = tuple(state.graph.node(n).model_copy(update={"links": ()}) for n in sorted(neighbours, key=id_number))
        self._update_neighbours(answer, neighbours, changes)
        self._mark_dependants(answer, neighbours, changes)
        for node in old:
            links = tuple(state.graph.links_of(node.id))
            changes.put(ArchivedNode(node=node.model_copy(update={"links": ()}), links=links, event_id=event_id))
            remove_node(state.graph, node.id, changes)
        touched = [c for c in state.conflicts.values() if old_ids & set(state.living(c.node_ids))]
        changes.put(conflict.model_copy(update={"status": ConflictStatus.RESOLVED, "resolution": answer.reason}))
        changes.put(
            MergeEvent(
                event_id=event_id,
                merged_node_ids=tuple(node.id for node in old),
                new_node_id=new_id,
                timestamp=timestamp,
                description=answer.merge_description,
                conflict_ids=(conflict.id,),
                conflicts_before=tuple(touched),
                neighbours_before=before,
            )
        )
        others = [c for c in touched if c.id != conflict.id and c.status is not ConflictStatus.RESOLVED]
        self._recheck(merged, old_ids, neighbours, others, changes)
        return merged

    def _recheck(
        self,
        merged: QueryNode,
        old_ids: set[str],
        neighbours: set[str],
        conflicts: Sequence[Conflict],
        changes: ChangeSet,
    ) -> None:
        """Analyse the merged node again, leaving out its inherited neighbours.

        The `conflicts` its predecessors still had move to it where the contradiction is still there and end where it
        is not; one that was given up as unresolved stays so.
        """
        state = self.evidence.state
        rivals: defaultdict[str, list[Conflict]] = defaultdict(list)
        for conflict in conflicts:
            other = next((n for n in state.living(conflict.node_ids) if n not in old_ids), None)
            if other is None:
                changes.put(_ended(conflict))
            elif conflict.status is ConflictStatus.UNRESOLVED:
                changes.put(conflict.model_copy(update={"node_ids": (other, merged.id)}))
            else:
                rivals[other].append(conflict)
        view = self.evidence.view(merged)
        found = state.graph.index.candidates(
            f"{merged.context}\n{view.text}", k=self.candidates, exclude=old_ids | neighbours - rivals.keys()
        )
        wanted = dict.fromkeys([*rivals, *found])
        answer = self.calls.analyse(AnalysisRequest(new=view, candidates=self.evidence.views(wanted)))
        for relation in answer.relationships:
            other = relation.existing_node
            if relation.relationship == "conflict" and other in wanted:
                first = next(iter(rivals[other]), None)
                self._still_open(merged, relation, first, changes)
                rivals[other] = rivals[other][1:]
            elif relation.relationship == "related" and other in wanted:
                changes.put(Link(a=other, b=merged.id, reason=relation.reasoning))
        for group in rivals.values():
            changes.put(*map(_ended, group))

    def undo(self, event_id: str, changes: ChangeSet) -> None:
        """Put everything back as it was before a merge; ConflictStateError when it was undone or built upon."""
        state = self.evidence.state
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
        for kept in (state.archive[node_id] for node_id in event.merged_node_ids if node_id in state.archive):
            changes.put(kept.node)
            alive = {*event.merged_node_ids, *(node.id for node in state.graph)}
            changes.put(*(link for link in kept.links if {link.a, link.b} <= alive))
        changes.delete("archive", event.merged_node_ids)
        self._undo_conflicts(event, changes)
        self._free_evidence(event, changes)
        changes.put(event.model_copy(update={"undone": True}))

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
        for span, text in (passage for node in old for passage in self.evidence.state.graph.passages(node)):
            for sentence in dropped:
                at = text.find(sentence.strip())
                if sentence.strip() and at >= 0:
                    start = span.start + at
                    places.append(Span(entry_id=span.entry_id, start=start, end=start + len(sentence.strip())))
        return places

    def _inherit(self, old: Sequence[QueryNode], old_ids: set[str], merged: QueryNode, changes: ChangeSet) -> set[str]:
        """Give the merged node every link of the old ones, once each; returns the neighbours."""
        graph = self.evidence.state.graph
        neighbours: set[str] = set()
        for node in old:
            for link in graph.links_of(node.id):
                other = link.other(node.id)
                if other not in old_ids and other not in neighbours:
                    neighbours.add(other)
                    changes.put(Link(a=other, b=merged.id, reason=link.reason))
        return neighbours

    def _update_neighbours(self, answer: IntegrationAnswer, neighbours: set[str], changes: ChangeSet) -> None:
        for update in answer.neighbour_updates:
            if update.node_id in neighbours:
                node = self.evidence.state.graph.node(update.node_id)
                changed = node.model_copy(update={"context": update.context, "keywords": update.keywords, "links": ()})
                [vector] = embedding_of(self.embedder, [changed.indexed_text])
                changes.put(changed.model_copy(update={"embedding": vector}))

    def _mark_dependants(self, answer: IntegrationAnswer, neighbours: set[str], changes: ChangeSet) -> None:
        """A neighbour whose summary repeats a dropped statement is stale."""
        dropped = {sentence.strip() for sentence in answer.dropped}
        for node_id in sorted(neighbours, key=id_number):
            pending = changes.puts.get(("node", node_id))
            node = pending if isinstance(pending, QueryNode) else self.evidence.state.graph.node(node_id)
            if dropped & {sentence.strip() for sentence in sentences(node.summary)}:
                changes.put(node.model_copy(update={"stale": True, "links": ()}))

    def _still_open(
        self, merged: QueryNode, relation: Relationship, known: Conflict | None, changes: ChangeSet
    ) -> None:
        changes.put(
            Conflict(
                id=known.id if known else changes.new_id("c"),
                node_ids=(relation.existing_node, merged.id),
                description=relation.conflict_description or relation.reasoning,
                subject=relation.conflict_subject,
                values=relation.conflict_values,
            )
        )

    def _free_evidence(self, event: MergeEvent, changes: ChangeSet) -> None:
        """Entries that only the merged node stood on are raw again: digested on resume, or when they are read again."""
        state = self.evidence.state
        cited = {span.entry_id for node in state.graph if node.id != event.new_node_id for span in node.sources}
        cited |= {span.entry_id for n in event.merged_node_ids for span in state.archive[n].node.sources}
        for span in state.graph.node(event.new_node_id).sources:
            digestion = state.tree.digestions.get(span.entry_id)
            if digestion is not None and span.entry_id not in cited:
                changes.put(digestion.model_copy(update={"state": EntryState.RAW, "node_ids": ()}))

    def _undo_conflicts(self, event: MergeEvent, changes: ChangeSet) -> None:
        """Conflicts the merge touched are as before; those found for the merged node since are gone."""
        before = {conflict.id: conflict for conflict in event.conflicts_before}
        for conflict in self.evidence.state.conflicts.values():
            if conflict.id in before:
                changes.put(before[conflict.id])
            elif event.new_node_id in conflict.node_ids:
                changes.delete("conflict", [conflict.id])
