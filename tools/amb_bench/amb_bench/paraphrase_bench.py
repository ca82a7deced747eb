"""`amb bench paraphrase`: which memories in other words are merged, and that none with another value is."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from amb_bench.benches import BenchOptions
from amb_bench.paraphrase import EXPECTED, Expected, RecordPair, paraphrase_pairs
from amb_bench.tables import Table
from amb_core.embedders import open_embedder
from amb_core.longterm.sameness import compare
from amb_core.protocols import Embedder
from amb_core.text import forget_texts

__all__ = ["Outcome", "outcome_of", "tables"]

Outcome = Expected
_NAMES = {"merged": "in other words", "conflict": "another value", "different": "another matter"}
_LANGUAGES: dict[Literal["en", "zh"], str] = {"en": "English", "zh": "Chinese"}
_THRESHOLDS = (0.85, 0.9, 0.95)
_QUICK = 3


def outcome_of(pair: RecordPair, *, likeness: float | None = None) -> Outcome:
    """What becomes of a pair: merged (`same` or `adds`), a conflict, or two records."""
    kind = compare(pair.new, pair.old, likeness=likeness).kind
    return "merged" if kind in ("same", "adds") else "conflict" if kind == "conflict" else "different"


def tables(options: BenchOptions) -> Iterator[Table]:
    """What was merged by half and language, what the judgement costs, and what an embedder alone would have merged."""
    pairs = paraphrase_pairs()[:: _QUICK if options.quick else 1]
    embedder = open_embedder(options.embedder)
    likeness = [None] * len(pairs) if embedder is None else _likenesses(embedder, pairs)
    yield _merged(pairs, likeness)
    yield _cost(pairs)
    if embedder is not None:
        yield _by_threshold(pairs, [value for value in likeness if value is not None])


def _merged(pairs: Sequence[RecordPair], likeness: Sequence[float | None]) -> Table:
    counts: dict[str, Counter[str]] = {}
    for pair, value in zip(pairs, likeness, strict=True):
        row = f"{pair.half}, {_LANGUAGES[pair.language]}, {_NAMES[pair.expected]}"
        counts.setdefault(row, Counter())[outcome_of(pair, likeness=value)] += 1
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (name, float(sum(found.values())), *(100 * found[outcome] / sum(found.values()) for outcome in EXPECTED))
        for name, found in sorted(counts.items())
    )
    return Table("memories told twice", ("pairs", "number", "merged %", "conflict %", "two records %"), rows)


def _cost(pairs: Sequence[RecordPair]) -> Table:
    """CPU per judgement, each text seen for the first time, and again."""
    compare(pairs[0].new, pairs[0].old)  # the word lists are read once
    forget_texts()
    rows = []
    for name in ("texts seen for the first time", "texts seen before"):
        start = time.process_time()
        for pair in pairs:
            compare(pair.new, pair.old)
        rows.append((name, 1_000 * (time.process_time() - start) / len(pairs)))
    return Table("CPU for one judgement", ("pairs", "ms"), tuple(rows))


def _likenesses(embedder: Embedder, pairs: Sequence[RecordPair]) -> list[float | None]:
    vectors = np.asarray(embedder.embed([text for pair in pairs for text in (pair.old, pair.new)]), dtype=np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [float(old @ new) for old, new in zip(vectors[::2], vectors[1::2], strict=True)]


def _by_threshold(pairs: Sequence[RecordPair], likeness: Sequence[float]) -> Table:
    """What a threshold on the cosine alone would merge."""
    rows: list[tuple[str | float, ...]] = []
    for threshold in _THRESHOLDS:
        found = {
            expected: [
                value >= threshold for pair, value in zip(pairs, likeness, strict=True) if pair.expected == expected
            ]
            for expected in EXPECTED
        }
        rows.append((f"cosine ≥ {threshold}", *(100 * sum(found[e]) / max(1, len(found[e])) for e in EXPECTED)))
    return Table("merged by the embedder alone, %", ("rule", *(_NAMES[expected] for expected in EXPECTED)), tuple(rows))
