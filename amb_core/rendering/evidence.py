"""Chooses which sentences of which nodes to show: the best evidence for the query that a token budget can hold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amb_core.models import Span
from amb_core.rendering.escaping import escape
from amb_core.rendering.items import MemoryItem
from amb_core.text import estimate_tokens, index_tokens, sentence_spans

__all__ = ["Excerpt", "Sentence", "choose", "excerpt", "sentences_of", "texts_of"]

_BASE = 0.3
"""What a sentence is worth for being in a found node at all; its match with the query adds up to 1."""
_LEAD = 0.25
"""The first sentence says what a node is about, and the later ones need it to be understood."""
_BESIDE = 0.35
"""A sentence beside a matching one gets this share of that one's match."""
_DECAY = 0.92
"""Each further sentence of a node is worth this much less, so that no node eats all of the budget."""
_COST_POWER = 0.25
"""0 would ignore what a sentence costs, 1 would choose by value per token alone."""
_TITLE_CHARS = 100
_WHOLE = 80
"""A passage of at most this many tokens (a turn of a dialogue, a short note) is not cut into sentences."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A candidate: characters `start:end` of one passage of one item, its cost in tokens and its worth."""

    item: int
    passage: int
    start: int
    end: int
    tokens: int
    value: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of one node: escaped text, and the exact spans it stands for."""

    text: str
    spans: tuple[Span, ...]


def sentences_of(items: Sequence[MemoryItem], query: str) -> list[Sentence]:
    """Every sentence of the items' passages, in order, valued for the query; `items` are best first.

    Worth is the share of the query's terms in the sentence, rare terms counting more, with a bonus for the opening
    sentence and for standing beside a match, times how well the node matched.
    """
    raw = [
        (number, part, start, end, text[start:end])
        for number, item in enumerate(items)
        for part, (_, text) in enumerate(texts_of(item))
        for start, end in _pieces(text)
    ]
    matches = _matches([piece[4] for piece in raw], query)
    found: list[Sentence] = []
    for place, (number, part, start, end, text) in enumerate(raw):
        beside = [matches[near] for near in (place - 1, place + 1) if 0 <= near < len(raw) and raw[near][0] == number]
        opens = place == 0 or raw[place - 1][0] != number
        match = max(matches[place], _BESIDE * max(beside, default=0.0))
        value = _weight(items[number].hit.score, number) * (_BASE + match + (_LEAD if opens else 0.0))
        found.append(Sentence(number, part, start, end, estimate_tokens(text) + 1, value))
    return found


Chosen = dict[int, list[Sentence]]


def choose(
    sentences: Sequence[Sentence], *, room: int, header_cost: Callable[[int], int], chosen: Chosen | None = None
) -> Chosen:
    """The sentences worth most for what they cost within `room` tokens, by item, in text order.

    The first sentence of an item also pays `header_cost(item)`. What is `chosen` already stays and costs nothing more.
    """
    chosen = {item: list(taken) for item, taken in (chosen or {}).items()}
    waiting = [sentence for sentence in sentences if sentence not in chosen.get(sentence.item, ())]
    while waiting:
        best: Sentence | None = None
        best_rate = 0.0
        for sentence in waiting:
            taken = chosen.get(sentence.item)
            cost = sentence.tokens + (0 if taken else header_cost(sentence.item))
            if cost > room:
                continue
            rate = sentence.value * _DECAY ** len(taken or ()) / cost**_COST_POWER
            if rate > best_rate:
                best, best_rate = sentence, rate
        if best is None:
            break
        room -= best.tokens + (0 if best.item in chosen else header_cost(best.item))
        chosen.setdefault(best.item, []).append(best)
        waiting.remove(best)
    return {item: sorted(taken, key=lambda s: (s.passage, s.start)) for item, taken in chosen.items()}


def excerpt(item: MemoryItem, sentences: Sequence[Sentence]) -> Excerpt:
    """The chosen sentences as text: neighbours keep the raw text between them, gaps are marked with an ellipsis."""
    texts = texts_of(item)
    runs: list[tuple[int, int, int]] = []
    for sentence in sentences:
        text = texts[sentence.passage][1]
        if runs and runs[-1][0] == sentence.passage and not text[runs[-1][2] : sentence.start].strip():
            runs[-1] = (sentence.passage, runs[-1][1], sentence.end)
        else:
            runs.append((sentence.passage, sentence.start, sentence.end))
    spans: list[Span] = []
    parts: list[str] = []
    for number, (passage, start, end) in enumerate(runs):
        span, text = texts[passage]
        if span is not None:
            spans.append(Span(entry_id=span.entry_id, start=span.start + start, end=span.start + end))
        parts.append(escape(text[start:end]))
        last = number + 1 == len(runs)
        if not last:
            parts.append(" … " if runs[number + 1][0] == passage else "\n")
        elif text[end:].strip():
            parts.append(" …")
    return Excerpt(text="".join(parts), spans=tuple(spans))


def texts_of(item: MemoryItem) -> Sequence[tuple[Span | None, str]]:
    """What may be shown of a node: its passages, or its summary when it has none."""
    return item.passages or [(None, item.node.summary)]


def _pieces(text: str) -> list[tuple[int, int]]:
    """The spans to choose from: sentences, a title line together with the one that follows, short texts whole."""
    spans = sentence_spans(text)
    if len(spans) > 1 and estimate_tokens(text) <= _WHOLE:
        return [(spans[0][0], spans[-1][1])]
    if len(spans) > 1 and _is_title(text, spans):
        return [(spans[0][0], spans[1][1]), *spans[2:]]
    return spans


def _is_title(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    (start, end), (after, _) = spans[0], spans[1]
    return end - start <= _TITLE_CHARS and "\n" in text[end:after] and text[end - 1] not in ".!?。！？；;…"


def _matches(texts: Sequence[str], query: str) -> list[float]:
    """For each text the share of the query's terms it has, weighted by how rare they are among these texts."""
    wanted = frozenset(index_tokens(query))
    shared = [wanted.intersection(index_tokens(text)) for text in texts]
    frequency = Counter(term for terms in shared for term in terms)
    weight = {term: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for term, count in frequency.items()}
    total = sum(weight[term] for term in sorted(weight)) or 1.0
    return [sum(weight[term] for term in sorted(terms)) / total for terms in shared]


def _weight(score: float, rank: int) -> float:
    return 0.5 * score + 0.5 / (1 + rank)
