"""How well topics are told apart: passages put one after another, and where the agent cuts them."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from amb_bench.bench_metrics import mean
from amb_bench.datasets import load_cmrc, load_hotpotqa
from amb_bench.tables import Table
from amb_core.agent_io import ClassificationRequest
from amb_core.agents.local_classification import LocalClassification
from amb_core.protocols import ClassificationAgent

__all__ = [
    "Concatenation",
    "SegmentationScore",
    "concatenations",
    "pk",
    "scores_of",
    "segmentation_table",
    "segmentation_tables",
    "window_diff",
]

Cutter = Callable[[str], Sequence[int]]

_FIXED_CHARS = {"hotpotqa": 500, "cmrc2018": 450}
_JOINERS = {"hotpotqa": (" ", "\n"), "cmrc2018": ("", "\n")}


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Passages as one text, and the offsets at which the second and every later one begins."""

    text: str
    boundaries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """The mean error of one way of cutting (0 = perfect), and how many cuts it makes too many (below 0: too few)."""

    name: str
    pk: float
    window_diff: float
    surplus: float


def pk(reference: Sequence[int], hypothesis: Sequence[int], *, length: int) -> float:
    """Share of windows (half a mean segment wide, in characters) whose two ends are wrongly called alike or apart."""
    wanted, found = _crossings(reference, hypothesis, length)
    return float(np.mean((wanted > 0) != (found > 0)))


def window_diff(reference: Sequence[int], hypothesis: Sequence[int], *, length: int) -> float:
    """Share of windows (half a mean segment wide, in characters) with another number of boundaries than there are."""
    wanted, found = _crossings(reference, hypothesis, length)
    return float(np.mean(wanted != found))


def _crossings(
    reference: Sequence[int], hypothesis: Sequence[int], length: int
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    width = min(max(2, round(length / (len(reference) + 1) / 2)), max(1, length))
    counts = []
    for boundaries in (reference, hypothesis):
        marks = np.zeros(length + 1, dtype=np.int64)
        np.add.at(marks, list(boundaries), 1)
        passed = np.cumsum(marks)
        counts.append(passed[width:] - passed[:-width])
    return counts[0], counts[1]


def concatenations(
    passages: Sequence[str], *, count: int, joiner: str, seed: int = 0, fewest: int = 5, most: int = 12
) -> Iterator[Concatenation]:
    """`count` texts of `fewest` to `most` passages drawn at random and joined by `joiner`; equal seeds, equal texts."""
    draw = random.Random(seed)
    flat = [" ".join(passage.split("\n")) for passage in passages]
    for _ in range(count):
        text, boundaries = "", []
        for passage in draw.sample(flat, draw.randint(fewest, most)):
            if text:
                text += joiner
                boundaries.append(len(text))
            text += passage
        yield Concatenation(text, tuple(boundaries))


def scores_of(name: str, cut: Cutter, texts: Sequence[Concatenation]) -> SegmentationScore:
    """The mean figures of one way of cutting over all texts."""
    found = [tuple(cut(sample.text)) for sample in texts]
    pairs = list(zip(texts, found, strict=True))
    return SegmentationScore(
        name,
        pk=mean(pk(sample.boundaries, cuts, length=len(sample.text)) for sample, cuts in pairs),
        window_diff=mean(window_diff(sample.boundaries, cuts, length=len(sample.text)) for sample, cuts in pairs),
        surplus=mean(len(cuts) - len(sample.boundaries) for sample, cuts in pairs),
    )


def segmentation_table(
    *, agent: ClassificationAgent | None = None, folder: str | None = None, count: int = 100, half: int | None = None
) -> dict[str, list[SegmentationScore]]:
    """Rows by set and joiner: the agent, pieces of a fixed length, and no cut at all.

    `half` takes every other passage only, from the first (0) or the second (1).
    """
    judged = agent or LocalClassification()

    def by_agent(text: str) -> list[int]:
        clusters = judged.classify(ClassificationRequest(text=text)).clusters
        return sorted(start for cluster in clusters for start, _ in cluster.spans)[1:]

    table: dict[str, list[SegmentationScore]] = {}
    for sample in (load_hotpotqa(folder=folder, titles="none"), load_cmrc(folder=folder)):
        name = sample.name.split()[0]
        size = _FIXED_CHARS[name]
        passages = [passage.text for passage in (sample.passages if half is None else sample.passages[half::2])]
        for joiner in _JOINERS[name]:
            texts = list(concatenations(passages, count=count, joiner=joiner))
            table[f"{name}, joined by {joiner!r}"] = [
                scores_of("agent", by_agent, texts),
                scores_of(f"every {size} characters", partial(_every, size), texts),
                scores_of("one segment", partial(_every, sys.maxsize), texts),
            ]
    return table


def _every(size: int, text: str) -> Sequence[int]:
    return range(size, len(text), size)


def segmentation_tables(*, folder: str | None = None, count: int = 100, halves: bool = True) -> Iterator[Table]:
    """Pk, WindowDiff and surplus cuts by set, and the agent's WindowDiff on either half of the passages."""
    found = segmentation_table(folder=folder, count=count)
    rows = [
        (f"{name}: {row.name}", row.pk, row.window_diff, row.surplus) for name, part in found.items() for row in part
    ]
    yield Table(
        "classification: boundaries of joined passages", ("way", "Pk", "WindowDiff", "cuts too many"), tuple(rows)
    )
    if halves:
        parts = [segmentation_table(folder=folder, count=count // 2, half=half) for half in (0, 1)]
        yield Table(
            "classification: the agent's WindowDiff by half of the passages (its weights were fitted on such passages)",
            ("set", "even passages", "odd passages"),
            tuple((name, *(part[name][0].window_diff for part in parts)) for name in found),
        )
