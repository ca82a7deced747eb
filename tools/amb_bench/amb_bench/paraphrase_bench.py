"""`amb bench paraphrase`: what becomes of memories in other words, and that none with another value is joined.

Without a model only the same words are joined; the rate of paraphrases is printed and promises nothing.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from amb_bench.benches import BenchOptions
from amb_bench.tables import Table
from amb_core.embedders import open_embedder
from amb_core.protocols import Embedder
from amb_core.text import Language, forget_texts
from amb_longterm.sameness import other_values, same

__all__ = ["EXPECTED", "Expected", "Outcome", "RecordPair", "outcome_of", "paraphrase_pairs", "tables"]

Expected = Literal["merged", "conflict", "different"]
EXPECTED: tuple[Expected, ...] = ("merged", "conflict", "different")
_FILE = Path(__file__).with_name("paraphrase_pairs.jsonl")


@dataclass(frozen=True, slots=True)
class RecordPair:
    """A remembered text and a new one, what should become of them, and what kind of pair it is."""

    language: Language
    half: Literal["development", "held-out"]
    expected: Expected
    kind: str
    old: str
    new: str


@lru_cache(maxsize=1)
def paraphrase_pairs() -> tuple[RecordPair, ...]:
    """All pairs, in the order in which they were written."""
    return tuple(RecordPair(**json.loads(row)) for row in _FILE.read_text(encoding="utf-8").splitlines())


Outcome = Expected
_NAMES = {"merged": "in other words", "conflict": "another value", "different": "another matter"}
_LANGUAGES: dict[Language, str] = {"en": "English", "zh": "Chinese"}
_THRESHOLDS = (0.85, 0.9, 0.95)
_QUICK = 3


def outcome_of(pair: RecordPair) -> Outcome:
    """What becomes of a pair: merged, a conflict (another value in the same words), or two records."""
    if same(pair.new, pair.old):
        return "merged"
    other = other_values(pair.new, pair.old) is not None
    return "conflict" if other else "different"


def tables(options: BenchOptions) -> Iterator[Table]:
    """What was merged by half and language, what the judgement costs, and what an embedder alone would have merged."""
    pairs = paraphrase_pairs()[:: _QUICK if options.quick else 1]
    embedder = open_embedder(options.embedder)
    yield _merged(pairs)
    yield _cost(pairs)
    if embedder is not None:
        yield _by_threshold(pairs, _likenesses(embedder, pairs))


def _merged(pairs: Sequence[RecordPair]) -> Table:
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        row = f"{pair.half}, {_LANGUAGES[pair.language]}, {_NAMES[pair.expected]}"
        counts.setdefault(row, Counter())[outcome_of(pair)] += 1
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (name, float(sum(found.values())), *(100 * found[outcome] / sum(found.values()) for outcome in EXPECTED))
        for name, found in sorted(counts.items())
    )
    return Table("memories told twice", ("pairs", "number", "merged %", "conflict %", "two records %"), rows)


def _cost(pairs: Sequence[RecordPair]) -> Table:
    """CPU per judgement, each text seen for the first time, and again."""
    outcome_of(pairs[0])  # the patterns are compiled once
    forget_texts()
    rows = []
    for name in ("texts seen for the first time", "texts seen before"):
        start = time.process_time()
        for pair in pairs:
            outcome_of(pair)
        rows.append((name, 1_000 * (time.process_time() - start) / len(pairs)))
    return Table("CPU for one judgement", ("pairs", "ms"), tuple(rows))


def _likenesses(embedder: Embedder, pairs: Sequence[RecordPair]) -> list[float]:
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
