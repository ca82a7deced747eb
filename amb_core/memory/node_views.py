"""Nodes as others see them: for the agents (views), for the renderer (items), and as raw entries (deep retrieval)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from amb_core.agent_io import NodeView, Passage
from amb_core.attachments import Attachment, AttachmentContent
from amb_core.errors import UnknownId
from amb_core.memory.arguments import require_id
from amb_core.memory.bank_state import BankState
from amb_core.memory.ids import id_number
from amb_core.memory.interaction_tree import passages_in
from amb_core.memory.proof import states
from amb_core.memory.repeats import LONGEST_READ, call_mark, record_marks
from amb_core.memory.step_places import parse_step_place, step_entry, step_number
from amb_core.memory.witnesses import Witnesses, shown_document
from amb_core.models import Conflict, Frozen, InteractionEntry, QueryNode, Span
from amb_core.protocols import Hit
from amb_core.reading import TextRecord, identify_source, read_records
from amb_core.rendering import MemoryItem
from amb_core.rendering.memory_items import Claim, Dispute, State, ValueChange
from amb_core.text.text_spans import dialogue_heading

__all__ = ["EntryView", "NodeViews", "call_of", "state_of"]


def call_of(metadata: Mapping[str, Any]) -> tuple[str, str]:
    """The tool an entry came from and what it was called with; for a text that was read, its source."""
    tool, arguments = str(metadata.get("tool") or ""), metadata.get("arguments")
    if tool and isinstance(arguments, dict) and arguments:
        return tool, " ".join(map(str, arguments.values()))
    source = str(metadata.get("source") or "")
    return (tool, "" if source == f"{tool}()" else source) if tool else (source, "")


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
class NodeViews:
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

    def state_of(self, node_id: str, shown: InteractionEntry | None = None) -> State | None:
        """How a node stands to other states of what it shows; None where there is no other (see `state_of` below)."""
        return state_of(self.state, self.state.graph.bare(node_id), shown)

    def item(self, hit: Hit, *, state: State | None) -> MemoryItem:
        """A hit for the renderer; `state` is what `state_of` says of its node."""
        node = self.state.graph.bare(hit.id)
        return MemoryItem(
            node=node,
            hit=hit,
            passages=self.state.graph.passages(node),
            disputes=tuple(self._dispute(node.id, conflict) for conflict in self.state.disputes(node.id)),
            refuted=tuple(dict.fromkeys(self._refuted(node))),
            source=self.source(node),
            heading=self._heading(node),
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

    def _heading(self, node: QueryNode) -> str:
        """The line above the dialogue that a node is a part of, such as the date of the session."""
        if not node.sources:
            return ""
        entry = self.state.tree.entries.get(node.sources[0].entry_id)
        return "" if entry is None else dialogue_heading(entry.text[:_HEAD])

    def entries_behind(self, node: QueryNode) -> list[EntryView]:
        """Every raw entry behind a node, oldest first."""
        return [self.entry_view(entry) for entry in self.state.tree.of_spans(node.sources)]

    def entries_of(self, shown: str) -> list[EntryView]:
        """Every raw entry of what is shown as a node's id or as a step, oldest first; UnknownId for anything else."""
        place = parse_step_place(shown)
        return self.entries_behind(self.node(shown)) if place is None else self.step_views(place.number)

    def node(self, node_id: str) -> QueryNode:
        """The living node of an id, without its vector; UnknownId when there is none."""
        require_id("node", node_id)
        return self.state.graph.bare(self.state.resolve(node_id))

    def step_view(self, number: int) -> EntryView:
        """The raw entry of a step; UnknownId, with the last step there is, when there is none of that number."""
        return self.step_views(number)[0]

    def step_views(self, number: int) -> list[EntryView]:
        """The raw entry of a step and what the agent and the user said at it; UnknownId when there is neither."""
        entry = step_entry(self.state.tree, number)
        found = [*([] if entry is None else [entry]), *self.state.tree.messages_at(number)]
        if not found:
            newest = self.state.tree.newest_results(1)
            raise UnknownId("step", str(number), near=[f"step {step_number(one.entry_id)}" for one in newest])
        return [self.entry_view(one) for one in found]

    def entry_view(self, entry: InteractionEntry) -> EntryView:
        """A raw entry with its attachments opened."""
        return EntryView(
            entry_id=entry.entry_id,
            text=entry.text,
            timestamp=entry.timestamp,
            metadata=dict(entry.metadata),
            attachments=tuple(self.open_attachment(attachment) for attachment in entry.attachments),
        )


_SHORT = 60
"""Characters of a value, or of a whole result, that can stand in a line."""
_MOST_CHANGES = 3
_MOST_STATES = 64
"""Of how many results with one record the newest are looked at."""


