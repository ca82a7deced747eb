"""The user's one way to delete: an entry and everything derived from it is gone or made anew without it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.arguments import require_id
from amb_core.memory.assembly import Parts
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.digestion import remade
from amb_core.memory.interaction_tree import call_digest
from amb_core.memory.merger import remove_node
from amb_core.memory.state import BankState
from amb_core.models import (
    ArchivedNode,
    CompletedTask,
    Conflict,
    EntryState,
    InteractionEntry,
    Link,
    MergeEvent,
    QueryNode,
    Receipt,
    Span,
)
from amb_core.protocols import Embedder
from amb_core.rendering.safe_text import escape_line
from amb_core.text import detect_language, index_tokens, sentences, values
from amb_core.text.wordings import find_wording
from amb_core.tracing import traced

__all__ = ["Traces", "forget_entry"]

_FORGOTTEN = {"en": "(forgotten)", "zh": "（已遗忘）"}
"""What stands in place of the description of a completed task that told of a forgotten text."""


def forget_entry(parts: Parts, entry_id: str) -> None:
    """Forget an entry down to the files of its store; UnknownId when there is none (hold no lock)."""
    state, writer = parts.state, parts.writer
    with parts.lock:
        require_id("entry", entry_id, among=state.tree.entries)
        changes = state.changes()
        Forgetter(state, parts.calls, parts.embedder).forget(entry_id, changes)
        gone = [state.tree.entries[entry.entry_id] for entry in changes.records(InteractionEntry)]
        attachments = [attachment for entry in gone for attachment in entry.attachments]
        parts.eraser.begin(entry_id)
        writer.commit(changes)
    try:
        parts.steps.plan()
    finally:  # what the step planned before said of it is gone only now
        with parts.lock:
            parts.drop_index()
            parts.blocks.forget()
            parts.evidence.witnesses.forget()
            parts.eraser.finish(entry_id, attachments)


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Builds the change set that forgets an entry; makes no change itself."""

    state: BankState
    calls: AgentCalls
    embedder: Embedder | None

    def forget(self, entry_id: str, changes: ChangeSet) -> None:
        """Leave a tombstone; drop, remake or blank every record that tells of the text. Forgotten before: no effect."""
        with traced("forget", entry_id=entry_id):
            self._forget(entry_id, changes)

    def _forget(self, entry_id: str, changes: ChangeSet) -> None:
        entries = self.state.tree.entries
        if entries[entry_id].forgotten:
            return
        forgotten = [entries[entry_id], *(e for e in entries.values() if e.parent_id == entry_id and e.text)]
        gone = {entry.entry_id for entry in forgotten}
        known = [self.state.insight.task_goal, *(e.text for e in entries.values() if e.entry_id not in gone)]
        traces = Traces((entry.text for entry in forgotten), known=known)
        for entry in forgotten:
            self._bury(entry, changes)
        touched = self._forget_nodes(gone, traces, changes)
        removed = self._forget_conflicts(touched, traces, changes)
        self._forget_links(touched, traces, changes)
        self._forget_merges(gone, touched, removed, traces, changes)
        self._forget_injections(gone, touched, traces, changes)
        self._forget_tasks(removed, traces, changes)

    def _bury(self, entry: InteractionEntry, changes: ChangeSet) -> None:
        """Put a tombstone without content; a hash of the call keeps a replay of it from bringing the text back."""
        digest = call_digest(entry)
        changes.put(
            InteractionEntry(
                entry_id=entry.entry_id,
                text="",
                timestamp=entry.timestamp,
                metadata={} if digest is None else {"call": digest},
                forgotten=True,
            )
        )
        digestion = self.state.tree.digestions[entry.entry_id]
        changes.put(digestion.model_copy(update={"state": EntryState.DONE, "node_ids": (), "error": None}))

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _forget_nodes(self, gone: set[str], traces: Traces, changes: ChangeSet) -> set[str]:
        """Remake living and archived nodes without the entry, drop those that stood on it alone; returns both."""
        lifted = self._lifted(gone)
        touched: dict[str, QueryNode] = {}
        for node in list(self.state.graph):
            cleaned = self._cleaned(node, gone, lifted, traces)
            if cleaned is not node:
                touched[node.id] = node
                if cleaned.sources:
                    changes.put(cleaned)
                else:
                    remove_node(self.state.graph, node.id, changes)
        for kept in self.state.archive.values():
            cleaned = self._cleaned(kept.node, gone, lifted, traces)
            if cleaned is not kept.node:
                touched[kept.node.id] = kept.node
                changes.put(kept.model_copy(update={"node": cleaned}))
        for node in touched.values():
            traces.add(node.summary)
        return set(touched)

    def _lifted(self, gone: set[str]) -> set[Span]:
        """What merges refuted by a proof that is forgotten now; it stands again."""
        lifted: set[Span] = set()
        for event in self.state.merges.values():
            merged = self._node_of(event.new_node_id)
            if merged is None or event.undone:
                continue
            old = [self.state.archive[n].node for n in event.merged_node_ids if n in self.state.archive]
            proof = set(merged.sources).difference(*(node.sources for node in old))
            if proof and all(span.entry_id in gone for span in proof):
                lifted |= set(merged.refuted).difference(*(node.refuted for node in old))
        return lifted

    def _node_of(self, node_id: str) -> QueryNode | None:
        """The node, living or archived."""
        if node_id in self.state.graph:
            return self.state.graph.bare(node_id)
        kept = self.state.archive.get(node_id)
        return None if kept is None else kept.node

    def _cleaned(self, node: QueryNode, gone: set[str], lifted: set[Span], traces: Traces) -> QueryNode:
        """The node itself when it tells of nothing forgotten, else made anew; blank when it stands on nothing else."""
        sources = tuple(span for span in node.sources if span.entry_id not in gone)
        refuted = tuple(span for span in node.refuted if span.entry_id not in gone and span not in lifted)
        same = (sources, refuted) == (node.sources, node.refuted)
        if same and not traces.said_in(node.summary, node.context, *node.keywords):
            return node
        rest = node.model_copy(update={"sources": sources, "refuted": refuted})
        if sources:
            content = "\n".join(text for _, text in self.state.graph.passages(rest))
            return remade(rest, content, calls=self.calls, embedder=self.embedder)
        return rest.model_copy(update={"summary": "", "context": "", "keywords": (), "embedding": None})

    # --- what is told of nodes ---------------------------------------------------------------------------------------

    def _forget_conflicts(self, touched: set[str], traces: Traces, changes: ChangeSet) -> set[str]:
        """Drop conflicts of touched nodes and hunt down their words; blank others that tell of the text."""
        merges = [event for event in self.state.merges.values() if event.new_node_id in touched]
        doubtful = {conflict_id for event in merges for conflict_id in event.conflict_ids}
        removed = {c.id for c in self.state.conflicts.values() if touched & set(c.node_ids)}
        affected: list[Conflict] = []
        others: list[Conflict] = []
        for conflict in self.state.conflicts.values():
            told = _tells(conflict, traces) or traces.said_in(conflict.resolution or "")
            told = told or conflict.id in removed | doubtful
            (affected if told else others).append(conflict)
        traces.spare(text for conflict in others for text in (conflict.description, conflict.resolution or ""))
        changes.delete("conflict", [conflict.id for conflict in affected if conflict.id in removed])
        for conflict in affected:
            if conflict.id in removed:
                traces.add(conflict.description, terms=conflict.values)
            traces.add(conflict.resolution or "")
        for conflict in affected:
            if conflict.id not in removed:
                hidden = {"description": "", "subject": "", "values": ()} if _tells(conflict, traces) else {}
                resolution = None if conflict.resolution is None else ""
                changes.put(conflict.model_copy(update={**hidden, "resolution": resolution}))
        return removed

    def _forget_links(self, touched: set[str], traces: Traces, changes: ChangeSet) -> None:
        for link in self.state.graph.links():
            cleaned = _without_reason(link, touched, traces)
            if cleaned is not link and not any(("node", end) in changes.deletes for end in link.key):
                changes.put(cleaned)

    def _forget_merges(
        self, gone: set[str], touched: set[str], removed: set[str], traces: Traces, changes: ChangeSet
    ) -> None:
        """Blank what merges and their archives tell; merged ids lead on to their successor as long as it lives."""
        for event in self.state.merges.values():
            if not event.undone and self._is_over(event, changes):
                changes.delete("archive", event.merged_node_ids)
                changes.delete("merge", [event.event_id])
            else:
                cleaned = self._cleaned_event(event, gone, touched, removed, traces, changes)
                if cleaned != event:
                    changes.put(cleaned)
        for node_id, kept in self.state.archive.items():
            links = tuple(_without_reason(link, touched, traces) for link in kept.links)
            if links != kept.links and ("archive", node_id) not in changes.deletes:
                remade = changes.puts.get(("archive", node_id), kept)
                changes.put(remade.model_copy(update={"links": links}))

    def _is_over(self, event: MergeEvent, changes: ChangeSet) -> bool:
        """Whether what the nodes became is forgotten itself."""
        end = event.new_node_id
        while end in self.state.archive:
            end = self.state.merges[self.state.archive[end].event_id].new_node_id
        return end not in self.state.graph or ("node", end) in changes.deletes

    def _cleaned_event(
        self,
        event: MergeEvent,
        gone: set[str],
        touched: set[str],
        removed: set[str],
        traces: Traces,
        changes: ChangeSet,
    ) -> MergeEvent:
        told = bool(touched & {event.new_node_id, *event.merged_node_ids}) or traces.said_in(event.description)
        conflicts = [
            conflict
            for conflict in event.conflicts_before
            if conflict.id not in removed
            and not touched & set(conflict.node_ids)
            and not (_tells(conflict, traces) or traces.said_in(conflict.resolution or ""))
        ]
        neighbours = [
            node
            for node in event.neighbours_before
            if node.id not in touched
            and not any(span.entry_id in gone for span in node.sources)
            and not traces.said_in(node.summary, node.context, *node.keywords)
        ]
        if any(_is_blank(changes, node_id) for node_id in event.merged_node_ids):  # can no longer be undone
            conflicts, neighbours = [], []
        return event.model_copy(
            update={
                "description": "" if told else event.description,
                "conflict_ids": tuple(c for c in event.conflict_ids if c not in removed),
                "evidence": tuple(span for span in event.evidence if span.entry_id not in gone),
                "conflicts_before": tuple(conflicts),
                "neighbours_before": tuple(neighbours),
            }
        )

    # --- logs --------------------------------------------------------------------------------------------------------

    def _forget_injections(self, gone: set[str], touched: set[str], traces: Traces, changes: ChangeSet) -> None:
        for injection in self.state.injections.values():
            shown = {receipt.node_id for receipt in injection.receipts}
            if shown & touched or traces.said_in(injection.query, injection.block):
                receipts = tuple(_receipt(receipt, gone) for receipt in injection.receipts)
                changes.put(injection.model_copy(update={"block": "", "query": "", "receipts": receipts}))

    def _forget_tasks(self, removed: set[str], traces: Traces, changes: ChangeSet) -> None:
        """Blank completed tasks that tell of the text; drop a pending one that does, to be planned anew."""
        insight = self.state.insight
        blank = _FORGOTTEN[detect_language(insight.task_goal)]
        completed = tuple(_task(task, blank, traces) for task in insight.completed_tasks)
        pending = tuple(
            task
            for task in insight.pending_tasks
            if task.conflict_id not in removed and not traces.said_in(task.description)
        )
        cleaned = insight.model_copy(update={"completed_tasks": completed, "pending_tasks": pending})
        if cleaned != insight:
            changes.put(cleaned)


