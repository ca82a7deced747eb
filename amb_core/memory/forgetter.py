"""The user's one way to delete: an entry and everything derived from it is gone or made anew without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amb_core.errors import InvalidParameter, UnknownId
from amb_core.memory.arguments import require_id
from amb_core.memory.bank_parts import BankParts
from amb_core.memory.bank_state import BankState
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.forgetting import Forgotten, tell_forgotten
from amb_core.memory.interaction_tree import fingerprint_of_call
from amb_core.memory.query_graph import remove_node
from amb_core.memory.step_places import parse_step_place, step_number
from amb_core.models import (
    ArchivedNode,
    CompletedTask,
    Conflict,
    EntryState,
    InsightDoc,
    InteractionEntry,
    Link,
    MergeEvent,
    Opinion,
    QueryNode,
    Receipt,
    Span,
)
from amb_core.registry import from_package
from amb_core.rendering.safe_text import escape_line
from amb_core.text import detect_language, index_tokens
from amb_core.text.wordings import FREE_AFTER, FREE_BEFORE, find_wording
from amb_core.tracing import traced

__all__ = ["Forgetter", "Traces", "forget_entry"]

_HOW = (
    '{}Pass a step as blocks show it, "step 3" or "第3步", or an entry as deep_retrieval shows it, "e3"; what was '
    "made of it goes with it."
)
_FORGOTTEN = {"en": "(forgotten)", "zh": "（已遗忘）"}
"""What stands in place of the description of a completed task that told of a forgotten text."""


def entries_named(parts: BankParts, shown: str) -> list[str]:
    """The entries that a name stands for: an id, or a step as it is shown, with what was said at it.

    UnknownId or InvalidParameter, which say what to pass instead, for what names no whole step of this bank.
    """
    require_id("entry", shown)
    with parts.lock:
        tree = parts.state.tree
        shown = shown.partition("·")[0].strip(" []") or shown  # as heads and citations show it
        if shown.casefold() in tree.entries:
            return [shown.casefold()]
        place = parse_step_place(shown)
        if place is None or place.shared:
            told = "A step of a team's bank is forgotten there. " if place is not None else ""
            told = f"{shown} is a note. " if shown in parts.state.graph else told
            raise UnknownId("entry", shown, hint=_HOW.format(told))
        if place.lines or place.path:
            raise InvalidParameter(f'a step is forgotten as a whole: pass "step {place.number}"')
        entry = tree.entries.get(f"e{place.number}")
        found = [*([] if entry is None else [entry]), *tree.messages_at(place.number)]
        if not found:
            newest = [step_number(one.entry_id) for one in tree.newest_results(1)]
            there = f"The newest step is step {newest[0]}. " if newest else "This bank has no steps yet. "
            raise UnknownId("step", shown, hint=there + _HOW.format(""))
        return [one.entry_id for one in found]


def forget_entry(parts: BankParts, entry_id: str) -> None:
    """Forget an entry down to the files of its store, and tell whoever keeps something made of it (hold no lock).

    UnknownId when there is none. Repeated for one that is forgotten already, it tells once more.
    """
    state, writer = parts.state, parts.writer
    with parts.lock:
        require_id("entry", entry_id, among=state.tree.entries)
        with traced("forget", memory="delete_memory", entry_id=entry_id):
            forgetter = Forgetter(state, parts, _with_repeats(state, entry_id))
            changes = forgetter.forget()
        attachments = [attachment for entry in forgetter.entries for attachment in entry.attachments]
        parts.eraser.begin(entry_id)
        writer.commit(changes)
    try:
        parts.steps.plan_again()
    finally:  # what the step planned before said of it is gone only now
        with parts.lock:
            parts.blocks.forget()
            parts.forget_notes()
            parts.eraser.drop(attachments)
        parts.eraser.finish(entry_id)
    tell_forgotten(Forgotten(run=state.insight.doc_id, entries=frozenset({entry_id, *forgetter.gone})))


def _with_repeats(state: BankState, entry_id: str) -> list[InteractionEntry]:
    """An entry and those that say the same again, but for forgotten ones."""
    first, waiting = state.tree.entries[entry_id], {entry.entry_id for entry in state.tree.undigested()}
    repeats = [
        e
        for e in state.tree.entries.values()
        if e.text
        and e is not first
        and (e.parent_id == entry_id or (e.entry_id in waiting and state.tree.repeats.says_again(e, first)))
    ]
    return [e for e in (first, *repeats) if not e.forgotten]


class Forgetter:
    """Builds the change set that forgets some entries, or what was made of them; changes nothing (hold the lock)."""

    def __init__(self, state: BankState, parts: BankParts, entries: Sequence[InteractionEntry]) -> None:
        self.state, self.parts = state, parts
        self.changes = state.changes()
        self.entries = entries
        self.gone = {entry.entry_id for entry in self.entries}
        tree, goals = state.tree, [state.insight.task_goal, *(doc.task_goal for doc in state.insight.earlier)]
        stays = (e for e in tree.entries.values() if e.entry_id not in self.gone and not tree.is_withdrawn(e.entry_id))
        known = [*goals, *(entry.text for entry in stays)]
        self.traces = Traces((entry.text for entry in self.entries), known=known)
        self.touched: set[str] = set()
        """Living and archived nodes that told of the text."""
        self.removed: set[str] = set()
        """Conflicts that end with it."""

    def forget(self) -> ChangeSet:
        """Tombstones, and every record that tells of the text dropped, remade or blanked."""
        if self.entries:
            for entry in self.entries:
                self._bury(entry)
            self.withdraw()
            self._forget_injections()
        return self.changes

    def withdraw(self) -> ChangeSet:
        """What was made of the texts and can still be shown to a model is dropped, remade or blanked; they stay."""
        self._forget_nodes()
        self._forget_conflicts()
        self._forget_links()
        self._forget_merges()
        self._forget_tasks()
        return self.changes

    def _bury(self, entry: InteractionEntry) -> None:
        """Put a tombstone without content; a hash of the call keeps a replay of it from bringing the text back."""
        fingerprint = fingerprint_of_call(entry)
        self.changes.put(
            InteractionEntry(
                entry_id=entry.entry_id,
                text="",
                timestamp=entry.timestamp,
                metadata={} if fingerprint is None else {"call": fingerprint},
                forgotten=True,
            )
        )
        digestion = self.state.tree.digestions[entry.entry_id]
        self.changes.put(digestion.model_copy(update={"state": EntryState.DONE, "node_ids": (), "error": None}))

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _forget_nodes(self) -> None:
        """Remake living and archived nodes without the entry, drop those that stood on it alone."""
        lifted = self._lifted()
        before: list[QueryNode] = []
        for node in list(self.state.graph):
            cleaned = self._cleaned(node, lifted)
            if cleaned is not node:
                before.append(node)
                if cleaned.sources:
                    self.changes.put(cleaned)
                else:
                    remove_node(self.state.graph, node.id, self.changes)
        for kept in self.state.archive.values():
            cleaned = self._cleaned(kept.node, lifted)
            if cleaned is not kept.node:
                before.append(kept.node)
                self.changes.put(kept.model_copy(update={"node": cleaned}))
        for node in before:
            self.touched.add(node.id)
            self.traces.add(node.summary)

    def _lifted(self) -> set[Span]:
        """What merges refuted by a proof that is forgotten now; it stands again."""
        lifted: set[Span] = set()
        for event in self.state.merges.values():
            merged = self._node_of(event.new_node_id)
            if merged is None or event.undone:
                continue
            old = [self.state.archive[n].node for n in event.merged_node_ids if n in self.state.archive]
            proof = set(merged.sources).difference(*(node.sources for node in old))
            if proof and all(span.entry_id in self.gone for span in proof):
                lifted |= set(merged.refuted).difference(*(node.refuted for node in old))
        return lifted

    def _node_of(self, node_id: str) -> QueryNode | None:
        """The node, living or archived."""
        if node_id in self.state.graph:
            return self.state.graph.bare(node_id)
        kept = self.state.archive.get(node_id)
        return None if kept is None else kept.node

    def _cleaned(self, node: QueryNode, lifted: set[Span]) -> QueryNode:
        """The node itself when it tells of nothing forgotten, else made anew; blank when it stands on nothing else."""
        sources = tuple(span for span in node.sources if span.entry_id not in self.gone)
        refuted = tuple(span for span in node.refuted if span.entry_id not in self.gone and span not in lifted)
        if (sources, refuted) == (node.sources, node.refuted) and not self._told_by(node):
            return node
        rest = node.model_copy(update={"sources": sources, "refuted": refuted})
        if sources:
            content = "\n".join(text for _, text in self.state.graph.passages(rest))
            return self.parts.notes.remade(rest, content)
        return rest.model_copy(update={"summary": "", "context": "", "keywords": (), "embedding": None})

    def _told_by(self, record: QueryNode | Conflict) -> bool:
        """Whether the words of a node, or those a conflict was found with, tell of the text."""
        if isinstance(record, QueryNode):
            return self.traces.said_in(record.summary, record.context, *record.keywords)
        return self.traces.said_in(record.description, record.subject, *record.values)

    # --- what is told of nodes ---------------------------------------------------------------------------------------

    def _forget_conflicts(self) -> None:
        """Drop conflicts of touched nodes and hunt down their words; blank others that tell of the text."""
        merges = [event for event in self.state.merges.values() if event.new_node_id in self.touched]
        doubtful = {conflict_id for event in merges for conflict_id in event.conflict_ids}
        conflicts = self.state.conflicts.values()
        self.removed |= {conflict.id for conflict in conflicts if self.touched & set(conflict.node_ids)}
        told = self.removed | doubtful
        told |= {c.id for c in conflicts if self._told_by(c) or self.traces.said_in(c.resolution or "")}
        told |= {c.id for c in conflicts if c.opinion is not None and self._is_gone(c.opinion)}
        others = [conflict for conflict in conflicts if conflict.id not in told]
        self.traces.spare(text for conflict in others for text in (conflict.description, conflict.resolution or ""))
        for conflict in conflicts:
            if conflict.id in self.removed:
                self.traces.add(conflict.description, terms=conflict.values)
            if conflict.id in told:
                self.traces.add(conflict.resolution or "")
                self.traces.add("" if conflict.opinion is None else conflict.opinion.because)
        self.changes.delete("conflict", [conflict.id for conflict in conflicts if conflict.id in self.removed])
        for conflict in conflicts:
            if conflict.id in told - self.removed:
                hidden = {"description": "", "subject": "", "values": ()} if self._told_by(conflict) else {}
                resolution = None if conflict.resolution is None else ""
                self.changes.put(conflict.model_copy(update={**hidden, "resolution": resolution, "opinion": None}))

    def _is_gone(self, opinion: Opinion) -> bool:
        """Whether an opinion names, or quotes, what is forgotten."""
        return bool(self.gone.intersection(opinion.entries)) or self.traces.said_in(opinion.because)

    def _forget_links(self) -> None:
        for link in self.state.graph.links():
            cleaned = self._without_reason(link)
            if cleaned is not link and not any(("node", end) in self.changes.deletes for end in (link.a, link.b)):
                self.changes.put(cleaned)

    def _without_reason(self, link: Link) -> Link:
        told = link.reason and (self.touched & {link.a, link.b} or self.traces.said_in(link.reason))
        return link.model_copy(update={"reason": ""}) if told else link

    def _forget_merges(self) -> None:
        """Blank what merges and their archives tell; merged ids lead on to their successor as long as it lives."""
        changes = self.changes
        for event in self.state.merges.values():
            if not event.undone and self._is_over(event):
                changes.delete("archive", event.merged_node_ids)
                changes.delete("merge", [event.event_id])
            elif (cleaned := self._cleaned_event(event)) != event:
                changes.put(cleaned)
        for node_id, kept in self.state.archive.items():
            links = tuple(map(self._without_reason, kept.links))
            if links != kept.links and ("archive", node_id) not in changes.deletes:
                changes.put(changes.puts.get(("archive", node_id), kept).model_copy(update={"links": links}))

    def _is_over(self, event: MergeEvent) -> bool:
        """Whether what the nodes became is forgotten itself."""
        end = event.new_node_id
        while end in self.state.archive:
            end = self.state.merges[self.state.archive[end].event_id].new_node_id
        return end not in self.state.graph or ("node", end) in self.changes.deletes

    def _cleaned_event(self, event: MergeEvent) -> MergeEvent:
        nodes = {event.new_node_id, *event.merged_node_ids}
        told = bool(self.touched & nodes) or self.traces.said_in(event.description)
        undoable = not any(self._is_blank(node_id) for node_id in event.merged_node_ids)
        return event.model_copy(
            update={
                "description": "" if told else event.description,
                "conflict_ids": tuple(c for c in event.conflict_ids if c not in self.removed),
                "evidence": tuple(span for span in event.evidence if span.entry_id not in self.gone),
                "conflicts_before": tuple(c for c in event.conflicts_before if undoable and self._may_return(c)),
                "neighbours_before": tuple(n for n in event.neighbours_before if undoable and self._may_return(n)),
            }
        )

    def _may_return(self, before: Conflict | QueryNode) -> bool:
        """Whether a conflict or a neighbour, as it was before a merge, tells of nothing forgotten."""
        if isinstance(before, Conflict):
            ends = before.id in self.removed or bool(self.touched & set(before.node_ids))
            return not (ends or self._told_by(before) or self.traces.said_in(before.resolution or ""))
        stands = before.id in self.touched or any(span.entry_id in self.gone for span in before.sources)
        return not (stands or self._told_by(before))

    def _is_blank(self, node_id: str) -> bool:
        kept = self.changes.puts.get(("archive", node_id))
        return isinstance(kept, ArchivedNode) and not kept.node.sources

    # --- logs --------------------------------------------------------------------------------------------------------

    def _forget_injections(self) -> None:
        """Blank blocks that showed a touched node, and take places in a forgotten text off their receipts."""
        for injection in self.state.injections.values():
            shown = {receipt.node_id for receipt in injection.receipts}
            if shown & self.touched or self.traces.said_in(injection.query, injection.block):
                receipts = tuple(map(self._receipt, injection.receipts))
                self.changes.put(injection.model_copy(update={"block": "", "query": "", "receipts": receipts}))

    def _receipt(self, receipt: Receipt) -> Receipt:
        """The receipt without words of the query."""
        spans = tuple(span for span in receipt.spans if span.entry_id not in self.gone)
        return receipt.model_copy(update={"spans": spans, "reason": ""})

    def _forget_tasks(self) -> None:
        """Blank completed tasks that tell of the text; drop a pending one that does, to be planned anew."""
        for kept in self.state.earlier.values():
            if (closed := self._insight(kept.insight)) != kept.insight:
                self.changes.put(kept.model_copy(update={"insight": closed}))
        insight = self.state.insight
        earlier = tuple(map(self._insight, insight.earlier))
        cleaned = self._insight(insight).model_copy(update={"earlier": earlier})
        if cleaned != insight:
            self.state.put_insight(self.changes, cleaned)

    def _insight(self, insight: InsightDoc) -> InsightDoc:
        pending = tuple(
            task
            for task in insight.pending_tasks
            if task.conflict_id not in self.removed and not self.traces.said_in(task.description)
        )
        completed = tuple(map(self._task, insight.completed_tasks))
        return insight.model_copy(update={"completed_tasks": completed, "pending_tasks": pending})

    def _task(self, task: CompletedTask) -> CompletedTask:
        if self.traces.said_in(task.description):
            blank = _FORGOTTEN[detect_language(self.state.insight.task_goal)]
            return task.model_copy(update={"description": blank, "context": ""})
        return task.model_copy(update={"context": ""}) if self.traces.said_in(task.context) else task


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
        values = from_package("amb_values:values")  # here, for a bank forgets seldom
        for text in forgotten:
            said = _sentences(text)
            self._add_phrases(part for sentence in said for part in (sentence, sentence[: len(sentence) // 2]))
            self._add_terms(value.surface for value in values(text) if value.kind not in ("negation", "unit"))

    def add(self, text: str, *, terms: Iterable[str] = ()) -> None:
        """Hunt down the sentences of a text that was made from the forgotten ones, and these terms."""
        self._add_phrases(_sentences(text))
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


def _sentences(text: str) -> list[str]:
    """The sentences of a text, as those cut them who made notes of it."""
    return list(map(_on_one_line, from_package("amb_values:sentences")(text)))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _stands_in(text: str, wording: str) -> bool:
    """Whether a wording stands in a text, not as a part of a longer Latin word or figure."""
    return any(find_wording(text, (wording,), before=FREE_BEFORE, after=FREE_AFTER))
