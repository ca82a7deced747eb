"""How a stretch of a result stands to other states of the same call or of the same record, by the entries alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from amb_core.memory.ids import id_number
from amb_core.memory.interaction_tree import InteractionTree
from amb_core.memory.repeats import (
    LONGEST_READ,
    WORD_OR_TWO,
    call_mark,
    first_id,
    ids_asked,
    listed_marks,
    record_marks,
)
from amb_core.models import InteractionEntry
from amb_core.reading import TextRecord, read_records
from amb_core.rendering.memory_items import State, ValueChange

__all__ = ["changes_since", "state_in"]

_Places = Sequence[tuple[int, int]]
"""Stretches of a text, by their characters (start, end)."""
_SHORT, _WORDS = 60, 3
"""Characters of a value that can stand in a line, and words of a result that is one value."""
_MOST_CHANGES = 3
_MOST_STATES = 64
"""Of how many results with one record the newest are looked at."""


def state_in(tree: InteractionTree, entry: InteractionEntry, places: _Places) -> State | None:
    """How some stretches of an entry stand to other states of what they show; None where there is no other.

    `newer` is the id of the entry that shows the newest state.
    """
    mark = None if entry.forgotten else call_mark(entry)
    if mark is None:
        return None
    told = _of_call(tree, entry, mark, places)
    if told is not None and told.newer is not None:
        return told
    of_records = _of_records(tree, entry, places)
    return of_records if told is None or (of_records is not None and of_records.newer is not None) else told


def _of_call(tree: InteractionTree, entry: InteractionEntry, mark: bytes, places: _Places) -> State | None:
    """The state among the results of the same call; one that came back is as new as its last time."""
    mine = tree.first_text(entry.entry_id)
    newest: str | None = None
    is_newest = False
    for step, text in tree.states(mark):
        if newest is None:
            newest = step
            is_newest = text == mine
        elif text == mine:
            return State(step=id_number(step), newer=newest)
        elif is_newest:
            return State(step=id_number(step), changes=tuple(_changes(entry.text, text, places)))
    return None


def _of_records(tree: InteractionTree, entry: InteractionEntry, places: _Places) -> State | None:
    """The state of the records shown that other calls show with other values: an older one before a newer one."""
    told: State | None = None
    newer: list[State] = []
    named, listed = record_marks(entry.text, ids_asked(entry)), listed_marks(entry)
    for mark, record in (*named.items(), *listed.items()):
        shown = {name for name, place in record.spans.items() if _covers(places, place)}
        if mark in listed:  # of what is known by its text alone, only what is told in words: a score is not a state
            shown = {name for name in shown if WORD_OR_TWO.fullmatch(record.fields[name])}
        found = _of_record(tree, entry, mark, record, shown) if shown else None
        if found is not None and found.newer is not None:
            newer.append(found)
        told = told or found
    if not newer:
        return told
    last = max(newer, key=lambda state: id_number(state.newer or ""))
    changes = [change for state in newer for change in state.changes]
    return State(step=last.step, newer=last.newer, changes=tuple(changes[:_MOST_CHANGES]))


def _of_record(
    tree: InteractionTree, entry: InteractionEntry, mark: bytes, record: TextRecord, shown: set[str]
) -> State | None:
    """The state of the fields shown of a record: each as of the newest result that holds it, against those before."""
    open_fields, mine = set(shown), tree.first_text(entry.entry_id)
    own = first_id(record)
    mine_id = record.fields.get(own)
    for step, text in islice(tree.states(mark), _MOST_STATES):
        if text == mine:
            open_fields.clear()
            continue
        other = tree.entries[step]
        theirs = record_marks(text, ids_asked(other)).get(mark) or listed_marks(other).get(mark)
        if theirs is not None and theirs.fields.get(own, mine_id) != mine_id:
            continue  # a booking of the same user is another one
        changes = [one for one in _differences(record, theirs) if one.name in shown] if theirs is not None else []
        now = [replace(one, now=one.before, before=one.now) for one in changes if one.name in open_fields]
        if now:
            return State(step=id_number(entry.entry_id), newer=step, changes=tuple(now))
        if changes:
            return State(step=id_number(step), changes=tuple(changes[:_MOST_CHANGES]))
        open_fields -= theirs.fields.keys() if theirs is not None else set()
    return None


_SENTENCE_END = re.compile(r"[。！？]")
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ](?=\d))?|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?Z?"
    r"|\d+(?:\.\d+)? ?(?:[mµun]?s(?:ec(?:onds?)?)?\b|毫?秒)"
)
"""A day, a time of day, how long something took."""


def _without_times(text: str) -> str:
    return _TIME.sub("", text)


def changes_since(entry: InteractionEntry, later: InteractionEntry, places: _Places) -> list[ValueChange] | None:
    """What a later result of the same call says otherwise than some stretches of an entry; None where nobody can tell.

    That it says the same but for times is no change. A call without arguments may be about anything by now, so only
    what stands at the same place in both counts.
    """
    shown = {line for start, end in places for line in _without_times(entry.text[start:end]).split("\n")}
    if shown <= set(_without_times(later.text).split("\n")):
        return []
    changes = [replace(one, now=one.before, before=one.now) for one in _changes(entry.text, later.text, places)]
    return changes if changes or not entry.metadata.get("arguments") else None


def _changes(newer: str, older: str, places: _Places) -> Iterator[ValueChange]:
    """The short values that changed from one text to the other, as far as they are shown."""
    if max(len(newer), len(older)) > LONGEST_READ:
        return
    mine, theirs = read_records(newer), read_records(older)
    found = [
        change
        for identity, record in mine.items()
        if identity in theirs
        for change in _differences(record, theirs[identity])
        if _covers(places, record.spans[change.name])
    ]
    if found:
        yield from found[:_MOST_CHANGES]
    elif not mine:
        yield from _changed_value(newer, older)


def _changed_value(newer: str, older: str) -> Iterator[ValueChange]:
    """A short result as a whole, where it is one value."""
    is_value = len(newer.split()) <= _WORDS and not _SENTENCE_END.search(newer)
    if is_value and max(len(newer.strip()), len(older.strip())) <= _SHORT:
        yield ValueChange("", " ".join(newer.split()), " ".join(older.split()))


def _differences(mine: TextRecord, theirs: TextRecord) -> Iterator[ValueChange]:
    for name, value in mine.fields.items():
        before = theirs.fields.get(name, value)
        if value != before and max(len(value), len(before)) <= _SHORT:
            yield ValueChange(
                name, value, before, record=mine.identity.rpartition("=")[2] if "=" in mine.identity else ""
            )


def _covers(places: _Places, place: tuple[int, int]) -> bool:
    return any(start < place[1] and place[0] < end for start, end in places)