def state_of(state: BankState, node: QueryNode, shown: InteractionEntry | None = None) -> State | None:
    """How a node stands to other states of what it shows; None where there is no other.

    `shown` is an entry that repeats the one which the node stands on, where it is shown as the result of that call.
    """
    entry_ids = {span.entry_id for span in node.sources}
    entry = state.tree.entries.get(entry_ids.pop()) if len(entry_ids) == 1 else None
    mark = None if entry is None or entry.forgotten else call_mark(shown or entry)
    if entry is None or mark is None:
        return None
    told = _of_call(state, node, entry, mark)
    if told is not None and told.newer is not None:
        return told
    of_records = _of_records(state, node, entry)
    return of_records if told is None or (of_records is not None and of_records.newer is not None) else told


def _of_call(state: BankState, node: QueryNode, entry: InteractionEntry, mark: bytes) -> State | None:
    """The state among the results of the same call; one that came back is as new as its last time."""
    newest: str | None = None
    for step, first in state.tree.states(mark):
        if first == entry.entry_id and newest is not None:
            return State(id_number(step), _counterpart(state, node, first, newest))
        if newest == entry.entry_id:
            return State(
                step=id_number(step), changes=tuple(_changes(entry.text, state.tree.entries[first].text, node))
            )
        newest = newest or first
    return None


def _of_records(state: BankState, node: QueryNode, entry: InteractionEntry) -> State | None:
    """The state of the records of the node that other calls show with other values: an older one before a newer one."""
    told: State | None = None
    for mark, record in record_marks(entry.text).items():
        if not any(_covers(node, place) for place in record.spans.values()):
            continue
        found = _of_record(state, node, entry, mark, record)
        if found is not None and found.newer is not None:
            return found
        told = told or found
    return told


def _of_record(
    state: BankState, node: QueryNode, entry: InteractionEntry, mark: bytes, record: TextRecord
) -> State | None:
    """The state of one record: each field as of the newest result that holds it, against the newest of those before."""
    open_fields = set(record.fields)
    for step, first in islice(state.tree.states(mark), _MOST_STATES):
        if first == entry.entry_id:
            open_fields.clear()
            continue
        theirs = record_marks(state.tree.entries[first].text).get(mark)
        changes = tuple(_differences(record, theirs)) if theirs is not None else ()
        if any(change.name in open_fields for change in changes):
            return State(step=id_number(entry.entry_id), newer=_counterpart(state, node, entry.entry_id, first))
        if changes:
            return State(step=id_number(step), changes=changes[:_MOST_CHANGES])
        open_fields -= theirs.fields.keys() if theirs is not None else set()
    return None


def _counterpart(state: BankState, node: QueryNode, entry_id: str, newer: str) -> str:
    """The node of the newer state that stands where this one stands in its own; "" when it has none yet."""
    mine, theirs = state.nodes_of_entry(entry_id), state.nodes_of_entry(newer)
    place = mine.index(node.id) if node.id in mine else 0
    return theirs[min(place, len(theirs) - 1)] if theirs else ""


def _changes(newer: str, older: str, node: QueryNode) -> Iterator[ValueChange]:
    """The short values that changed from one text to the other, as far as the node shows them."""
    if max(len(newer), len(older)) > LONGEST_READ:
        return
    mine, theirs = read_records(newer), read_records(older)
    found = [
        change
        for identity, record in mine.items()
        if identity in theirs
        for change in _differences(record, theirs[identity])
        if _covers(node, record.spans[change.name])
    ]
    if found:
        yield from found[:_MOST_CHANGES]
    elif not mine:
        yield from _changed_words(newer, older, node)


def _changed_words(newer: str, older: str, node: QueryNode) -> Iterator[ValueChange]:
    """The words in which sentences at the same place of a page differ, else a short result as a whole."""
    from amb_core.reading.revision import rewritten_sentences  # here, for taking in shows nothing

    rewritten = (each for each in rewritten_sentences(newer, older) if _covers(node, each.place))
    changed = [ValueChange("", each.now, each.before) for each in rewritten]
    if not changed and max(len(newer.strip()), len(older.strip())) <= _SHORT:
        changed = [ValueChange("", " ".join(newer.split()), " ".join(older.split()))]
    yield from changed[:_MOST_CHANGES]


def _differences(mine: TextRecord, theirs: TextRecord) -> Iterator[ValueChange]:
    for name, value in mine.fields.items():
        before = theirs.fields.get(name, value)
        if value != before and max(len(value), len(before)) <= _SHORT:
            yield ValueChange(name, value, before)


def _covers(node: QueryNode, place: tuple[int, int]) -> bool:
    return any(span.start < place[1] and place[0] < span.end for span in node.sources)
