"""How what a block shows of a step is written: its header, the parts below it, and what has changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from amb_core.memory.call_changes import Change
from amb_core.memory.call_texts import call_text
from amb_core.memory.ids import is_message
from amb_core.memory.passage_budget import Shelf, Shown
from amb_core.memory.repeats import ids_asked
from amb_core.memory.step_places import step_number, step_of
from amb_core.models import InteractionEntry
from amb_core.reading import Layout
from amb_core.reading.passage_units import PassageSpan
from amb_core.reading.shown_parts import shown_parts
from amb_core.reading.tree_passages import page_name
from amb_core.rendering.labels import Labels, Language
from amb_core.rendering.memory_items import ValueChange
from amb_core.rendering.message_heads import message_head
from amb_core.rendering.passage_block import (
    StepPassages,
    file_of,
    part_labels,
    step_head,
)
from amb_core.rendering.safe_text import clip_line, quoted

__all__ = ["by_step", "call_told", "head_of", "step_shown", "values_since"]

_NOW, _ANSWER = 24, 10
"""Tokens of what a call put in the place of a text, and of what it was answered."""


def step_shown(
    shown: Sequence[Shown], language: Language, *, parts: bool, told: Mapping[str, Sequence[str]]
) -> StepPassages:
    """What is shown of one step; with `parts` the lines above each part say which part of the result that is.

    `told` are by entry the disputes that its header tells.
    """
    shelf, index = shown[0].shelf, shown[0].shelf.index
    entry = index.place(shown[0].key).entry
    head = shelf.head(shown[0].key)
    found: list[tuple[str, str]] = []
    spans: list[tuple[int, int]] = []
    for text, of_call in ((call_text(entry), True), (entry.text, False)):
        here = [one for one in shown if one.spans and index.is_of_call(one.key) is of_call]
        if of_call and " ".join(text.split()) in head:
            continue  # the header says it
        made = shown_parts(text, list(chain.from_iterable(map(_placed, here))), known=head)
        spans = [(one.start, one.end) for one in made]
        for key in [one.key for one in here[:1]]:
            layout, path = index.layout(key), index.passage(key).path
            is_whole = not parts or index.is_data(key) or spans == [(0, len(text))]
            name = page_name(text) if layout is Layout.PAGE_TREE else file_of(path)
            labels = part_labels(text, made, name=name, head=head, are_lines=not is_whole, language=language)
            found += zip(labels, (one.text for one in made), strict=True)
    marks = (*shelf.write_marks(entry, spans), *told.get(entry.entry_id, ()))
    return StepPassages(head, marks, tuple(found))


def values_since(entry: InteractionEntry, changes: Iterable[ValueChange], labels: Labels, step: str) -> list[str]:
    """The fields that are otherwise since a step, each with its record where the call does not name that."""
    asked = ids_asked(entry)
    return [
        labels.value_since.format(
            quoted(" ".join(filter(None, ("" if change.record in asked else change.record, change.name)))),
            quoted(change.now),
            step,
        )
        for change in changes
        if change.name
    ]


def call_told(change: Change, labels: Labels, step: str) -> str:
    """What the call of a step asked to make of what is shown, and what it was answered."""
    now = quoted(clip_line(" ".join(change.now.split()), _NOW))
    told = (
        labels.asked_to_set.format(step, quoted(change.name), now)
        if change.name
        else labels.asked_to_be.format(step, now)
    )
    answer = quoted(clip_line(change.answer, _ANSWER))
    return labels.answered.format(told, answer) if answer else told


def _placed(one: Shown) -> list[PassageSpan]:
    """The stretches of something shown, each with where it stands; of a table that is said by the row above."""
    path = "" if one.shelf.index.layout(one.key) is Layout.TABLE else one.shelf.index.passage(one.key).path
    return [PassageSpan(start, end, path) for start, end in one.spans]


def by_step(shown: Iterable[Shown], mine: Shelf) -> Iterator[list[Shown]]:
    """What is shown, step by step in order; what others know comes first."""

    def place(one: Shown) -> tuple[bool, int, int]:
        return one.shelf is mine, id(one.shelf), one.key

    def step(one: Shown) -> tuple[int, str]:
        return id(one.shelf), one.shelf.index.place(one.key).entry.entry_id

    for _, group in groupby(sorted(shown, key=place), key=step):
        yield list(group)


def head_of(entry: InteractionEntry, *, shared: bool, language: Language, tokens: int) -> str:
    """The line above what is shown of an entry: its step, and what its call asked for in so many tokens."""
    given = entry.metadata.get("arguments")
    arguments, tool = given if isinstance(given, dict) else {}, str(entry.metadata.get("tool") or "")
    if is_message(entry.entry_id):
        return message_head(
            step_of(entry),
            speaker=str(entry.metadata.get("speaker")),
            agent=str(entry.metadata.get("agent") or ""),
            tool=tool,
            arguments=arguments,
            language=language,
            tokens=tokens,
        )
    return step_head(
        step_number(entry.entry_id),
        tool=tool,
        arguments=arguments,
        source=str(entry.metadata.get("source") or entry.metadata.get("kind") or ""),
        shared=shared,
        language=language,
        tokens=tokens,
    )
