"""Cuts passages into pieces (turns of a dialogue, else sentences), and chooses which of them a token budget can hold.

What is read off a piece (its tokens, its terms, who says it) is kept with it, for the next block of the same passage.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.text import dialogue_speaker, estimate_tokens, index_tokens, sentence_spans
from amb_core.text.pure_cache import remembered
from amb_core.text.text_spans import turn_spans

__all__ = ["Chosen", "ScoredPiece", "choose", "pieces_of", "sentences_of"]

Floats = NDArray[np.float64]

_TITLE_CHARS = 100
_WHOLE = 80
"""A passage of at most this many tokens (a short note) is not cut into sentences."""
_WHOLE_TURN = 120
"""A turn of at most this many tokens is not cut either: half of what somebody said is easily misread."""
_TABLE_ROW = re.compile(r"[|\t]|[,;]\S")
_REMEMBERED = 2_048
_LONGEST_REMEMBERED = 20_000

_BESIDE = 0.35
"""A sentence beside a matching one gets this share of that one's match."""
_BEFORE = (0.6, 0.4, 0.3, 0.2)
"""What a term counts in a turn when it stands only 1 … 4 turns earlier: an answer seldom repeats its question."""
_AFTER = (0.4, 0.3, 0.2, 0.1)
_SHORT = 40.0
"""Terms up to which a turn depends on the turns around it in full; a longer one does so the less."""
_SPEAKER = 0.4
"""What a turn gains when the query names who speaks."""
_ASKING = 0.4
"""What a turn loses that only asks: evidence is what was said."""
_SATURATION, _LENGTH = 1.2, 0.4
_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters `start:end` of a passage; `turn` says that it is from a dialogue.

    `title_end` is where a title at its beginning ends, -1 without one. `speaker` is set where a piece
    begins inside a turn, so that it can be said who is speaking. `said_by` names who says a turn that begins here.
    """

    start: int
    end: int
    text: str
    turn: bool
    title_end: int
    speaker: str
    said_by: str | None
    tokens: int
    terms: Counter[str]
    words: str
    """The text with single spaces: what makes two pieces the same."""
    asking: float
    """The share of the text that is questions."""


def _piece(passage: str, start: int, end: int, *, turn: bool = False, title_end: int = -1, speaker: str = "") -> Piece:
    text = passage[start:end]
    return Piece(
        start=start,
        end=end,
        text=text,
        turn=turn,
        title_end=title_end,
        speaker=speaker,
        said_by=dialogue_speaker(text) if turn else None,
        tokens=estimate_tokens(text.replace("\n", "\n  "))
        + 1
        + turn
        + (estimate_tokens(speaker) + 2 if speaker else 0),
        terms=Counter(index_tokens(text)),
        words=" ".join(text.split()),
        asking=_asking(text),
    )


@remembered(most=_REMEMBERED, longest=_LONGEST_REMEMBERED)
def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces in text order: whole turns; or sentences, a title with the one that follows, a short text whole."""
    turns = turn_spans(text)
    if turns:
        return tuple(piece for start, end in turns for piece in _of_turn(text, start, end))
    return tuple(_of_prose(text))


def _of_turn(text: str, start: int, end: int) -> Iterator[Piece]:
    said = text[start:end]
    if estimate_tokens(said) <= _WHOLE_TURN:
        heads = not dialogue_speaker(said) and "\n" not in said and len(said) <= _TITLE_CHARS
        yield _piece(text, start, end, turn=True, title_end=end if heads else -1)
        return
    speaker = dialogue_speaker(said) or ""
    for number, (first, last) in enumerate(sentence_spans(said)):
        yield _piece(text, start + first, start + last, turn=True, speaker=speaker if number else "")


def _of_prose(text: str) -> Iterator[Piece]:
    spans = list(sentence_spans(text))
    titled = len(spans) > 1 and _is_title(text, spans[0], spans[1])
    if titled and len(spans) > 2 and not any(map(str.isalnum, text[slice(*spans[1])])):
        spans[:2] = [(spans[0][0], spans[1][1])]  # a line under a title says nothing by itself
    title_end = spans[0][1] if titled else -1
    longest = _WHOLE_TURN if dialogue_speaker(text) else _WHOLE
    if len(spans) > 1 and estimate_tokens(text) <= longest:
        yield _piece(text, spans[0][0], spans[-1][1], title_end=title_end)
        return
    if titled:
        yield _piece(text, spans[0][0], spans[1][1], title_end=title_end)
        spans = spans[2:]
    yield from (_piece(text, start, end) for start, end in spans)


