"""Newer states: the same call made again, or the same record read again, with another value.

A state is never a contradiction. The newest one is what holds; an older one says as of which step it held.
"""

from __future__ import annotations

from collections.abc import Iterator

from amb_core.memory.state import BankState
from amb_core.memory.state_marks import LONGEST_READ, call_mark, record_marks
from amb_core.models import InteractionEntry, QueryNode
from amb_core.reading import Record, read_records
from amb_core.rendering.memory_items import Change, State

__all__ = ["state_of"]

_SHORT = 60
"""Characters of a value, or of a whole result, that can stand in a line."""
_MOST_CHANGES = 3


def state_of(state: BankState, node: QueryNode) -> State | None:
    """How a node stands to other states of what it shows; None where there is no other."""
    entry_ids = {span.entry_id for span in node.sources}
    entry = state.tree.entries.get(entry_ids.pop()) if len(entry_ids) == 1 else None
    mark = None if entry is None or entry.forgotten else call_mark(entry)
    if entry is None or mark is None:
        return None
    return _of_call(state, node, entry, mark) or _of_records(state, node, entry)


def _of_call(state: BankState, node: QueryNode, entry: InteractionEntry, mark: bytes) -> State | None:
    """The state among the results of the same call; one that came back is as new as its last time."""
    tree = state.tree
    steps = [(entry_id, tree.original(entry_id)) for entry_id in tree.with_state(mark)]
    if len({original for _, original in steps}) < 2 or all(original != entry.entry_id for _, original in steps):
        return None
    if steps[-1][1] == entry.entry_id:
        before = next(step for step in reversed(steps) if step[1] != entry.entry_id)
        older = tree.entries[before[1]].text
        return State(step=_number(before[0]), changes=tuple(_changes(entry.text, older, node)))
    last = next(step for step, original in reversed(steps) if original == entry.entry_id)
    return State(step=_number(last), newer=_counterpart(state, node, entry.entry_id, steps[-1][1]))


def _of_records(state: BankState, node: QueryNode, entry: InteractionEntry) -> State | None:
    """The state of the first record of the node that another call showed with another value."""
    for mark, record in record_marks(entry.text).items():
        if not any(_covers(node, place) for place in record.spans.values()):
            continue
        steps = state.tree.with_state(mark)
        others = [entry_id for entry_id in steps if entry_id != entry.entry_id and entry_id in state.tree.entries]
        for other in reversed(others):
            theirs = record_marks(state.tree.entries[other].text).get(mark)
            changes = tuple(_differences(record, theirs)) if theirs is not None else ()
            if changes and _number(other) > _number(entry.entry_id):
                newer = _counterpart(state, node, entry.entry_id, state.tree.original(other))
                return State(step=_number(entry.entry_id), newer=newer)
            if changes:
                return State(step=_number(other), changes=changes[:_MOST_CHANGES])
    return None


def _counterpart(state: BankState, node: QueryNode, entry_id: str, newer: str) -> str:
    """The node of the newer state that stands where this one stands in its own; "" when it has none yet."""
    mine, theirs = state.nodes_of_entry(entry_id), state.nodes_of_entry(newer)
    place = mine.index(node.id) if node.id in mine else 0
    return theirs[min(place, len(theirs) - 1)] if theirs else ""


def _changes(newer: str, older: str, node: QueryNode) -> Iterator[Change]:
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


def _changed_words(newer: str, older: str, node: QueryNode) -> Iterator[Change]:
    """A short result as a whole, else the values in which sentences of prose differ."""
    from amb_core.agents import contradictions  # here, for it would be a fifth of `import amb_core`

    if max(len(newer.strip()), len(older.strip())) <= _SHORT:
        yield Change("", " ".join(newer.split()), " ".join(older.split()))
        return
    pairs = (pair for pair in contradictions(newer, older) if _covers(node, pair.a.span))
    for pair in list(pairs)[:_MOST_CHANGES]:
        yield Change("", *pair.values)


def _differences(mine: Record, theirs: Record) -> Iterator[Change]:
    for name, value in mine.fields.items():
        before = theirs.fields.get(name, value)
        if value != before and max(len(value), len(before)) <= _SHORT:
            yield Change(name, value, before)


def _covers(node: QueryNode, place: tuple[int, int]) -> bool:
    return any(span.start < place[1] and place[0] < span.end for span in node.sources)


def _number(entry_id: str) -> int:
    return int(entry_id[1:])
