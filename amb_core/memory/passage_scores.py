"""How much each passage of a bank is wanted at one moment of an agent's work: its features, and their weighted sum.

The weights were fitted by `python -m amb_bench.fit_passages` on recorded runs of agents: a passage is wanted when the
agent's next action uses an identifier or a word of at least six letters that it holds and the request lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.moment import Moment
from amb_core.memory.passage_index import Floats, PassageIndex
from amb_core.memory.passage_terms import asked_keys, identifiers, index_terms_of, plain_text, query_weights

__all__ = ["FAR", "FEATURES", "LEAST", "MOST", "NOVELTY", "WEIGHTS", "passage_features", "passage_scores"]

WEIGHTS: dict[str, float] = {
    "call": 1.04,
    "said": 0.82,
    "results": 0.78,
    "asked": 0.71,
    "goal": 0.43,
    "call_ids": -0.65,
    "used": 0.16,
    "used_new": 0.55,
    "beside": 0.68,
    "recent": -3.36,
    "age": -0.57,
    "next": 1.5,
    "brings": 1.02,
    "size": -0.27,
    "figures": -0.29,
    "stale": -0.25,
    "menu": -2.0,
}
NOVELTY = 1.0
"""How much a passage loses when the block already says most of what it brings."""
LEAST, MOST = 0.08, 0.16
"""The share of a block that one unit takes where its result has as much, and the most that it may take."""

FAR = 3.0
"""What is worth so much less than the best of a block does not come, though there is room."""

FEATURES = tuple(WEIGHTS)

_GOAL_CHARS, _RESULT_CHARS = 4_000, 2_500
_MANY, _SOME = 80, 60
"""Of a longer text so many of its rarest terms are asked for."""
_REACH, _SPOTS = 12, 40
"""How far from what was used last a passage counts as beside it, and of how many places."""


def passage_scores(index: PassageIndex, moment: Moment) -> Floats:
    """The score of every passage, float32 of shape [len(index)]."""
    weights = np.array([WEIGHTS[name] for name in FEATURES], dtype=np.float32)
    return passage_features(index, moment) @ weights


def passage_features(index: PassageIndex, moment: Moment) -> Floats:
    """What is known of every passage, float32 of shape [len(index), len(FEATURES)]."""
    used = Counter(one for text in moment.used for one in identifiers(text))
    lost = {one: count for one, count in used.items() if one not in moment.present}
    last = identifiers("\n".join(moment.said[:2]))
    known = {*used, *moment.present}
    heads = "\n".join(text[:_RESULT_CHARS] for text in moment.results)
    owners = index.owners()
    age = np.float32(index.result_count + 1) - index.steps().astype(np.float32)[owners]
    columns: dict[str, Floats | NDArray[np.bool_]] = {
        "call": _asked(index, "\n".join(moment.said[:1]), _MANY),
        "said": _asked(index, "\n".join(moment.said[1:]), _SOME),
        "results": _asked(index, heads, _SOME),
        "asked": _asked(index, moment.asked[:_GOAL_CHARS], _MANY),
        "goal": _asked(index, moment.goal[:_GOAL_CHARS], _MANY),
        "call_ids": _shared(index, dict.fromkeys(last, 1)),
        "used": _shared(index, used),
        "used_new": _shared(index, lost),
        "beside": _beside(index, last, owners),
        "recent": np.reciprocal(1 + np.float32(0.5) * age),
        "age": np.log1p(age),
        "next": np.log1p(index.next_in_line(last, asked_keys("\n".join(moment.said[:2])), known=known)),
        "brings": np.log1p(index.new_units(moment.present)),
        "size": np.log1p(index.lengths()),
        "figures": index.figures(),
        "stale": index.stale()[owners],
        "menu": index.menus(),
    }
    return np.stack([columns[name].astype(np.float32) for name in FEATURES], axis=1)


def _asked(index: PassageIndex, text: str, most: int) -> Floats:
    """BM25 for a text, the best passage at 1."""
    found = index.scores(query_weights(plain_text(text)), most=most)
    best = float(found.max(initial=0.0))
    return found / np.float32(best) if best > 0 else found


def _shared(index: PassageIndex, counts: Mapping[str, int]) -> Floats:
    """How rare the identifiers are that a passage shares with some; a term of several counts as the most frequent."""
    weights: dict[str, float] = {}
    for one, count in counts.items():
        for term in index_terms_of([one]):
            weights[term] = max(weights.get(term, 0.0), float(np.log1p(count)))
    return np.log1p(index.scores(weights, most=400))


def _beside(index: PassageIndex, last: frozenset[str], owners: NDArray[np.int32]) -> Floats:
    """How near a passage stands to what was used last: the next record of a list is often the next to be used."""
    near = np.zeros(len(index), dtype=np.float32)
    for term in index_terms_of(last):
        for key in index.lexical.containing([term], most=_SPOTS):
            low, high = max(key - _REACH, 0), min(key + _REACH + 1, len(index))
            worth = np.exp(-np.abs(np.arange(low, high) - key - 0.5) / 4).astype(np.float32)
            worth[owners[low:high] != owners[key]] = 0
            np.maximum(near[low:high], worth, out=near[low:high])
    return near
