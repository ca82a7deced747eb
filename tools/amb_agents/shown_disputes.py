"""Contradictions between the results of a block, told where both sides are shown, also before any notes are made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from amb_agents.contradiction import Contradiction, are_alike, are_asked_apart, are_independent, contradictions
from amb_agents.sources import passages_in, prose_of
from amb_core.agent_io import Passage
from amb_core.models import InteractionEntry
from amb_core.rendering.labels import Labels
from amb_core.rendering.safe_text import clip_line, quoted

__all__ = ["dispute_marks"]

_MOST = 24
"""So many results of prose are held against each other."""
_VALUE = 24
"""Tokens of a value that a mark tells."""


def dispute_marks(
    shown: Mapping[str, tuple[InteractionEntry, Sequence[tuple[int, int]]]], labels: Labels
) -> dict[str, list[str]]:
    """What has to be told at the headers of steps: both values, each with its step.

    `shown` holds each result with the stretches that a block shows of it, by the step as it is named there.
    """
    marks: defaultdict[str, list[str]] = defaultdict(list)
    told = [(step, passages_in(entry, prose_of(entry), spans)) for step, (entry, spans) in list(shown.items())[:_MOST]]
    for (one, mine), (other, theirs) in combinations(told, 2):
        for pair in _between(mine, theirs):
            mark = labels.differ.format(*map(_side, pair.values, (one, other)))
            for step in (one, other):
                if mark not in marks[step]:
                    marks[step].append(mark)
    return marks


def _between(mine: Sequence[Passage], theirs: Sequence[Passage]) -> Iterator[Contradiction]:
    """What the passages of two results contradict each other in, of two sources only."""
    for a in mine:
        for b in theirs:
            if are_independent(a, b) and are_alike(a.text, b.text):
                yield from contradictions(a.text, b.text, apart=are_asked_apart(a, b), alone=True)


def _side(value: str, step: str) -> str:
    return f"{quoted(clip_line(value, _VALUE))} ({step})"
