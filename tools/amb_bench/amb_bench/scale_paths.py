"""The same questions to one namespace by two paths: the index of the process, and what the database chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np

from amb_bench.datasets import Question, Sample, load_cmrc, load_hotpotqa, load_locomo
from amb_bench.scale_child import NAMESPACE
from amb_bench.scale_keep import Kept, Row
from amb_bench.scale_memory import fill
from amb_bench.tables import Table
from amb_longterm import LongTermMemory, LongTermSettings

__all__ = ["paths"]

_RANKS = (5, 10)
_ASKED = 400
"""Questions to each namespace, chosen at random, the same for both paths."""


def paths(kept: Kept, *, embedder: str, quick: bool) -> Table:
    """Recall of gold evidence among the first 5 and 10 hits, per cent, and the questions that lose or gain some."""
    rows: list[Row] = []
    for name, samples in (("passages", [load_hotpotqa(), load_cmrc()]), ("turns of talks", load_locomo())):
        samples = samples[:1] if quick else samples
        texts = {f"{n}-{each.id}": each.text for n, sample in enumerate(samples) for each in sample.passages}
        asked = _asked(samples, 40 if quick else _ASKED)
        run = f"paths-{name.split()[0]}-{len(texts)}-{embedder}"
        place = kept.at(tenant=run)
        kept.figures(run, partial(fill, place, iter(texts.items()), embedder))
        found = {
            most: kept.figures(f"{run}-{len(asked)}-{most}", partial(_found, place, asked, embedder, most))
            for most in (None, 0)
        }
        rows.append((f"{len(texts)} {name}", len(asked), *_shares(found)))
    columns = ("namespace", "questions", *(f"{path} R@{k}" for path in ("loaded", "database") for k in _RANKS))
    return Table(f"Recall by the two paths, embedder {embedder}", (*columns, "lost", "gained"), tuple(rows))


def _asked(samples: Sequence[Sample], many: int) -> list[Question]:
    """Questions with the ids of their evidence as the namespace has them."""
    every = [
        Question(question.text, tuple(f"{number}-{name}" for name in question.gold))
        for number, sample in enumerate(samples)
        for question in sample.questions
    ]
    chosen = np.random.default_rng(0).choice(len(every), size=min(many, len(every)), replace=False)
    return [every[number] for number in sorted(chosen.tolist())]


def _found(place: str, asked: Sequence[Question], embedder: str, most: int | None) -> list[list[float]]:
    """The share of its evidence that each question finds, for each rank."""
    settings = LongTermSettings(most_loaded=most)
    with LongTermMemory(place, embedder=embedder, settings=settings) as memory:
        hits = [memory.search(one.text, namespace=NAMESPACE, top_k=max(_RANKS), min_score=0.0) for one in asked]
    return [
        [len({hit.id for hit in each[:k]} & {*one.gold}) / len(one.gold) for each, one in zip(hits, asked, strict=True)]
        for k in _RANKS
    ]


def _shares(found: Mapping[int | None, Sequence[Sequence[float]]]) -> Row:
    means = [100.0 * float(np.mean(shares)) for shares in chain(found[None], found[0])]
    before, after = (np.array(found[most][-1]) for most in (None, 0))
    return (*means, int((after < before).sum()), int((after > before).sum()))