def _is_title(text: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    start, end = first
    if end - start > _TITLE_CHARS or "\n" not in text[end : second[0]] or _TABLE_ROW.search(text, start, end):
        return False
    return text[end - 1] not in ".!?。！？；;…"


# --- what a piece is worth for a query -----------------------------------------------------------------------------


def _matches(pieces: Sequence[Piece], passages: Sequence[int], query: str) -> Floats:
    """How well each piece matches, float64 of shape [n] in [0, 1]; rare terms of the query count more.

    Pieces of one passage (any number of its own) stand beside each other in order.

    A sentence has a share of the query's terms, or a part of what a sentence beside it has. A turn of a dialogue is
    measured against the best one, and is read with the turns around it, by who speaks, and whether it only asks.
    """
    wanted = list(dict.fromkeys(index_tokens(query)))
    row = {term: number for number, term in enumerate(wanted)}
    terms = np.zeros((len(wanted), len(pieces)))
    for column, piece in enumerate(pieces):
        for term in row.keys() & piece.terms.keys():
            terms[row[term], column] = piece.terms[term]
    frequency = (terms > 0).sum(axis=1)
    rarity = np.log(1 + (len(pieces) - frequency + 0.5) / (frequency + 0.5))
    passage = np.array(passages)
    turns = np.array([piece.turn for piece in pieces], dtype=bool)
    found = _of_sentences(terms > 0, rarity, passage)
    if turns.any():
        lengths = np.array([piece.terms.total() for piece in pieces], dtype=np.float64)
        spoken = _of_turns(terms, rarity, lengths, passage, *_speakers(pieces, wanted))
        found[turns] = spoken[turns] / max(float(spoken[turns].max()), 1e-9)
    return found


def _of_sentences(has: NDArray[np.bool_], rarity: Floats, passage: NDArray[np.int64]) -> Floats:
    present = has.any(axis=1)
    whole = float(rarity[present].sum()) or 1.0
    own: Floats = (has * rarity[:, None]).sum(axis=0) / whole
    beside = np.maximum(_shifted(own, passage, 1), _shifted(own, passage, -1))
    return np.maximum(own, _BESIDE * beside)


def _speakers(pieces: Sequence[Piece], wanted: Sequence[str]) -> tuple[NDArray[np.bool_], Floats]:
    """Which terms of a query are names of speakers, and how much each piece counts for who says it and how."""
    words = {name: frozenset(index_tokens(name)) for name in dict.fromkeys(p.said_by for p in pieces) if name}
    asked_for = {name: terms for name, terms in words.items() if terms and terms.issubset(wanted)}
    names = frozenset().union(*asked_for.values())
    factors = [(1.0 + _SPEAKER * (p.said_by in asked_for)) * (1.0 - _ASKING * p.asking) for p in pieces]
    return np.array([term in names for term in wanted], dtype=bool), np.array(factors)


def _asking(text: str) -> float:
    """The share of a text that is questions."""
    return sum(map(len, _QUESTION.findall(text))) / len(text) if "?" in text or "？" in text else 0.0


def _of_turns(
    terms: Floats,
    rarity: Floats,
    lengths: Floats,
    passage: NDArray[np.int64],
    named: NDArray[np.bool_],
    factors: Floats,
) -> Floats:
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * lengths / max(float(lengths.mean()), 1.0))
    own = rarity[:, None] * terms * (1 + _SATURATION) / (terms + norm)
    lending = own * ~named[:, None]
    reach = np.minimum(1.0, _SHORT / np.maximum(lengths, 1.0))
    gains = own
    for share, distance in [(s, d + 1) for d, s in enumerate(_BEFORE)] + [(s, -d - 1) for d, s in enumerate(_AFTER)]:
        gains = np.maximum(gains, share * reach * _shifted(lending, passage, distance))
    return np.asarray(gains.sum(axis=0) * factors, dtype=np.float64)


def _shifted(values: Floats, passage: NDArray[np.int64], distance: int) -> Floats:
    """For each piece (last axis) the value `distance` pieces earlier in the same passage, else 0."""
    moved = np.zeros_like(values)
    if abs(distance) >= values.shape[-1]:
        return moved
    to, start = (
        (slice(distance, None), slice(None, -distance))
        if distance > 0
        else (slice(None, distance), slice(-distance, None))
    )
    moved[..., to] = values[..., start] * (passage[to] == passage[start])
    return moved


# --- which of them are shown ------------------------------------------------------------------------------------------

_BASE = 0.3
"""What a sentence is worth for being in a found node at all; its match with the query adds up to 1."""
_BASE_TURN = 0.05
"""A turn is worth less: a dialogue wanders, and most of what stands in one node is beside the point."""
_LEAD = 0.25
"""The first sentence says what a node is about, and the later ones need it to be understood."""
_DECAY = 0.92
"""Each further sentence of a node is worth this much less, so that no node eats all of the budget."""
_COST_POWER = 0.25
"""0 would ignore what a sentence costs, 1 would choose by value per token alone."""


@dataclass(frozen=True, slots=True)
class ScoredPiece:
    """A candidate: one piece of one passage of one item, its cost in tokens and its worth."""

    item: int
    passage: int
    piece: Piece
    tokens: int
    value: float


def sentences_of(items: Sequence[tuple[float, Sequence[str]]], query: str) -> list[ScoredPiece]:
    """Every sentence or turn of the items in order, valued for the query: each its score and its texts, best first.

    Worth is how well it matches the query, with a bonus for an opening sentence, times how well the node matched.
    """
    places: list[tuple[int, int]] = []
    pieces: list[Piece] = []
    for number, (_, texts) in enumerate(items):
        for part, text in enumerate(texts):
            cut = pieces_of(text)
            places += [(number, part)] * len(cut)
            pieces += cut
    passages = dict.fromkeys(places)
    passage_of = {place: at for at, place in enumerate(passages)}
    worth = _matches(pieces, [passage_of[place] for place in places], query).tolist()
    found: list[ScoredPiece] = []
    opened: set[int] = set()
    said: set[str] = set()
    for (number, part), piece, match in zip(places, pieces, worth, strict=True):
        score = items[number][0]
        if piece.turn:
            value = (_BASE_TURN + match) * _weight(score, number) ** 0.5
        else:
            value = (_BASE + match + (_LEAD if number not in opened else 0.0)) * _weight(score, number)
        opened.add(number)
        repeated = piece.words in said
        said.add(piece.words)
        found.append(ScoredPiece(number, part, piece, piece.tokens, 0.0 if repeated else value))
    return found


Chosen = dict[int, list[ScoredPiece]]


def choose(
    sentences: Sequence[ScoredPiece], *, room: int, header_cost: Callable[[int], int], chosen: Chosen | None = None
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


def _weight(score: float, rank: int) -> float:
    return 0.5 * score + 0.5 / (1 + rank)
