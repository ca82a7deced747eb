"""Chooses which sentences of which nodes to show: the best evidence for the query that a token budget can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from amb_core.models import Span
from amb_core.rendering.memory_items import MemoryItem
from amb_core.rendering.pieces import Piece, matches, pieces_of
from amb_core.rendering.safe_text import escape, escape_line

__all__ = ["Chosen", "Excerpt", "Sentence", "choose", "excerpt", "sentences_of", "texts_of"]

_BASE = 0.3
"""What a sentence is worth for being in a found node at all; its match with the query adds up to 1."""
_BASE_TURN = 0.05
"""A turn is worth less: a dialogue wanders, and most of what stands in one node is beside the point."""
_LEAD = 0.25
"""The first sentence says what a node is about, and the later ones need it to be understood."""
_DECAY = 0.92
"""Each further sentence of a node is worth this much less, so that no node eats all of the budget."""
_REPEATED = 0.0
"""What is left of the worth of a sentence that another note says word for word."""
_COST_POWER = 0.25
"""0 would ignore what a sentence costs, 1 would choose by value per token alone."""
_TITLE_MARKS = "#*=-~_ \t\r\n"
_BLANK_LINES = re.compile(r"\s*\n\s*\n")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A candidate: one piece of one passage of one item, its cost in tokens and its worth."""

    item: int
    passage: int
    piece: Piece
    tokens: int
    value: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of one node: escaped text, and the exact spans it stands for.

    `title` is the title the text begins with, without its markup; it is not in `text`. `turns` says that the text is
    from a dialogue, `terms` are the index terms of the pieces in it.
    """

    text: str
    spans: tuple[Span, ...]
    title: str = ""
    turns: bool = False
    terms: frozenset[str] = frozenset()


def sentences_of(items: Sequence[MemoryItem], query: str) -> list[Sentence]:
    """Every sentence or turn of the items' passages, in order, valued for the query; `items` are best first.

    Worth is how well it matches the query, with a bonus for an opening sentence, times how well the node matched.
    """
    places: list[tuple[int, int]] = []
    pieces: list[Piece] = []
    for number, item in enumerate(items):
        for part, (_, text) in enumerate(texts_of(item)):
            cut = pieces_of(text)
            places += [(number, part)] * len(cut)
            pieces += cut
    passages = dict.fromkeys(places)
    passage_of = {place: at for at, place in enumerate(passages)}
    worth = matches(pieces, [passage_of[place] for place in places], query).tolist()
    found: list[Sentence] = []
    opened: set[int] = set()
    said: set[str] = set()
    for (number, part), piece, match in zip(places, pieces, worth, strict=True):
        score = items[number].hit.score
        if piece.turn:
            value = (_BASE_TURN + match) * _weight(score, number) ** 0.5
        else:
            value = (_BASE + match + (_LEAD if number not in opened else 0.0)) * _weight(score, number)
        opened.add(number)
        value *= _REPEATED if piece.words in said else 1.0
        said.add(piece.words)
        found.append(Sentence(number, part, piece, piece.tokens, value))
    return found


Chosen = dict[int, list[Sentence]]


def choose(
    sentences: Sequence[Sentence], *, room: int, header_cost: Callable[[int], int], chosen: Chosen | None = None
) -> Chosen:
    """The sentences worth most for what they cost within `room` tokens, by item, in text order.

    The first sentence of an item also pays `header_cost(item)`. What is `chosen` already stays and costs nothing more.
    """
    chosen = {item: list(taken) for item, taken in (chosen or {}).items()}
    there = {id(sentence) for taken in chosen.values() for sentence in taken}
    waiting = [sentence for sentence in sentences if id(sentence) not in there]
    owner = np.array([sentence.item for sentence in waiting], dtype=np.int64)
    value = np.array([sentence.value * _DECAY ** len(chosen.get(sentence.item, ())) for sentence in waiting])
    header = np.array([0 if sentence.item in chosen else header_cost(sentence.item) for sentence in waiting])
    tokens = np.array([sentence.tokens for sentence in waiting])
    while waiting:
        cost = tokens + header
        rate = np.where(cost <= room, value / np.maximum(cost, 1) ** _COST_POWER, 0.0)
        best = int(rate.argmax())
        if rate[best] <= 0.0:
            break
        room -= int(cost[best])
        chosen.setdefault(waiting[best].item, []).append(waiting[best])
        same = owner == owner[best]
        header[same] = 0
        value[same] *= _DECAY
        value[best] = 0.0
    return {item: sorted(taken, key=lambda s: (s.passage, s.piece.start)) for item, taken in chosen.items()}


def excerpt(item: MemoryItem, sentences: Sequence[Sentence]) -> Excerpt:
    """The chosen sentences as text: neighbours keep the raw text between them, gaps are marked with an ellipsis."""
    texts = texts_of(item)
    runs = _runs(sentences, texts)
    spans: list[Span] = []
    parts: list[str] = []
    title = ""
    for number, run in enumerate(runs):
        span, text = texts[run.passage]
        if span is not None:
            spans.append(Span(entry_id=span.entry_id, start=span.start + run.start, end=span.start + run.end))
        start = run.start
        if not number and run.title_end > 0:
            title, start = text[start : run.title_end].strip(_TITLE_MARKS), run.title_end
        said = _BLANK_LINES.sub("\n", text[start : run.end].strip())
        parts.append(escape(f"{run.speaker}: … {said}" if run.speaker else said))
        if number + 1 < len(runs):
            parts.append(" … " if runs[number + 1].passage == run.passage and not runs[number + 1].turn else "\n")
        elif text[run.end :].strip() and not run.turn:
            parts.append(" …")
    turns = any(run.turn for run in runs)
    terms = frozenset().union(*(sentence.piece.terms for sentence in sentences))
    return Excerpt("".join(parts).strip("\n"), tuple(spans), escape_line(title), turns, terms)


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring pieces of one passage."""

    passage: int
    start: int
    end: int
    turn: bool
    title_end: int
    speaker: str


def _runs(sentences: Sequence[Sentence], texts: Sequence[tuple[Span | None, str]]) -> list[_Run]:
    runs: list[_Run] = []
    for sentence in sentences:
        text, piece = texts[sentence.passage][1], sentence.piece
        last = runs[-1] if runs else None
        if last is not None and last.passage == sentence.passage and not text[last.end : piece.start].strip():
            runs[-1] = _Run(last.passage, last.start, piece.end, last.turn, last.title_end, last.speaker)
        else:
            runs.append(_Run(sentence.passage, piece.start, piece.end, piece.turn, piece.title_end, piece.speaker))
    return runs


def texts_of(item: MemoryItem) -> Sequence[tuple[Span | None, str]]:
    """What may be shown of a node: its passages, or its summary when it has none."""
    return item.passages or [(None, item.node.summary)]


def _weight(score: float, rank: int) -> float:
    return 0.5 * score + 0.5 / (1 + rank)
