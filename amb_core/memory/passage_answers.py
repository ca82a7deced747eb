"""The sentences that may answer what an agent was asked, whatever it is doing now; found as `recall` finds them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from amb_core.memory.moment import Moment
from amb_core.memory.passage_budget import Choice, Shelf
from amb_core.memory.passage_index import PassageIndex
from amb_core.memory.passage_terms import identifiers, index_terms_of
from amb_core.memory.query_graph import QueryGraph
from amb_core.memory.whole_records import record_around
from amb_core.protocols import Query
from amb_core.reading import Layout
from amb_core.rendering import MemoryItem
from amb_core.rendering.excerpts import ScoredPiece, choose, sentences_of
from amb_core.text import index_tokens

__all__ = ["asks_for_record", "question_of", "take_answers", "take_records"]

_QUESTION = 600
"""A text of more characters is no question but a description, whose words are everywhere."""
_NOTES = 5
"""So many notes of each bank are looked at."""

_SMALLEST = 20
"""Tokens below which no further record is worth beginning."""
_RECORDS = 8
"""An identifier that so many parts of machine data have asks for none of them."""

_Place = tuple[ScoredPiece, Shelf, int, tuple[int, int]]


def take_answers(choice: Choice, banks: Sequence[tuple[Shelf, QueryGraph]], moment: Moment, *, most: int) -> None:
    """Show the sentences, not of JSON, that say most of what was asked, in at most about `most` tokens."""
    asked = question_of(moment)
    if not asked:
        return
    found = [(shelf, item) for shelf, graph in banks for item in _items(graph, asked)]
    found.sort(key=lambda one: -one[1].hit.score)
    wanted = set(index_tokens(asked))
    places: dict[int, _Place] = {}
    for one in sentences_of([item for _, item in found], asked):
        shelf, item = found[one.item]
        place = _place(shelf, item, one) if wanted & one.piece.terms.keys() else None
        if place is not None and one.piece.text not in choice.request:
            places[id(one)] = (one, shelf, *place)
    heads = {one.item: (shelf, key) for one, shelf, key, _ in places.values()}
    sentences = [one for one, *_ in places.values()]
    room = min(most, choice.left)
    for taken in choose(sentences, room=room, header_cost=lambda item: choice.head_cost(*heads[item])).values():
        for one in taken:
            _, shelf, key, span = places[id(one)]
            choice.quote(shelf, key, span, tokens=one.tokens)


def take_records(choice: Choice, shelves: Sequence[Shelf], asked: str, *, most: int) -> None:
    """Show the records and lines that have an identifier which was asked for, in at most `most` tokens."""
    least = choice.left - most
    found = [
        (shelf.scores.item(key), key, name, shelf) for shelf in shelves for key, name in _named(shelf.index, asked)
    ]
    for score, key, name, shelf in sorted(found, key=lambda one: (-one[0], one[1])):
        record = record_around(shelf.index, key, name, most=choice.left - least)
        others = sorted(set(record) - {key}, key=lambda at: (-shelf.scores.item(at), at))
        is_whole = len(record) > 1 and all(choice.may_show(shelf, at) for at in record)
        for part in (key, *others):
            if choice.left - least >= _SMALLEST and choice.may_show(shelf, part):
                unit = record if is_whole and part == key else None
                choice.take(shelf, part, score, most=choice.left - least, unit=unit)


def asks_for_record(index: PassageIndex, asked: str) -> bool:
    """Whether a record or line of machine data has an identifier of a question which few others have."""
    return bool(_named(index, asked))


def _named(index: PassageIndex, asked: str) -> list[tuple[int, str]]:
    """The passages of machine data with the identifier of a question that each has, which few others have."""
    found: dict[int, str] = {}
    for name in sorted(identifiers(asked)):
        for term in index_terms_of([name]):
            keys = np.flatnonzero(index.lexical.scores({term: 1.0}, size=len(index))).tolist()
            keys = [key for key in keys if index.layout(key) is not Layout.PROSE]
            found |= dict.fromkeys(keys if len(keys) < _RECORDS else (), name)
    return list(found.items())


def question_of(moment: Moment) -> str:
    """What the agent was asked and its goal, where these are short enough to be questions."""
    return "\n".join(text for text in (moment.asked, moment.goal) if 0 < len(text) <= _QUESTION)


def _items(graph: QueryGraph, asked: str) -> Iterator[MemoryItem]:
    """The notes with the words of what was asked, and the texts they stand on; an embedder is not waited for."""
    for hit in graph.search(Query(text=asked, k=_NOTES, mode="lexical")):
        node = graph.bare(hit.id)
        if passages := graph.passages(node):
            yield MemoryItem(node, hit, passages)


def _place(shelf: Shelf, item: MemoryItem, sentence: ScoredPiece) -> tuple[int, tuple[int, int]] | None:
    """The passage in which a sentence begins, by the newest call with the same result, and its characters (start, end).

    None where it must not be shown.
    """
    source, index = item.passages[sentence.passage][0], shelf.index
    steps = index.span(source.entry_id)
    if steps and (again := index.span(index.newer(source.entry_id))):
        same = index.entry(again[0]).text == index.entry(steps[0]).text
        steps = again if same else steps
    start, end = source.start + sentence.piece.start, source.start + sentence.piece.end
    number = bisect_right(steps, start, key=lambda key: index.passage(key).start) - 1
    key = steps[max(number, 0)] if steps else None
    if key is None or index.is_data(key) or not math.isfinite(shelf.scores.item(key)):
        return None
    return key, (start, end)