def _tells(conflict: Conflict, traces: Traces) -> bool:
    return traces.said_in(conflict.description, conflict.subject, *conflict.values)


def _without_reason(link: Link, touched: set[str], traces: Traces) -> Link:
    told = link.reason and (touched & set(link.key) or traces.said_in(link.reason))
    return link.model_copy(update={"reason": ""}) if told else link


def _is_blank(changes: ChangeSet, node_id: str) -> bool:
    kept = changes.puts.get(("archive", node_id))
    return isinstance(kept, ArchivedNode) and not kept.node.sources


def _receipt(receipt: Receipt, gone: set[str]) -> Receipt:
    """The receipt without words of the query and without places in a forgotten text."""
    spans = tuple(span for span in receipt.spans if span.entry_id not in gone)
    return receipt.model_copy(update={"spans": spans, "reason": ""})


def _task(task: CompletedTask, blank: str, traces: Traces) -> CompletedTask:
    description = blank if traces.said_in(task.description) else task.description
    context = "" if description is blank or traces.said_in(task.context) else task.context
    return task.model_copy(update={"description": description, "context": context})


_FREE_BEFORE, _FREE_AFTER = re.compile(r"(?<![0-9a-z])(?<![0-9][.,])"), re.compile(r"(?![0-9a-z]|[.,][0-9])")
_TELLING = 3
"""A sentence with fewer content words ("Yes, it is.") says nothing that would have to be hunted down elsewhere."""
_OURS = "one two first second once twice 一 二 两 一处 另一处 两处 两步 两种 两个 一次"
"""Words of AMB's own sentences ("one says …"): a forgotten text that has them too has left no trace in these."""


