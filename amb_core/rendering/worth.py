"""What each piece of the found notes is worth for a query: its words, those around it, and who speaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.text import dialogue_speaker, index_tokens

__all__ = ["Candidate", "matches"]

Floats = NDArray[np.float64]

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
class Candidate:
    """The text of one piece; pieces of one `passage` (any number of its own) stand beside each other in order."""

    text: str
    passage: int
    turn: bool = False


def matches(candidates: Sequence[Candidate], query: str) -> Floats:
    """How well each candidate matches, float64 of shape [n] in [0, 1]; rare terms of the query count more.

    A sentence has a share of the query's terms, or a part of what a sentence beside it has. A turn of a dialogue is
    measured against the best one, and is read with the turns around it, by who speaks, and whether it only asks.
    """
    wanted = list(dict.fromkeys(index_tokens(query)))
    counts = [Counter(index_tokens(candidate.text)) for candidate in candidates]
    terms = np.array([[count[term] for count in counts] for term in wanted], dtype=np.float64)
    terms = terms.reshape(len(wanted), len(candidates))
    frequency = (terms > 0).sum(axis=1)
    rarity = np.log(1 + (len(candidates) - frequency + 0.5) / (frequency + 0.5))
    passage = np.array([candidate.passage for candidate in candidates])
    turns = np.array([candidate.turn for candidate in candidates], dtype=bool)
    found = _of_sentences(terms > 0, rarity, passage)
    if turns.any():
        lengths = np.array([count.total() for count in counts], dtype=np.float64)
        spoken = _of_turns(terms, rarity, lengths, passage, _Speakers.of(candidates, wanted))
        found[turns] = spoken[turns] / max(float(spoken[turns].max()), 1e-9)
    return found


def _of_sentences(has: NDArray[np.bool_], rarity: Floats, passage: NDArray[np.int64]) -> Floats:
    present = has.any(axis=1)
    whole = float(rarity[present].sum()) or 1.0
    own: Floats = (has * rarity[:, None]).sum(axis=0) / whole
    beside = np.maximum(_shifted(own, passage, 1), _shifted(own, passage, -1))
    return np.maximum(own, _BESIDE * beside)


@dataclass(frozen=True, slots=True)
class _Speakers:
    """Which terms of a query are names of speakers, and how much each candidate counts for who says it and how."""

    named: NDArray[np.bool_]
    factors: Floats

    @classmethod
    def of(cls, candidates: Sequence[Candidate], wanted: Sequence[str]) -> _Speakers:
        speakers = [dialogue_speaker(candidate.text) if candidate.turn else None for candidate in candidates]
        words = {name: frozenset(index_tokens(name)) for name in dict.fromkeys(speakers) if name}
        asked_for = {name: terms for name, terms in words.items() if terms and terms.issubset(wanted)}
        names = frozenset().union(*asked_for.values())
        factors = [
            (1.0 + _SPEAKER * (speaker in asked_for)) * (1.0 - _ASKING * _asking(candidate.text))
            for speaker, candidate in zip(speakers, candidates, strict=True)
        ]
        return cls(np.array([term in names for term in wanted], dtype=bool), np.array(factors))


def _asking(text: str) -> float:
    """The share of a text that is questions."""
    return sum(map(len, _QUESTION.findall(text))) / len(text) if "?" in text or "？" in text else 0.0


def _of_turns(
    terms: Floats, rarity: Floats, lengths: Floats, passage: NDArray[np.int64], speakers: _Speakers
) -> Floats:
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * lengths / max(float(lengths.mean()), 1.0))
    own = rarity[:, None] * terms * (1 + _SATURATION) / (terms + norm)
    lending = own * ~speakers.named[:, None]
    reach = np.minimum(1.0, _SHORT / np.maximum(lengths, 1.0))
    gains = own
    for share, distance in [(s, d + 1) for d, s in enumerate(_BEFORE)] + [(s, -d - 1) for d, s in enumerate(_AFTER)]:
        gains = np.maximum(gains, share * reach * _shifted(lending, passage, distance))
    return np.asarray(gains.sum(axis=0) * speakers.factors, dtype=np.float64)


def _shifted(values: Floats, passage: NDArray[np.int64], distance: int) -> Floats:
    """For each candidate (last axis) the value `distance` candidates earlier in the same passage, else 0."""
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
