"""Fit the weights of answers from files: `python -m amb_bench.fit_answers QUESTIONS.jsonl ... --to WEIGHTS.json`.

The rows are those of `amb bench answers`; `weight` says how much a row counts (1). Bounds are set on questions of files
that the weights were not fitted to: a fifth of the folders, five times.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from amb_bench.answers_bench import is_gold, read_questions
from amb_tools.corpus.kept_corpus import open_corpus
from amb_tools.research.answer_features import Question, candidates
from amb_tools.research.corpus_answers import confidence_features

__all__ = ["Asked", "ask", "fit", "main"]

Array: TypeAlias = NDArray[np.float64]
_FOLDS = 5
_STEPS = 300
_UNFOUND, _WRONG = 0.88, 0.025
"""Which share of the questions without an answer is to be "not found", and how many may be wrong and sure."""


@dataclass(frozen=True)
class Asked:
    """A question with the figures of its candidates, shape [candidates, features], and which of them are gold."""

    row: dict[str, Any]
    figures: Array
    gold: Array
    found: Sequence[Any]

    @property
    def weight(self) -> float:
        return float(self.row.get("weight", 1.0))

    @property
    def fold(self) -> int:
        return zlib.crc32(f"{self.row['folder']}/{self.row.get('gold_file') or self.row['id']}".encode()) % _FOLDS


def ask(rows: Sequence[dict[str, Any]], folder: Path, cache: Path | None = None) -> Iterator[Asked]:
    """The candidates of every question that has any."""
    for row in rows:
        found = candidates(open_corpus(folder / row["folder"], cache=cache), Question(row["question"]))
        if found:
            gold = [row["answerable"] and is_gold(one.place.text, row) for one in found]
            yield Asked(row, np.array([one.features for one in found]), np.array(gold, dtype=float), found)


def fit(asked: Sequence[Asked]) -> dict[str, Any]:
    """Weights and bounds for the questions of one language."""
    folds = {one.fold for one in asked} if len({one.fold for one in asked}) > 1 else set()
    told = [pair for fold in sorted(folds) for pair in _held_out(asked, fold)]
    without = [answered for one, answered, _, _ in told if not one.row["answerable"]]
    least = float(np.quantile(without, _UNFOUND)) if without else 0.0
    sure = max((right for _, _, right, _ in told), default=0.0) + 1
    for bound in sorted(right for _, _, right, _ in told):
        wrong = [right >= bound and answered >= least and not gold for _, answered, right, gold in told]
        if np.mean(wrong) <= _WRONG:
            sure = bound
            break
    rank, answered, right = _weights(asked)
    rounded = {
        name: [round(float(x), 4) for x in w] for name, w in (("rank", rank), ("answered", answered), ("right", right))
    }
    return {**rounded, "least": round(least, 3), "sure": round(float(sure), 3)}


def _held_out(asked: Sequence[Asked], fold: int) -> Iterator[tuple[Asked, float, float, bool]]:
    """(question, both confidences, whether the first sentence is gold) for one fold, by weights of the others."""
    rank, answered, right = _weights([one for one in asked if one.fold != fold])
    for one in asked:
        if one.fold == fold:
            figures, first = _confidence(one, rank)
            yield one, float(figures @ answered), float(figures @ right), bool(one.gold[first])


def _weights(asked: Sequence[Asked]) -> tuple[Array, Array, Array]:
    rank = _fit_rank([one for one in asked if one.gold.any()], len(asked[0].found[0].features))
    figures = [_confidence(one, rank) for one in asked]
    inputs = np.array([row for row, _ in figures])
    weight = np.array([one.weight for one in asked])
    right = np.array([float(one.gold[first]) for one, (_, first) in zip(asked, figures, strict=True)])
    return (
        rank,
        _fit_logistic(inputs, np.array([float(one.row["answerable"]) for one in asked]), weight),
        _fit_logistic(inputs, right, weight),
    )


def _confidence(one: Asked, rank: Array) -> tuple[Array, int]:
    scores = one.figures @ rank
    order = np.argsort(-scores, kind="stable")
    return np.array(confidence_features([(float(scores[at]), one.found[at]) for at in order])), int(order[0])


def _fit_rank(asked: Sequence[Asked], width: int) -> Array:
    """Weights under which the gold sentences have most of a softmax over the candidates (Adam)."""
    weights = np.zeros(width)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1 if asked else 1):
        slope = 1e-3 * weights * len(asked)
        for one in asked:
            scores = one.figures @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            wanted = share * one.gold
            slope -= one.weight * ((wanted / wanted.sum() - share) @ one.figures)
        slope /= len(asked)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def _fit_logistic(inputs: Array, wanted: Array, weight: Array) -> Array:
    """Weights of a logistic regression, the last of them for the constant (Newton's method, ridge 3)."""
    middle, spread = inputs.mean(0), inputs.std(0) + 1e-6
    middle[-1], spread[-1] = 0.0, 1.0
    scaled = (inputs - middle) / spread
    found = np.zeros(scaled.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-scaled @ found))
        curve = (scaled * (weight * likely * (1 - likely))[:, None]).T @ scaled + 3 * np.eye(len(found))
        found -= np.linalg.solve(curve, scaled.T @ (weight * (likely - wanted)) + 3 * found)
    plain: Array = found / spread
    plain[-1] = found[-1] - float(plain[:-1] @ middle[:-1])
    return plain


def main(arguments: Sequence[str] | None = None, show: Callable[[str], object] = print) -> None:
    """Read the questions, fit both languages, write the weights."""
    parser = argparse.ArgumentParser(description="Fit the weights of answers from files.")
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, required=True, help="the file of weights to write")
    options = parser.parse_args(arguments)
    asked = [one for file in options.questions for one in ask(read_questions(file), file.parent)]
    fitted = {name: fit([one for one in asked if one.row["lang"] == name]) for name in ("en", "zh")}
    options.to.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    show(f"{len(asked)} questions; weights are in {options.to}")


if __name__ == "__main__":
    main()
