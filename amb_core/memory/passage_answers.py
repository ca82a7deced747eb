"""The sentences that may answer what an agent was asked, whatever it is doing now; found as `recall` finds them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from amb_core.memory.moment import Moment
from amb_core.memory.passage_budget import Choice, Shelf
from amb_core.memory.query_graph import QueryGraph
from amb_core.protocols import Query
from amb_core.rendering import MemoryItem
from amb_core.rendering.excerpts import Sentence, choose, sentences_of

__all__ = ["take_answers"]

_QUESTION = 600
"""A text of more characters is no question but a description, whose words are everywhere."""
_NOTES = 5
"""So many notes of each bank are looked at."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a sentence stands: characters (start, end) of an entry, and the passages that these touch."""

    shelf: Shelf
    keys: range
    span: tuple[int, int]


def take_answers(choice: Choice, banks: Sequence[tuple[Shelf, QueryGraph]], moment: Moment, *, most: int) -> None:
    """Show the sentences, not of JSON, that say most of what was asked, in at most about `most` tokens."""
    asked = "\n".join(text for text in (moment.asked, moment.goal) if 0 < len(text) <= _QUESTION)
    if not asked:
        return
    found = [(shelf, item) for shelf, graph in banks for item in _items(graph, asked)]
    found.sort(key=lambda one: -one[1].hit.score)
    sentences: list[Sentence] = []
    places: dict[int, _Place] = {}
    for sentence in sentences_of([item for _, item in found], asked):
        shelf, item = found[sentence.item]
        place = _place(shelf, item, sentence)
        if place is not None and sentence.piece.text not in choice.request:
            sentences.append(sentence)
            places[id(sentence)] = place
    heads = {one.item: places[id(one)] for one in sentences}

    def head_cost(item: int) -> int:
        return choice.head_cost(heads[item].shelf, heads[item].keys[0])

    for taken in choose(sentences, room=min(most, choice.left), header_cost=head_cost).values():
        for one in taken:
            place = places[id(one)]
            score = float(place.shelf.scores[place.keys[0]])
            choice.show(place.shelf, place.keys, (place.span,), tokens=one.tokens, score=score)


def _items(graph: QueryGraph, asked: str) -> Iterator[MemoryItem]:
    """The notes with the words of what was asked, and the texts they stand on; an embedder is not waited for."""
    for hit in graph.search(Query(text=asked, k=_NOTES, mode="lexical")):
        node = graph.bare(hit.id)
        if passages := graph.passages(node):
            yield MemoryItem(node, hit, passages)


def _place(shelf: Shelf, item: MemoryItem, sentence: Sentence) -> _Place | None:
    """Where a sentence stands, by the newest call that gave the same result; None where it must not be shown."""
    source, index = item.passages[sentence.passage][0], shelf.index
    steps = index.span(source.entry_id)
    if steps and (again := index.span(index.newer(source.entry_id))):
        same = index.entry(again[0]).text == index.entry(steps[0]).text
        steps = again if same else steps
    start, end = source.start + sentence.piece.start, source.start + sentence.piece.end
    first = last = max(bisect_right(steps, start, key=lambda key: index.passage(key).start) - 1, 0)
    while last < len(steps) and index.passage(steps[last]).start < end:
        last += 1
    keys, score_of = steps[first:last], shelf.scores.item
    may = keys and not index.is_data(keys[0]) and all(math.isfinite(score_of(key)) for key in keys)
    return _Place(shelf, keys, (start, end)) if may else None
