"""How likely a topic ends between two neighbouring sentences: shared words on both sides, and how the next one opens.

Two kinds of evidence are added up. Cohesion (after TextTiling): blocks of about a paragraph on each side of a gap are
compared as tf-idf vectors over this text alone. Openings: a sentence that starts with a pronoun or a connective goes
on, one that begins with names nobody mentioned before starts afresh. The weights were fitted by logistic regression
on passages put one after another and rounded; they know no vocabulary.
"""

import re
from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from amb_core.agents.openings import goes_on
from amb_core.text import index_tokens
from amb_core.text.language import Language

__all__ = ["boundary_scores"]

Floats = NDArray[np.float64]

_BIAS, _BLOCKS = {"en": -0.8, "zh": -5.5}, {"en": -16.5, "zh": -21.0}
"""The log-odds of a gap whose sides share nothing, and what their cosine takes away."""
_GOES_ON, _NEW, _KEPT = {"en": -2.0, "zh": -1.0}, {"en": 1.5, "zh": 5.5}, {"en": 0.5, "zh": 4.0}
"""What an opening that goes on counts, and the share of its names that are new, and that come back after it."""
_BLOCK_CHARS = {"en": 500, "zh": 200}
_HEAD_CHARS = {"en": 60, "zh": 8}
_NAME = re.compile(r"[A-Z][\w'’-]+|\d[\d,.]*")


def boundary_scores(units: Sequence[str], prose: Sequence[bool], *, language: Language) -> Floats:
    """Log-odds that a topic ends after each unit but the last: float64 of shape [len(units) - 1].

    How a unit opens counts only where `prose` says that it is a sentence.
    """
    if len(units) < 2:
        return np.zeros(0)
    tokens = [index_tokens(unit) for unit in units]
    terms = [frozenset(words) for words in tokens]
    left, right = _blocks(np.array([len(unit) for unit in units]), _BLOCK_CHARS[language])
    scores = _BIAS[language] + _BLOCKS[language] * _cosines(tokens, left, right)
    for gap in range(len(units) - 1):
        if prose[gap + 1]:
            before, after = terms[left[gap] : gap + 1], terms[gap + 2 : right[gap]]
            scores[gap] += _opening(units[gap + 1], before, after, language)
    return scores


def _blocks(lengths: NDArray[np.int64], wanted: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First unit of the block before and one past the last unit of the block after, for every gap."""
    ends = np.cumsum(lengths)
    starts = ends - lengths
    gaps = np.arange(len(lengths) - 1)
    left = np.searchsorted(ends, ends[:-1] - wanted, side="right")
    right = np.searchsorted(starts, starts[1:] + wanted, side="left")
    return np.minimum(left, gaps), np.maximum(right, gaps + 2)


def _cosines(tokens: Sequence[Sequence[str]], left: NDArray[np.int64], right: NDArray[np.int64]) -> Floats:
    """The cosine of the blocks on both sides of every gap."""
    inner = np.zeros((len(tokens) + 1, len(tokens) + 1))
    inner[1:, 1:] = _gram(tokens).cumsum(0).cumsum(1)
    cut = np.arange(1, len(tokens))

    def area(a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64], d: NDArray[np.int64]) -> Floats:
        return np.asarray(inner[b, d] - inner[a, d] - inner[b, c] + inner[a, c])

    norms = np.maximum(area(left, cut, left, cut), 1e-9) * np.maximum(area(cut, right, cut, right), 1e-9)
    return np.asarray(area(left, cut, cut, right) / np.sqrt(norms))


def _gram(tokens: Sequence[Sequence[str]]) -> Floats:
    """Inner products of the units' tf-idf vectors; a term of one unit only counts for its length alone."""
    ids: dict[str, int] = {}
    terms = np.array([ids.setdefault(word, len(ids)) for words in tokens for word in words], dtype=np.int64)
    rows = np.repeat(np.arange(len(tokens)), [len(words) for words in tokens])
    width = max(1, len(ids))
    cells, counts = np.unique(rows * width + terms, return_counts=True)
    row, term = cells // width, cells % width
    spread = np.bincount(term, minlength=width)
    weight = np.log((len(tokens) + 1) / spread[term]) * (1.0 + np.log(counts))
    lonely, shared = spread[term] == 1, spread > 1
    matrix = np.zeros((len(tokens), int(shared.sum())), dtype=np.float32)
    matrix[row[~lonely], (np.cumsum(shared) - 1)[term[~lonely]]] = weight[~lonely]
    alone = np.bincount(row[lonely], weights=weight[lonely] ** 2, minlength=len(tokens))
    return np.asarray((matrix @ matrix.T).astype(np.float64) + np.diag(alone))


def _opening(unit: str, before: Sequence[Set[str]], after: Sequence[Set[str]], language: Language) -> float:
    """What is told by how a unit opens."""
    score = _GOES_ON[language] if goes_on(unit, language=language) else 0.0
    head = unit[: _HEAD_CHARS[language]]
    names = set(index_tokens(" ".join(_NAME.findall(head)) if language == "en" else head))
    if names:
        score += _NEW[language] * len(names.difference(*before)) / len(names)
        score += _KEPT[language] * (1.0 - len(names.difference(*after)) / len(names))
    return score