class Traces:
    """The wording and the values of forgotten texts, less what `known` texts (all that stays) say as well."""

    def __init__(self, forgotten: Iterable[str], *, known: Iterable[str]) -> None:
        self._known_texts = [_OURS, *known]
        self._known: str | None = None
        self._lost: dict[str, bool] = {}
        self._phrases: dict[str, None] = {}
        self._terms: dict[str, None] = {}
        for text in forgotten:
            said = map(_on_one_line, sentences(text))
            self._add_phrases(part for sentence in said for part in (sentence, sentence[: len(sentence) // 2]))
            self._add_terms(value.surface for value in values(text) if value.kind not in ("negation", "unit"))

    def add(self, text: str, *, terms: Iterable[str] = ()) -> None:
        """Hunt down the sentences of a text that was made from the forgotten ones, and these terms."""
        self._add_phrases(map(_on_one_line, sentences(text)))
        self._add_terms(terms)

    def spare(self, texts: Iterable[str]) -> None:
        """What these texts say stays as well."""
        self._known_texts += texts
        self._known = None
        self._lost.clear()

    def _add_phrases(self, phrases: Iterable[str]) -> None:
        for phrase in phrases:
            if len(index_tokens(phrase)) >= _TELLING:
                self._phrases.update(dict.fromkeys((phrase, escape_line(phrase))))

    def _add_terms(self, terms: Iterable[str]) -> None:
        self._terms.update(dict.fromkeys(term.strip().casefold() for term in terms if term.strip()))

    def said_in(self, *texts: str) -> bool:
        """Whether one of the texts holds a lost sentence, the first half of one, or a lost value or name."""
        for text in map(_on_one_line, texts):
            if text and any(phrase in text and self._is_lost(phrase) for phrase in self._phrases):
                return True
            folded = text.casefold()
            if any(_stands_in(folded, term) and self._is_lost(term, whole=True) for term in self._terms):
                return True
        return False

    def _is_lost(self, wording: str, *, whole: bool = False) -> bool:
        """Whether nothing that stays says it (as `whole` words); looked up only when it turns up somewhere."""
        if wording not in self._lost:
            if self._known is None:
                self._known = "\n".join(_on_one_line(text) for text in self._known_texts).casefold()
            folded = wording.casefold()
            known = folded in self._known and (not whole or _stands_in(self._known, folded))
            self._lost[wording] = not known
        return self._lost[wording]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _stands_in(text: str, wording: str) -> bool:
    """Whether a wording stands in a text, not as a part of a longer Latin word or figure."""
    return any(find_wording(text, (wording,), before=_FREE_BEFORE, after=_FREE_AFTER))
